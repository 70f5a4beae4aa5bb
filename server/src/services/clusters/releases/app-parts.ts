import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import type { NamespaceView, WatchedKind } from '../workloads/namespace-view.ts'
import { type ObjectState, stateOf } from './state-of.ts'

/** One object of an app: of its release, or made by one that is. */
export interface Part {
  id: string
  parent: string | null
  kind: string
  name: string
  namespace: string | null
  /** Undefined when the release names it and the cluster does not have it, or does not tell. */
  object: KubeObject | undefined
  /** Made by a hook of the release. */
  hook: boolean
  state: ObjectState
}

/** An object named in the manifest of a release. */
export interface Named {
  kind: string
  name: string
  namespace?: string | undefined
}

interface PartsInput {
  namespace: string
  objects: readonly Named[]
  hooks: readonly Named[]
  view: NamespaceView
  /** Objects of kinds that the view does not hold. */
  others: ReadonlyMap<string, KubeObject | 'missing' | 'unknown'>
  now?: number
}

const held: readonly WatchedKind[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'ReplicaSet',
  'Pod',
  'PersistentVolumeClaim',
  'Service',
  'ServiceAccount',
  'Ingress',
]
const missing: ObjectState = { state: 'degraded', detail: 'Missing', message: 'It is not in the cluster' }
const unknown: ObjectState = { state: 'unknown', detail: 'Unknown', message: 'The cluster did not tell' }

export function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}|${namespace ?? ''}|${name}`
}

/**
 * The objects of an app, parents before children. The release's own manifest says what belongs to it, and owner
 * references what these made; labels alone are never believed, anybody can write them.
 */
export function partsOf(input: PartsInput): Part[] {
  const present = held.flatMap((kind) => input.view.of(kind))
  const byKey = new Map(
    present.map((object) => [keyOf(object.kind, object.metadata.namespace, object.metadata.name), object]),
  )
  const parts = rootsOf(input, byKey)
  const isKnown = new Set(parts.map(({ id }) => id))
  const children = childrenByOwner(present)
  for (const part of parts) {
    // The list grows while it is walked: children of children come after their parents.
    for (const child of [...(children.get(part.id) ?? []), ...claimsOf(part, byKey)]) {
      const id = idOf(child)
      if (isKnown.has(id)) continue
      isKnown.add(id)
      parts.push(partOf(child, part.id, part.hook, input.now))
    }
  }
  return withReasons(foldReplicaSets(parts))
}

function rootsOf(input: PartsInput, byKey: ReadonlyMap<string, KubeObject>): Part[] {
  const parts = new Map<string, Part>()
  const look = ({ kind, name, namespace }: Named) => {
    const key = keyOf(kind, namespace ?? input.namespace, name)
    return { key, found: byKey.get(key) ?? input.others.get(key) ?? 'missing' }
  }
  for (const named of input.objects) {
    const { key, found } = look(named)
    if (typeof found === 'object') parts.set(idOf(found), partOf(found, null, false, input.now))
    else {
      const { kind, name, namespace } = named
      const state = found === 'missing' ? missing : unknown
      parts.set(key, {
        id: key,
        parent: null,
        kind,
        name,
        namespace: namespace ?? input.namespace,
        object: undefined,
        hook: false,
        state,
      })
    }
  }
  for (const named of input.hooks) {
    const { found } = look(named)
    if (typeof found === 'object' && !parts.has(idOf(found)))
      parts.set(idOf(found), partOf(found, null, true, input.now))
  }
  return [...parts.values()]
}

function idOf(object: KubeObject): string {
  return object.metadata.uid ?? keyOf(object.kind, object.metadata.namespace, object.metadata.name)
}

function partOf(object: KubeObject, parent: string | null, hook: boolean, now?: number): Part {
  const { kind, metadata } = object
  const state = stateOf(object, now)
  return {
    id: idOf(object),
    parent,
    kind,
    name: metadata.name,
    namespace: metadata.namespace ?? null,
    object,
    hook,
    state,
  }
}

function childrenByOwner(objects: readonly KubeObject[]): Map<string, KubeObject[]> {
  const children = new Map<string, KubeObject[]>()
  for (const object of objects) {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const known = children.get(uid)
      if (known) known.push(object)
      else children.set(uid, [object])
    }
  }
  return children
}

/** Claims carry no owner: those of a stateful set go by their names, the others by the pods that mount them. */
function claimsOf(part: Part, byKey: ReadonlyMap<string, KubeObject>): KubeObject[] {
  const { object } = part
  if (object?.kind !== 'Pod') return []
  return listOf(fieldsOf(object.spec).volumes).flatMap((volume) => {
    const claim = textOf(fieldsOf(volume.persistentVolumeClaim).claimName)
    return (claim && byKey.get(keyOf('PersistentVolumeClaim', object.metadata.namespace, claim))) || []
  })
}

/** A deployment's replica sets are its own business: their pods stand below the deployment. */
function foldReplicaSets(parts: Part[]): Part[] {
  const folded = new Map(
    parts.filter(({ kind, parent }) => kind === 'ReplicaSet' && parent !== null).map(({ id, parent }) => [id, parent]),
  )
  return parts
    .filter(({ id }) => !folded.has(id))
    .map((part) =>
      part.parent && folded.has(part.parent) ? { ...part, parent: folded.get(part.parent) ?? null } : part,
    )
}

/** A workload that is not there yet because a pod is stuck says why. */
function withReasons(parts: Part[]): Part[] {
  const stuck = new Map<string, ObjectState>()
  for (const { parent, kind, state } of parts) {
    if (parent && kind === 'Pod' && (state.state === 'degraded' || state.state === 'failed') && !stuck.has(parent))
      stuck.set(parent, state)
  }
  return parts.map((part) => {
    const reason = stuck.get(part.id)
    if (!reason || part.state.state === 'healthy') return part
    const isOnItsWay = part.state.state === 'progressing'
    const state = isOnItsWay && part.kind !== 'Job' ? 'degraded' : part.state.state
    return { ...part, state: { ...part.state, state, message: reason.message ?? part.state.message } }
  })
}
