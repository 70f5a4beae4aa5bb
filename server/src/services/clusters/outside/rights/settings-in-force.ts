import type { Store } from '../../store.ts'
import { defaultIsolation, type IsolationStore } from './isolation-store.ts'
import { hasMore, loosens, type SpaceSettings } from './loosens.ts'
import { strictest } from './strictest.ts'

interface Deps {
  clusters: Pick<Store, 'same'>
  isolation: Pick<IsolationStore, 'one'>
}

interface SettingsInForce extends SpaceSettings {
  /** Other registrations of the cluster without which the settings would be looser. */
  stricter: { id: string; displayName: string }[]
}

/** The settings that isolate a space on a cluster, by whichever registrations it uses that. */
export async function settingsInForce(
  { clusters, isolation }: Deps,
  place: { tenantId: string; clusterId: string; spaceId: string },
): Promise<SettingsInForce> {
  const { tenantId, clusterId, spaceId } = place
  const found = await Promise.all(
    (await clusters.same(tenantId, clusterId)).map(async (row) => {
      const one = await isolation.one(tenantId, row.id, spaceId)
      const { pod_security: podSecurity, network, reaches } = one ?? defaultIsolation
      const settings: SpaceSettings = { podSecurity, network, reaches, ingressNamespaces: row.ingress_namespaces }
      return { row, isUsed: one !== undefined, settings }
    }),
  )
  const own = found.find(({ row }) => row.id === clusterId)?.settings ?? nothingKnown
  // A registration by which the space does not use the cluster says nothing about it.
  const others = found.filter(({ row, isUsed }) => row.id !== clusterId && isUsed)
  const isStricter = (other: SpaceSettings) => {
    const both = strictest(own, other)
    return loosens(both, own) || hasMore(both.ingressNamespaces, own.ingressNamespaces)
  }
  return {
    ...strictest(own, ...others.map(({ settings }) => settings)),
    stricter: others
      .filter(({ settings }) => isStricter(settings))
      .map(({ row }) => ({ id: row.id, displayName: row.display_name })),
  }
}

const nothingKnown: SpaceSettings = {
  podSecurity: defaultIsolation.pod_security,
  network: defaultIsolation.network,
  reaches: defaultIsolation.reaches,
  ingressNamespaces: [],
}
