import { Link } from '@tanstack/react-router'
import { Tooltip } from '../../../ui/layout/tooltip.tsx'
import { classNames } from '../../../ui/marks/class-names.ts'
import type { ShownEntry } from '../../navigation.ts'
import styles from './side-bar.module.css'

interface Props {
  entry: ShownEntry
  small: boolean
  count: number | undefined
}

export function SideBarEntry({ entry, small, count }: Props) {
  const { name, state, disable } = entry
  const content = <Content entry={entry} count={count} />
  if (disable) {
    return (
      <Tooltip title={small ? name : undefined} text="Not in this version">
        <button
          type="button"
          aria-disabled="true"
          aria-label={small ? name : undefined}
          className={classNames(styles.entry, styles.disabled)}
        >
          {content}
        </button>
      </Tooltip>
    )
  }
  const link = (
    <Link
      to={`/${state}` as '/apps'}
      className={styles.entry}
      activeProps={{ className: styles.active, 'aria-current': 'page' }}
      aria-label={small ? name : undefined}
    >
      {content}
    </Link>
  )
  return small ? <Tooltip text={name}>{link}</Tooltip> : link
}

function Content({ entry, count }: { entry: ShownEntry; count: number | undefined }) {
  const EntryIcon = entry.icon
  return (
    <>
      <EntryIcon size={18} stroke={1.6} aria-hidden />
      <span className={styles.name}>{entry.name}</span>
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </>
  )
}
