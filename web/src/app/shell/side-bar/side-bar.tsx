import IconLayoutSidebar from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebar.mjs'
import { useEffect } from 'react'
import { CustomSidebar } from '../../../features/sidebar/custom-sidebar.tsx'
import { usePortal } from '../../../lib/portal.tsx'
import { setPreference, usePreferences } from '../../../lib/preferences.ts'
import { classNames } from '../../../ui/marks/class-names.ts'
import { navigationFor } from '../../navigation.ts'
import styles from './side-bar.module.css'
import { SideBarEntry } from './side-bar-entry.tsx'
import { useSectionCounts } from './use-section-counts.ts'

interface Props {
  /** Only matters on narrow screens, where the bar is a drawer. */
  drawerOpen: boolean
  onClose: () => void
}

/** The main navigation, by section, then the person's own one. */
export function SideBar({ drawerOpen, onClose }: Props) {
  const { config, me } = usePortal()
  const { sideBar } = usePreferences()
  const sections = navigationFor(config, me())
  const counts = useSectionCounts(sections.flatMap(({ entries }) => entries.map(({ state }) => state)))
  const small = sideBar === 'icons' && !drawerOpen
  useEffect(() => {
    if (!drawerOpen) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [drawerOpen, onClose])
  return (
    <>
      {drawerOpen && <button type="button" aria-label="Close navigation" className={styles.shade} onClick={onClose} />}
      <nav aria-label="Main" className={classNames(styles.bar, small && styles.small, drawerOpen && styles.open)}>
        <div className={styles.entries}>
          {sections.map(({ title, entries }) => (
            <section key={title} className={styles.section} aria-label={title || 'Start'}>
              {title !== '' && <p className={styles.title}>{title}</p>}
              {entries.map((entry) => (
                <SideBarEntry key={entry.state} entry={entry} small={small} count={counts[entry.state]} />
              ))}
            </section>
          ))}
          <CustomSidebar small={small} />
        </div>
        <button
          type="button"
          className={classNames(styles.entry, styles.collapse)}
          title={small ? 'Expand the side bar' : undefined}
          aria-label={small ? 'Expand the side bar' : 'Collapse the side bar'}
          onClick={() => setPreference('sideBar', sideBar === 'icons' ? 'full' : 'icons')}
        >
          <IconLayoutSidebar size={18} stroke={1.75} aria-hidden />
          <span className={styles.name}>Collapse</span>
        </button>
      </nav>
    </>
  )
}
