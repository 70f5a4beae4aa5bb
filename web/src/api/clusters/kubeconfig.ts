import { kubeconfigs } from '@quayside/contract/clusters/kubeconfigs'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { useCan } from '../permissions/my-scopes.ts'

/** Loads a kubeconfig of the person for the clusters of some spaces; undefined when the person may not have one. */
export function useKubeconfig(): ((spaces: readonly Space[]) => Promise<string>) | undefined {
  const { api } = usePortal()
  const can = useCan()
  if (!can('space.kubeconfig')) return undefined
  return async (spaces) => {
    const seen = spaces.filter(({ id }) => can('space.kubeconfig', id))
    const places = seen.flatMap(({ id, clusters }) => clusters.map((one) => ({ spaceId: id, clusterId: one.id })))
    if (places.length === 0) throw new Error('No space has a cluster yet.')
    return (await call(api, kubeconfigs.create, { body: { places } })).kubeconfig
  }
}
