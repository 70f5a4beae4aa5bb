import type { Engine } from '../engine/engine.ts'
import type { Kinds } from '../engine/kinds.ts'
import { controllerOf, controllerReference, keyOfController } from '../engine/owners.ts'
import type { LabelSelector, Pod } from '../engine/pod-kinds.ts'
import { type Controller, itself, type KeysFor, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import { isActive } from './pod-facts.ts'
import { syncReplicas } from './replicas.ts'

type ReplicaResource = 'apps/replicasets' | '/replicationcontrollers'

interface Flavour<R extends ReplicaResource> {
  resource: R
  kind: string
  component: string
  selectorOf(object: Kinds[R]): LabelSelector | undefined
}

export function replicaSetController(engine: Engine): Controller {
  return replicaController(engine, {
    resource: 'apps/replicasets',
    kind: 'ReplicaSet',
    component: 'replicaset-controller',
    selectorOf: ({ spec }) => spec.selector,
  })
}

export function replicationController(engine: Engine): Controller {
  return replicaController(engine, {
    resource: '/replicationcontrollers',
    kind: 'ReplicationController',
    component: 'replication-controller',
    selectorOf: ({ spec }) => ({ matchLabels: spec.selector ?? spec.template.metadata?.labels }),
  })
}

function replicaController<R extends ReplicaResource>(engine: Engine, flavour: Flavour<R>): Controller {
  const { resource, kind, component, selectorOf } = flavour
  const list = (namespace: string | undefined) => engine.store.list(resource, namespace) as Kinds[R][]

  /** A pod nobody controls goes to the first set whose selector it matches. */
  function adopt(pod: Pod): string[] {
    if (!isActive(pod) || !pod.metadata.labels) return []
    const taker = list(pod.metadata.namespace).find((set) => selects(selectorOf(set), pod.metadata.labels))
    if (!taker || taker.metadata.deletionTimestamp) return []
    setImmediate(() => claim(engine, pod, taker))
    return []
  }

  const ofPod: KeysFor = (event) => {
    const pod = event.object as Pod
    if (controllerOf(pod)) return keyOfController(pod, kind)
    const before = event.type === 'MODIFIED' ? keyOfController(event.old, kind) : []
    return event.type === 'DELETED' ? before : [...before, ...adopt(pod)]
  }

  return {
    name: kind,
    watches: { [resource]: itself, '/pods': ofPod },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const set = engine.store.get(resource, namespace, name) as Kinds[R] | undefined
      if (!set) return undefined
      release(engine, set, selectorOf(set))
      return syncReplicas(engine, resource, set, component)
    },
  }
}

function claim(engine: Engine, pod: Pod, taker: Kinds[ReplicaResource]) {
  const present = engine.store.get('/pods', pod.metadata.namespace, pod.metadata.name)
  if (!present || controllerOf(present) || keyOf(present) !== keyOf(pod)) return
  engine.store.update('/pods', present, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      ownerReferences: [...(current.metadata.ownerReferences ?? []), controllerReference(taker)],
    },
  }))
}

/** Pods whose labels no longer match are let go: they live on, uncontrolled. */
function release(engine: Engine, set: Kinds[ReplicaResource], selector: LabelSelector | undefined) {
  for (const pod of engine.store.owned(set.metadata.uid, '/pods')) {
    if (pod.metadata.deletionTimestamp || selects(selector, pod.metadata.labels)) continue
    engine.store.update('/pods', pod, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        ownerReferences: current.metadata.ownerReferences?.filter(({ uid }) => uid !== set.metadata.uid),
      },
    }))
  }
}
