import { kubeconfigs } from '@quayside/contract/clusters/kubeconfigs'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { usePortal } from '../../lib/portal.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { call } from '../client.ts'
import { inSpace, useGuard, useMay } from '../permissions/my-scopes.ts'

interface Kubeconfig {
  right: Right
  /** Makes one for the clusters of those of the spaces in which the person may have it. */
  load(spaces: readonly Space[]): Promise<string>
}

/** A kubeconfig of the person for a space; without one, for all of theirs. */
export function useKubeconfig(space?: Space): Kubeconfig {
  const { api } = usePortal()
  const may = useMay()
  const purpose = space === undefined ? 'download a kubeconfig' : `download a kubeconfig for ${space.displayName}`
  const right = useGuard()('space.kubeconfig', purpose, space && inSpace(space.id))
  const load = async (spaces: readonly Space[]) => {
    const seen = spaces.filter(({ id }) => may('space.kubeconfig', id) === true)
    const places = seen.flatMap(({ id, clusters }) => clusters.map((one) => ({ spaceId: id, clusterId: one.id })))
    if (places.length === 0) throw new Error('No space has a cluster yet.')
    return (await call(api, kubeconfigs.create, { body: { places } })).kubeconfig
  }
  return { right, load }
}
