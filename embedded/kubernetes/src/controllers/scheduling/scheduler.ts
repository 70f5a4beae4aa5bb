import { quantityNumber } from '../../machinery/quantity.ts'
import { conditionOf, withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Node } from '../engine/kinds.ts'
import { controllerOf } from '../engine/owners.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { type Controller, type KeysFor, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import type { TypedStore } from '../engine/typed-store.ts'
import { type Amounts, misfits, requestsOf, unschedulableMessage } from './node-fit.ts'
import { NodeLedger } from './node-ledger.ts'
import { podRules } from './pod-affinity.ts'
import { awaitsVolumes, claimsProblem, volumeRule } from './volume-claims.ts'

const SOURCE = { component: 'default-scheduler' }
/** In large clusters the first good nodes suffice; the search goes on where the last one stopped. */
const ENOUGH_CHOICE = 50

/** Finds a node for each pod, or says why there is none. */
export function scheduler(engine: Engine): Controller {
  const { store } = engine
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
      hold(engine, pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates')
      return undefined
    }
    const claims = claimsProblem(store, pod)
    const placed = claims ? [[claims]] : place(pod)
    if (!Array.isArray(placed)) {
      if (awaitsVolumes(store, pod, placed)) waiting.add(key)
      else bind(engine, pod, placed)
      return undefined
    }
    waiting.add(key)
    const message = claims ? claimsMessage(claims, nodes.size) : unschedulableMessage(nodes.size, placed)
    hold(engine, pod, 'Unschedulable', nodes.size === 0 ? 'no nodes available to schedule pods' : message)
    return undefined
  }

  /** A node, or each node's reasons against it. */
  function place(pod: Pod): Node | string[][] {
    const requests = requestsOf(pod.spec)
    const rules = podRules(store, ledger, pod, nodes)
    const volumes = volumeRule(store, pod)
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
    return leastUsed(store, ledger, pod, requests, good) ?? reasons
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

function isWaiting({ metadata, spec }: Pod): boolean {
  const ours = (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler'
  return !spec.nodeName && !metadata.deletionTimestamp && ours
}

/** The least used node, and one with few siblings. */
function leastUsed(store: TypedStore, ledger: NodeLedger, pod: Pod, requests: Amounts, good: Node[]): Node | undefined {
  const owner = controllerOf(pod)
  const siblings = new Map<string, number>()
  for (const { spec } of owner ? store.owned(owner.uid, '/pods').slice(0, 500) : []) {
    if (spec.nodeName) siblings.set(spec.nodeName, (siblings.get(spec.nodeName) ?? 0) + 1)
  }
  const score = (node: Node) => {
    const { used, pods } = ledger.loadOf(node.metadata.name)
    const share = (what: string) =>
      ((used.get(what) ?? 0) + (requests.get(what) ?? 0)) / (quantityNumber(node.status?.allocatable?.[what]) || 1)
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

function bind({ store, clock, events }: Engine, pod: Pod, node: Node) {
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
  events.emit(pod, SOURCE, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`)
}

function hold({ store, clock, events }: Engine, pod: Pod, reason: string, message: string) {
  const known = conditionOf(pod.status?.conditions, 'PodScheduled')
  if (known?.status === 'False' && known.message === message) return
  const condition = { type: 'PodScheduled', status: 'False', reason, message, lastProbeTime: null }
  const conditions = withCondition(pod.status?.conditions, condition, timestamp(clock.now()))
  store.setStatus('/pods', pod, { ...pod.status, phase: 'Pending', conditions })
  if (reason === 'Unschedulable') events.emit(pod, SOURCE, 'Warning', 'FailedScheduling', message)
}

function claimsMessage(problem: string, nodes: number): string {
  const all = `0/${nodes} nodes are available`
  return `${all}: ${problem}. preemption: ${all}: ${nodes} Preemption is not helpful for scheduling.`
}
