import { useQuery } from '@tanstack/react-query'
import { appListQuery, useLiveApps } from '../../../api/apps.ts'
import { clusterListQuery, useLiveClusters } from '../../../api/clusters/clusters.ts'
import { spaceListQuery, useLiveSpaces } from '../../../api/spaces.ts'
import { usePortal } from '../../../lib/portal.tsx'

const firstOnly = { page: { skip: 0, limit: 1 } }

/** How many there are of what the side bar counts, for the entries that this person sees. */
export function useSectionCounts(states: readonly string[]): Record<string, number | undefined> {
  const { api } = usePortal()
  useLiveApps()
  useLiveSpaces()
  useLiveClusters()
  const isSeen = (state: string) => ({ enabled: states.includes(state) })
  const apps = useQuery({ ...appListQuery(api, ['count'], firstOnly), ...isSeen('apps') })
  const spaces = useQuery({ ...spaceListQuery(api, ['count'], firstOnly), ...isSeen('spaces') })
  const clusters = useQuery({ ...clusterListQuery(api, ['count'], firstOnly), ...isSeen('clusters') })
  return { apps: apps.data?.page.total, spaces: spaces.data?.page.total, clusters: clusters.data?.page.total }
}
