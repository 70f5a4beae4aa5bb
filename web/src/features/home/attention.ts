import type { App } from '@quayside/contract/apps/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'

/** One thing that somebody should look at. */
export interface Attention {
  key: string
  state: string
  name: string
  reason: string
  kind: 'app' | 'cluster' | 'action'
  id: string
}

/** How long a failed action keeps asking for attention. */
const recentMs = 24 * 60 * 60 * 1000

/** Failed and degraded apps, unhealthy clusters, then actions that failed lately on apps not named already. */
export function attentionFrom(
  apps: readonly App[],
  clusters: readonly Cluster[],
  failed: readonly Action[],
  now: number,
): Attention[] {
  const named = new Set(apps.map(({ id }) => id))
  const rank = (state: string) => (state === 'failed' || state === 'unreachable' ? 0 : 1)
  const things: Attention[] = [
    ...apps.map((app) => ({
      key: `app ${app.id}`,
      kind: 'app' as const,
      id: app.id,
      state: app.state,
      name: app.displayName,
      reason: app.stateMessage ?? `in ${app.spaceName} on ${app.clusterName}`,
    })),
    ...clusters
      .filter(({ health }) => health === 'degraded' || health === 'unreachable')
      .map((cluster) => ({
        key: `cluster ${cluster.id}`,
        kind: 'cluster' as const,
        id: cluster.id,
        state: cluster.health,
        name: cluster.displayName,
        reason: cluster.healthMessage ?? '',
      })),
  ]
  const actions = failed
    .filter((action) => now - Date.parse(action.finishedAt ?? action.acceptedAt) < recentMs)
    .filter((action) => action.appId === null || !named.has(action.appId))
    .map((action) => ({
      key: `action ${action.id}`,
      kind: 'action' as const,
      id: action.id,
      state: 'failed',
      name: `${action.kind} ${action.appName}`,
      reason: action.result?.summary ?? '',
    }))
  return [...things.toSorted((one, two) => rank(one.state) - rank(two.state)), ...actions]
}
