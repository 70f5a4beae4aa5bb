import { conditionOf, withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Node } from '../engine/kinds.ts'
import { controllerOf } from '../engine/owners.ts'
import type { NodeSelectorTerm, Pod, PodSpec } from '../engine/pod-kinds.ts'
import { quantity } from '../engine/quantities.ts'
import { type Controller, type KeysFor, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { claimOf } from '../kubelet/references.ts'
import { type Amounts, matchesNode, misfits, requestsOf, unschedulableMessage } from './node-fit.ts'
import { NodeLedger } from './node-ledger.ts'
import { podRules } from './pod-affinity.ts'

const SOURCE = { component: 'default-scheduler' }
/** In large clusters the first good nodes suffice; the search goes on where the last one stopped. */
const ENOUGH_CHOICE = 50

/** Annotation by which the scheduler tells the storage side where a claim's first consumer goes. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'

/** Finds a node for each pod, or says why there is none. */
export function scheduler(engine: Engine): Controller {
  const { store, clock, events } = engine
  const ledger = new NodeLedger()
  const waiting = new Set<string>()
  const nodes = new Map<string, Node>()
  let turn = 0

  const ofPod: KeysFor = (event) => {
    const pod = event.object as Pod
    const freed = ledger.follow(event)
    if (event.type === 'DELETED') waiting.delete(keyOf(pod))
    const keys = freed || event.type === 'ADDED' ? [...waiting] : []
    return isWaiting(pod) && event.type !== 'DELETED' ? [...keys, keyOf(pod)] : keys
  }

  const ofNode: KeysFor = ({ type, object }) => {
    if (type === 'DELETED') nodes.delete(object.metadata.name)
    else nodes.set(object.metadata.name, object as Node)
    return waiting
  }

  function reconcile(key: string): number | undefined {
    const { namespace, name } = parseKey(key)
    const pod = store.get('/pods', namespace, name)
    waiting.delete(key)
    if (!pod || !isWaiting(pod)) return undefined
    if (pod.spec.schedulingGates?.length) {
      hold(pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates')
      return undefined
    }
    const claims = claimsProblem(pod)
    const placed = claims ? [[claims]] : place(pod)
    if (!Array.isArray(placed)) {
      bind(pod, placed)
      return undefined
    }
    waiting.add(key)
    const message = claims ? claimsMessage(claims) : unschedulableMessage(nodes.size, placed)
    hold(pod, 'Unschedulable', nodes.size === 0 ? 'no nodes available to schedule pods' : message)
    return undefined
  }

  function claimsMessage(problem: string): string {
    const all = `0/${nodes.size} nodes are available`
    return `${all}: ${problem}. preemption: ${all}: ${nodes.size} Preemption is not helpful for scheduling.`
  }

  /** A node, or each node's reasons against it. */
  function place(pod: Pod): Node | string[][] {
    const requests = requestsOf(pod.spec)
    const rules = podRules(store, ledger, pod, nodes)
    const volumes = volumeRule(pod)
    const all = [...nodes.values()]
    const good: Node[] = []
    const reasons: string[][] = []
    for (let step = 0; step < all.length && good.length < ENOUGH_CHOICE; step++) {
      const node = all[(turn + step) % all.length]
      if (!node) continue
      const against = misfits(pod, requests, node, ledger.loadOf(node.metadata.name))
      const further = against.length > 0 ? [] : [volumes, ...rules].flatMap((rule) => rule(node) ?? []).slice(0, 1)
      if (against.length + further.length === 0) good.push(node)
      else reasons.push([...against, ...further])
    }
    turn = (turn + 1) % Math.max(all.length, 1)
    return best(pod, requests, good) ?? reasons
  }

  /** The least used node, and one with few siblings. */
  function best(pod: Pod, requests: Amounts, good: Node[]): Node | undefined {
    const owner = controllerOf(pod)
    const siblings = new Map<string, number>()
    for (const { spec } of owner ? store.owned(owner.uid, '/pods').slice(0, 500) : []) {
      if (spec.nodeName) siblings.set(spec.nodeName, (siblings.get(spec.nodeName) ?? 0) + 1)
    }
    const score = (node: Node) => {
      const { used, pods } = ledger.loadOf(node.metadata.name)
      const share = (what: string) =>
        ((used.get(what) ?? 0) + (requests.get(what) ?? 0)) / (quantity(node.status?.allocatable?.[what]) || 1)
      return share('cpu') + share('memory') + pods / 500 + (siblings.get(node.metadata.name) ?? 0)
    }
    let chosen: Node | undefined
    let lowest = Infinity
    for (const node of good) {
      const value = score(node)
      if (value < lowest) [chosen, lowest] = [node, value]
    }
    return chosen
  }

  /** Volumes that exist on some nodes only. */
  function volumeRule({ metadata, spec }: Pod): (node: Node) => string | undefined {
    const terms = (spec.volumes ?? []).flatMap((volume) => {
      const claimName = claimOf(metadata.name, volume)
      const claim = claimName && store.get('/persistentvolumeclaims', metadata.namespace, claimName)
      const volumeName = claim ? claim.spec.volumeName : undefined
      const bound = volumeName ? store.get('/persistentvolumes', undefined, volumeName) : undefined
      const affinity = bound?.spec.nodeAffinity as { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } } | undefined
      return affinity?.required ? [affinity.required] : []
    })
    return (node) =>
      terms.every((required) => matchesNode(requiring(required), node))
        ? undefined
        : "node(s) didn't match PersistentVolume's node affinity"
  }

  /** Reason why the pod's volume claims keep it from being scheduled; undefined when there is none. */
  function claimsProblem({ metadata, spec }: Pod): string | undefined {
    for (const volume of spec.volumes ?? []) {
      const name = claimOf(metadata.name, volume)
      if (!name) continue
      const claim = store.get('/persistentvolumeclaims', metadata.namespace, name)
      if (!claim) {
        return volume.ephemeral
          ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
          : `persistentvolumeclaim "${name}" not found`
      }
      if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`
      if (claim.status?.phase === 'Lost')
        return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`
      if (claim.status?.phase === 'Bound') continue
      const storageClass = store.get('storage.k8s.io/storageclasses', undefined, claim.spec.storageClassName ?? '')
      if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') {
        return 'pod has unbound immediate PersistentVolumeClaims'
      }
    }
    return undefined
  }

  /** Asks for the volumes that wait for a consumer; whether any are still to come. */
  function awaitsVolumes({ metadata, spec }: Pod, node: Node): boolean {
    let pending = false
    for (const volume of spec.volumes ?? []) {
      const name = claimOf(metadata.name, volume)
      const claim = name ? store.get('/persistentvolumeclaims', metadata.namespace, name) : undefined
      if (!claim || claim.status?.phase === 'Bound') continue
      pending = true
      if (claim.metadata.annotations?.[SELECTED_NODE] === node.metadata.name) continue
      store.update('/persistentvolumeclaims', claim, (own) => ({
        ...own,
        metadata: {
          ...own.metadata,
          annotations: { ...own.metadata.annotations, [SELECTED_NODE]: node.metadata.name },
        },
      }))
    }
    return pending
  }

  function bind(pod: Pod, node: Node) {
    if (awaitsVolumes(pod, node)) {
      waiting.add(keyOf(pod))
      return
    }
    const now = timestamp(clock.now())
    store.update('/pods', pod, (own) => ({
      ...own,
      spec: { ...own.spec, nodeName: node.metadata.name },
      status: {
        ...own.status,
        conditions: withCondition(
          own.status?.conditions,
          { type: 'PodScheduled', status: 'True', lastProbeTime: null },
          now,
        ),
      },
    }))
    const { namespace, name } = pod.metadata
    events.emit(
      pod,
      SOURCE,
      'Normal',
      'Scheduled',
      `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`,
    )
  }

  function hold(pod: Pod, reason: string, message: string) {
    const known = conditionOf(pod.status?.conditions, 'PodScheduled')
    if (known?.status === 'False' && known.message === message) return
    const condition = { type: 'PodScheduled', status: 'False', reason, message, lastProbeTime: null }
    const conditions = withCondition(pod.status?.conditions, condition, timestamp(clock.now()))
    store.setStatus('/pods', pod, { ...pod.status, phase: 'Pending', conditions })
    if (reason === 'Unschedulable') events.emit(pod, SOURCE, 'Warning', 'FailedScheduling', message)
  }

  return {
    name: 'scheduler',
    watches: {
      '/nodes': ofNode,
      '/pods': ofPod,
      '/persistentvolumeclaims': ({ object }) =>
        [...waiting].filter((key) => parseKey(key).namespace === object.metadata.namespace),
      'storage.k8s.io/storageclasses': () => waiting,
    },
    reconcile,
  }
}

function requiring(required: { nodeSelectorTerms?: NodeSelectorTerm[] }): PodSpec {
  return { containers: [], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }
}

function isWaiting({ metadata, spec }: Pod): boolean {
  const ours = (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler'
  return !spec.nodeName && !metadata.deletionTimestamp && ours
}
