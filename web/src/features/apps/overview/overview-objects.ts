import type { AppOverview } from '@quayside/contract/clusters/endpoints'

export type TreeObject = AppOverview['objects'][number]

const rootId = 'release'

/** The objects with their release at the root: what has no parent among them hangs below it. */
export function withRelease({ release, state, objects }: AppOverview): TreeObject[] {
  if (release === null || objects.length === 0 || objects.some(({ kind }) => kind === 'Release')) return objects
  const known = new Set(objects.map(({ id }) => id))
  const root: TreeObject = {
    id: rootId,
    parent: null,
    kind: 'Release',
    name: release.name,
    namespace: release.namespace,
    state,
    detail: `revision ${release.revision}`,
  }
  const below = objects.map((object) =>
    object.parent !== null && known.has(object.parent) ? object : { ...object, parent: rootId },
  )
  return [root, ...below]
}

const inTrouble = ({ state }: TreeObject) => state === 'degraded' || state === 'failed'

/** The objects that cause the trouble: a pod rather than the workload that is degraded because of it. */
export function troubledOf(objects: readonly TreeObject[]): TreeObject[] {
  const byId = new Map(objects.map((object) => [object.id, object]))
  const explained = new Set<string>()
  for (const object of objects.filter(inTrouble)) {
    let parent = object.parent
    while (parent !== null && !explained.has(parent)) {
      explained.add(parent)
      parent = byId.get(parent)?.parent ?? null
    }
  }
  return objects.filter((object) => inTrouble(object) && !explained.has(object.id))
}
