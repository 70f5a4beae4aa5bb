import type { MenuEntry } from '@quayside/contract/sidebar/endpoints'
import type { Icon } from '@tabler/icons-react'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconBoxMultiple from '@tabler/icons-react/dist/esm/icons/IconBoxMultiple.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconPinnedOff from '@tabler/icons-react/dist/esm/icons/IconPinnedOff.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import { Link } from '@tanstack/react-router'
import { Tooltip } from '../../ui/layout/tooltip.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { Actions } from './actions.tsx'
import styles from './custom-sidebar.module.css'
import { targetOf } from './target.ts'
import { texts } from './texts.ts'

const t = texts.ours

const icons: Record<MenuEntry['type'], Icon> = {
  apps: IconApps,
  spaces: IconBoxMultiple,
  dashboards: IconLayoutDashboard,
  clusters: IconServer2,
  externalLink: IconExternalLink,
}

interface Props {
  entry: MenuEntry
  small: boolean
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

export function Entry({ entry, small, isFirst, isLast, onMove, onRemove }: Props) {
  const name = entry.itemName ?? entry.name
  return (
    <>
      <Place entry={entry} name={name} small={small} />
      {!small && (
        <Actions
          name={name}
          actions={[
            { label: t.moveUp, icon: IconArrowUp, act: () => onMove(-1), disabled: isFirst },
            { label: t.moveDown, icon: IconArrowDown, act: () => onMove(1), disabled: isLast },
            { label: t.remove, icon: IconPinnedOff, danger: true, act: onRemove },
          ]}
        />
      )}
    </>
  )
}

/** A link to where the pin leads; what leads nowhere any more is no link and says why. */
function Place({ entry, name, small }: { entry: MenuEntry; name: string; small: boolean }) {
  const target = targetOf(entry)
  const EntryIcon = icons[entry.type]
  const content = (
    <>
      {small ? (
        <Avatar name={name} size={22} />
      ) : (
        <EntryIcon size={18} stroke={1.6} aria-hidden className={styles.icon} />
      )}
      {small ? (
        <bdi className="unseen">{name}</bdi>
      ) : (
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
      )}
    </>
  )
  if ('word' in target)
    return (
      <Tooltip title={name} text={target.why}>
        <button type="button" aria-disabled="true" className={classNames(styles.entry, styles.dead)}>
          {content} <span className={small ? 'unseen' : styles.word}>{target.word}</span>
        </button>
      </Tooltip>
    )
  const link =
    'href' in target ? (
      <a href={target.href} target="_blank" rel="noopener noreferrer" draggable={false} className={styles.entry}>
        {content} <span className="unseen">{t.opensNew}</span>
      </a>
    ) : (
      <Link
        to={target.to as '/apps'}
        draggable={false}
        className={styles.entry}
        activeProps={{ className: styles.active, 'aria-current': 'page' }}
      >
        {content}
      </Link>
    )
  return small ? <Tooltip text={name}>{link}</Tooltip> : link
}
