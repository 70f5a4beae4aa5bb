import { useClusterNames } from '../../../api/clusters/clusters.ts'
import { useSpaceNames } from '../../../api/spaces.ts'

interface PlaceName {
  id: string
  displayName: string
}

const choices = (all: readonly PlaceName[] | undefined) =>
  (all ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))

/** Spaces and clusters to narrow the ledger to; undefined for who may not read them. */
export function usePlaces() {
  const [spaces, clusters] = [useSpaceNames(), useClusterNames()]
  return { spaces: spaces.isEnabled ? choices(spaces.data) : undefined, clusters: choices(clusters.data) }
}
