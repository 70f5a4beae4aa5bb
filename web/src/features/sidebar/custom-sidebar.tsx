import type { MenuGroup, PinnedKind } from '@quayside/contract/sidebar/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useLiveApps } from '../../api/apps.ts'
import { useLiveClusters } from '../../api/clusters/clusters.ts'
import { usePins } from '../../api/pins.tsx'
import { sidebarKey, useLiveSidebar, useSidebar } from '../../api/sidebar.ts'
import { useLiveSpaces } from '../../api/spaces.ts'
import { IconButton } from '../../ui/actions/button.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { ErrorIndicator } from '../../ui/states/error-indicator.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './custom-sidebar.module.css'
import { Group } from './group.tsx'
import { texts } from './texts.ts'

const t = texts.ours

/** The personal part of the side bar: groups of pins. `small` is the bar of icons. */
export function CustomSidebar({ small }: { small: boolean }) {
  const { open } = usePins()
  const sidebar = useSidebar()
  useFreshSidebar(sidebar.data)
  return (
    <section aria-label={t.heading} className={classNames(styles.menu, small && styles.small)}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{t.heading}</h2>
        {sidebar.error !== null && <ErrorIndicator error={sidebar.error} />}
        <IconButton
          icon={IconPlus}
          label={t.addEntry}
          size={16}
          className={styles.tool}
          onClick={() => open({ ask: 'entry' })}
        />
      </div>
      {sidebar.isPending && (
        <div className={styles.wait} aria-hidden="true">
          <Skeleton width={120} />
        </div>
      )}
      {sidebar.data?.length === 0 && !small && (
        <p className={styles.note}>
          <bdi>{t.empty}</bdi>
        </p>
      )}
      {sidebar.data?.map((group) => (
        <Group key={group.id} group={group} small={small} />
      ))}
    </section>
  )
}

/** Reads the side bar again when it was changed elsewhere, and when one of its items may have gone or been renamed. */
function useFreshSidebar(groups: readonly MenuGroup[] | undefined): void {
  const pinned = new Set(groups?.flatMap(({ entries }) => entries.map(({ type }) => type)))
  const stale = (kind: PinnedKind) => (pinned.has(kind) ? [sidebarKey] : [])
  useLiveSidebar()
  useLiveApps(stale('apps'))
  useLiveSpaces(stale('spaces'))
  useLiveClusters(stale('clusters'))
}
