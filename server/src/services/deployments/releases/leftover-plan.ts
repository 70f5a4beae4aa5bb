import type { LeftoverChoice } from '@quayside/contract/clusters/leftovers'
import type { KeptAccess, LeftObject } from '../ports.ts'

/** Decides for everything that Helm leaves behind whether a deletion removes or keeps it. */
export interface LeftoverPlan {
  remove: LeftObject[]
  keep: LeftObject[]
  keepAccess: KeptAccess
  /** Pins of the app in people's side bars stay there and say that it is gone. */
  keepPins?: boolean
}

interface May {
  /** Namespace of the app's space. */
  namespace: string
  /** Tells whether charts may reach outside of their space on this cluster. */
  clusterAllows: boolean
  managesClusters: boolean
}

type Fate = { plan: LeftoverPlan } | { stays: string; field: string } | { unknown: string; field: string }

export function idOf({ kind, name, namespace }: Pick<LeftObject, 'kind' | 'name' | 'namespace'>): string {
  return `${kind}/${namespace ?? ''}/${name}`
}

/** Why this one may not be removed by the one who asks. */
export function refusalOf({ namespace, refusal }: Pick<LeftObject, 'namespace' | 'refusal'>, may: May): string | null {
  if (namespace === may.namespace) return refusal
  if (!may.clusterAllows) return 'It lies outside of the space, and this cluster lets apps touch their own space only'
  if (!may.managesClusters) return 'It lies outside of the space: only who may edit clusters can remove it'
  return refusal
}

/** Leftovers that the portal itself keeps for an app, by their ids in a choice. */
const besideObjects: ReadonlySet<string> = new Set(['grants', 'redirect-uris', 'pins'])

/** Objects stay but for those of a release that is lost; access and pins go; unless a choice says otherwise. */
export function fateOf(objects: readonly LeftObject[], choices: readonly LeftoverChoice[], may: May): Fate {
  const wanted = new Map(choices.map(({ id, choice }) => [id, choice]))
  const known = new Map(objects.map((object) => [idOf(object), object]))
  for (const [index, { id, choice }] of choices.entries()) {
    const field = `leftovers.${index}.id`
    const object = known.get(id)
    if (besideObjects.has(id)) continue
    if (object === undefined) return { field, unknown: `${id} is not among what this app would leave.` }
    const refusal = refusalOf(object, may)
    if (choice === 'remove' && refusal !== null) return { field, stays: `${object.kind} ${object.name}: ${refusal}.` }
  }
  const isRemoved = (object: LeftObject) =>
    (wanted.get(idOf(object)) ?? (object.goes && refusalOf(object, may) === null ? 'remove' : 'keep')) === 'remove'
  return {
    plan: {
      remove: objects.filter(isRemoved),
      keep: objects.filter((object) => !isRemoved(object)),
      keepAccess: {
        grants: wanted.get('grants') === 'keep',
        redirectUris: wanted.get('redirect-uris') === 'keep',
      },
      keepPins: wanted.get('pins') === 'keep',
    },
  }
}
