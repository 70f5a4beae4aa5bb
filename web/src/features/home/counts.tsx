import { Link } from '@tanstack/react-router'
import { ErrorIndicator } from '../../ui/states/error-indicator.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import styles from './counts.module.css'
import type { HomeData } from './use-home-data.ts'

interface Tile {
  name: string
  to: '/apps' | '/spaces' | '/clusters' | '/catalog/apps'
  query: { data?: { page: { total: number } } | undefined; error: unknown; isLoading: boolean }
  parts: { state: string; count: number; label: string }[]
}

/** How many there are of everything, by state. */
export function Counts({ data }: { data: HomeData }) {
  const { sees, troubled, healthy, clusters } = data
  const bad = clusters.data?.data.filter(({ health }) => health === 'degraded' || health === 'unreachable').length ?? 0
  const good = clusters.data?.data.filter(({ health }) => health === 'healthy').length ?? 0
  const tiles: (Tile & { shown: boolean })[] = [
    {
      name: 'Apps',
      to: '/apps',
      shown: sees.apps,
      query: data.apps,
      parts: [
        { state: 'healthy', label: 'healthy', count: healthy.data?.page.total ?? 0 },
        { state: 'failed', label: 'need attention', count: troubled.data?.page.total ?? 0 },
      ],
    },
    { name: 'Spaces', to: '/spaces', shown: sees.spaces, query: data.spaces, parts: [] },
    {
      name: 'Clusters',
      to: '/clusters',
      shown: sees.clusters,
      query: clusters,
      parts: [
        { state: 'healthy', label: 'healthy', count: good },
        { state: 'degraded', label: 'need attention', count: bad },
      ],
    },
    { name: 'Catalog apps', to: '/catalog/apps', shown: sees.catalog, query: data.items, parts: [] },
  ]
  const shown = tiles.filter((tile) => tile.shown)
  if (shown.length === 0) return null
  return (
    <ul className={styles.tiles} aria-label="Counts">
      {shown.map((tile) => (
        <li key={tile.name}>
          <TileView {...tile} />
        </li>
      ))}
    </ul>
  )
}

function TileView({ name, to, query, parts }: Tile) {
  return (
    <div className={styles.tile}>
      <span className={styles.name}>
        <Link to={to}>{name}</Link>
      </span>
      <span className={styles.line}>
        {query.error != null ? (
          <ErrorIndicator error={query.error} />
        ) : (
          <bdi className={styles.number}>
            {query.isLoading ? <Skeleton width={32} height={20} /> : query.data?.page.total}
          </bdi>
        )}
        <span className={styles.parts}>
          {parts
            .filter(({ count }) => count > 0)
            .map(({ state, count, label }) => (
              <StateBadge key={label} state={state} label={`${count} ${label}`} />
            ))}
        </span>
      </span>
    </div>
  )
}
