import { type PlaceName, useClusterNames, useSpaceNames } from '../../../lib/use-place-names.ts'

const choices = (all: readonly PlaceName[] | undefined) =>
  (all ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))

/** Spaces and clusters to narrow the ledger to; undefined for who may not read them. */
export function usePlaces() {
  const [spaces, clusters] = [useSpaceNames(), useClusterNames()]
  return { spaces: spaces.isEnabled ? choices(spaces.data) : undefined, clusters: choices(clusters.data) }
}
