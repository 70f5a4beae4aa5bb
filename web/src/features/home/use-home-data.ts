import { useQuery } from '@tanstack/react-query'
import { appListQuery } from '../../api/apps.ts'
import { catalogKey, itemListQuery, useLiveCatalog } from '../../api/catalog/catalog.ts'
import { clusterListQuery } from '../../api/clusters/clusters.ts'
import { actionListQuery } from '../../api/deployments/actions.ts'
import { useMay, useOpens } from '../../api/permissions/my-scopes.ts'
import { spaceListQuery } from '../../api/spaces.ts'
import { usePortal } from '../../lib/portal.tsx'

const deployments = ['Deploy', 'Upgrade', 'Rollback', 'Delete']
const firstOnly = { page: { skip: 0, limit: 1 } }

/** Everything that Home shows, as far as the person may see it. */
export function useHomeData() {
  const opens = useOpens()
  const sees = {
    apps: opens('apps'),
    spaces: opens('spaces'),
    clusters: opens('clusters'),
    catalog: useMay()('catalog.items') === true,
    actions: opens('cloud-automation'),
  }
  const { api } = usePortal()
  useLiveCatalog([[...catalogKey, 'count']])
  const healthy = { filters: { state: 'healthy' }, ...firstOnly }
  const troubled = { filters: { state: ['failed', 'degraded'] }, page: { skip: 0, limit: 6 } }
  const recent = { filters: { kind: deployments }, page: { skip: 0, limit: 8 } }
  const failed = { filters: { kind: deployments, state: 'Failed' }, page: { skip: 0, limit: 20 } }
  const clusters = { page: { skip: 0, limit: 50 } }
  return {
    sees,
    apps: useQuery({ ...appListQuery(api, ['count'], firstOnly), enabled: sees.apps }),
    healthy: useQuery({ ...appListQuery(api, ['count', 'healthy'], healthy), enabled: sees.apps }),
    troubled: useQuery({ ...appListQuery(api, ['troubled'], troubled), enabled: sees.apps }),
    spaces: useQuery({ ...spaceListQuery(api, ['count'], firstOnly), enabled: sees.spaces }),
    clusters: useQuery({ ...clusterListQuery(api, ['home'], clusters), enabled: sees.clusters }),
    items: useQuery({ ...itemListQuery(api, ['count'], firstOnly), enabled: sees.catalog }),
    recent: useQuery({ ...actionListQuery(api, ['recent'], recent), enabled: sees.actions }),
    failedActions: useQuery({ ...actionListQuery(api, ['failed'], failed), enabled: sees.actions }),
  }
}

export type HomeData = ReturnType<typeof useHomeData>
