import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { Link, useRouterState } from '@tanstack/react-router'
import { useCurrentPageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { navigation } from '../navigation.ts'
import styles from './breadcrumb.module.css'

/** Pages with a prefix of their own that are kept out of the navigation. */
const unlisted = [{ section: '', name: 'Activity', state: 'cloud-automation' }]

/** The longest navigation entry that the path lies under. */
function entryAt(path: string) {
  return [...navigation, ...unlisted]
    .filter(({ state }) => path === `/${state}` || path.startsWith(`/${state}/`))
    .toSorted((one, two) => two.state.length - one.state.length)[0]
}

/** Tenant, section, page. */
export function Breadcrumb() {
  const { config } = usePortal()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const title = useCurrentPageTitle()
  const entry = entryAt(path)
  const inside = entry !== undefined && path !== `/${entry.state}`
  const section = entry?.section === 'CATALOG' ? `Catalog ${entry.name.toLowerCase()}` : entry?.name
  return (
    <nav aria-label="Breadcrumb" className={styles.crumbs}>
      <ol>
        <li className={styles.tenant}>
          <bdi>{config.tenant.displayName}</bdi>
        </li>
        {entry !== undefined && (
          <li className={inside ? styles.above : undefined} aria-current={inside ? undefined : 'page'}>
            <IconChevronRight size={14} aria-hidden className={styles.arrow} />
            {inside ? <Link to={`/${entry.state}` as '/apps'}>{section}</Link> : section}
          </li>
        )}
        {(inside || entry === undefined) && title !== undefined && (
          <li aria-current="page">
            <IconChevronRight size={14} aria-hidden className={styles.arrow} />
            <bdi>{title}</bdi>
          </li>
        )}
      </ol>
    </nav>
  )
}
