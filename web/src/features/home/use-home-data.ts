import type { Cluster } from '@quayside/contract/cluster'
import type { Action } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import type { App } from '@quayside/contract/portal-api'
import { useQuery } from '@tanstack/react-query'
import { useLive, usePortal } from '../../lib/portal.tsx'
import { useAccess } from '../../lib/use-access.ts'

const deployments = ['Deploy', 'Upgrade', 'Rollback', 'Delete']

function useList<T>(path: string, key: unknown[], query: Record<string, unknown>, enabled: boolean) {
  const { api } = usePortal()
  return useQuery({
    queryKey: key,
    enabled,
    queryFn: ({ signal }) => api.get<ListReply<T>>(path, { signal, query }),
  })
}

const firstOnly = { page: { skip: 0, limit: 1 } }

/** Everything that Home shows, as far as the person may see it. */
export function useHomeData() {
  const sees = {
    apps: useAccess('apps'),
    spaces: useAccess('spaces'),
    clusters: useAccess('clusters'),
    catalog: useAccess('catalog-apps', 'catalog.view'),
    actions: useAccess('apps'),
  }
  useLive({ topic: 'catalog' }, ['catalog', 'count'])
  const stateCount = (state: string) => ({ filters: { state }, ...firstOnly })
  const apps = '/portal-api/v2/apps'
  return {
    sees,
    apps: useList<App>(apps, ['apps', 'count'], firstOnly, sees.apps),
    healthy: useList<App>(apps, ['apps', 'count', 'healthy'], stateCount('healthy'), sees.apps),
    troubled: useList<App>(
      apps,
      ['apps', 'troubled'],
      { filters: { state: ['failed', 'degraded'] }, page: { skip: 0, limit: 6 } },
      sees.apps,
    ),
    spaces: useList('/portal-api/v2/spaces', ['spaces', 'count'], firstOnly, sees.spaces),
    clusters: useList<Cluster>(
      '/cluster/v2/clusters',
      ['clusters', 'home'],
      { page: { skip: 0, limit: 50 } },
      sees.clusters,
    ),
    items: useList('/catalog/v2/items', ['catalog', 'count'], firstOnly, sees.catalog),
    recent: useList<Action>(
      '/deployment/v1/actions',
      ['actions', 'recent'],
      { filters: { kind: deployments }, page: { skip: 0, limit: 8 } },
      sees.actions,
    ),
    failedActions: useList<Action>(
      '/deployment/v1/actions',
      ['actions', 'failed'],
      { filters: { kind: deployments, state: 'Failed' }, page: { skip: 0, limit: 20 } },
      sees.actions,
    ),
  }
}

export type HomeData = ReturnType<typeof useHomeData>
