import { conditionOf, withCondition } from '../engine/conditions.ts'
import { type Engine, millis, timestamp } from '../engine/engine.ts'
import type { Node, Taint } from '../engine/kinds.ts'
import type { Condition, Pod } from '../engine/pod-kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'
import { isNodeDown } from '../kubelet/faults.ts'
import { isFinished } from '../workloads/pod-facts.ts'

const SOURCE = { component: 'node-controller' }
const UNREACHABLE = 'node.kubernetes.io/unreachable'
/** Often enough that a node looks alive, rarely enough that a thousand of them cost nothing. */
const HEARTBEAT_MS = 300_000
/** Kubernetes waits as long as a pod tolerates, five minutes as a rule; here nobody waits longer than this. */
const LONGEST_TOLERATION_MS = 5_000

const KUBELET_CONDITIONS: Condition[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
].map(([type = '', status = '', reason, message]) => ({ type, status, reason, message }))

/** A node that is not there may just be late: its pods are kept so long. */
const QUARANTINE = 40_000

/** Nodes report, fall silent when they are down, and lose their pods then. */
export function nodeController(engine: Engine): Controller {
  const { store } = engine
  const missing = new Map<string, number>()
  return {
    name: 'Node',
    watches: {
      '/nodes': itself,
      '/pods': ({ type, object }) => {
        const { nodeName } = (object as Pod).spec
        if (type !== 'ADDED' || !nodeName || store.get('/nodes', undefined, nodeName)) return undefined
        return [`/${nodeName}`]
      },
    },
    reconcile(key) {
      const { name } = parseKey(key)
      const node = store.get('/nodes', undefined, name)
      if (!node) {
        const since = missing.get(name) ?? engine.clock.now()
        missing.set(name, since)
        const left = since + QUARANTINE - engine.clock.now()
        if (left > 0) return left
        missing.delete(name)
        return removeOrphans(engine, name)
      }
      missing.delete(name)
      if (node.metadata.deletionTimestamp) return undefined
      if (isNodeDown(node)) return silent(engine, node)
      const wait = alive(engine, node)
      const evicting = evict(
        engine,
        node,
        (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute'),
      )
      return Math.min(wait, evicting ?? Infinity)
    },
  }
}

/** Pods of a node that is gone are gone with it. */
function removeOrphans({ store }: Engine, name: string): undefined {
  const lease = store.get('coordination.k8s.io/leases', 'kube-node-lease', name)
  if (lease) store.delete('coordination.k8s.io/leases', lease)
  for (const pod of store.list('/pods')) {
    if (pod.spec.nodeName !== name) continue
    store.delete('/pods', pod, { gracePeriodSeconds: 0 })
    store.remove('/pods', pod)
  }
}

function withoutTaints(node: Node): Taint[] {
  return (node.spec?.taints ?? []).filter(({ key }) => key !== UNREACHABLE && key !== 'node.kubernetes.io/not-ready')
}

function alive({ store, clock, events }: Engine, node: Node): number {
  const nowMs = clock.now()
  const ready = conditionOf(node.status?.conditions, 'Ready') as
    | (Condition & { lastHeartbeatTime?: string })
    | undefined
  const left = millis(ready?.lastHeartbeatTime) + HEARTBEAT_MS - nowMs
  if (withoutTaints(node).length !== (node.spec?.taints ?? []).length) {
    store.update('/nodes', node, (own) => ({ ...own, spec: { ...own.spec, taints: withoutTaints(node) } }))
  }
  if (ready?.status === 'True' && left > 0) return left
  const now = timestamp(nowMs)
  const conditions = KUBELET_CONDITIONS.reduce(
    (list, condition) => withCondition(list, { ...condition, ...{ lastHeartbeatTime: now } }, now),
    node.status?.conditions,
  )
  store.setStatus('/nodes', node, { ...node.status, conditions })
  if (ready?.status !== 'True') {
    events.emit(node, SOURCE, 'Normal', 'NodeReady', `Node ${node.metadata.name} status is now: NodeReady`)
  }
  renewLease({ store, clock, events }, node.metadata.name)
  return HEARTBEAT_MS
}

function renewLease({ store, clock }: Engine, name: string) {
  const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z')
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  const metadata = { name, namespace: 'kube-node-lease' }
  const lease = store.get('coordination.k8s.io/leases', metadata.namespace, name)
  if (lease) store.update('coordination.k8s.io/leases', lease, (own) => ({ ...own, spec }))
  else if (store.get('/namespaces', undefined, metadata.namespace)) {
    store.create('coordination.k8s.io/leases', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec })
  }
}

function silent(engine: Engine, node: Node): number | undefined {
  const { store, clock, events } = engine
  const now = timestamp(clock.now())
  if (conditionOf(node.status?.conditions, 'Ready')?.status !== 'Unknown') {
    const conditions = KUBELET_CONDITIONS.reduce(
      (list, { type }) =>
        withCondition(
          list,
          { type, status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
          now,
        ),
      node.status?.conditions,
    )
    store.setStatus('/nodes', node, { ...node.status, conditions })
    events.emit(node, SOURCE, 'Normal', 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`)
    unready(engine, node, now)
  }
  const tainted = (node.spec?.taints ?? []).find(({ key, effect }) => key === UNREACHABLE && effect === 'NoExecute')
  if (!tainted) {
    const taints = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: UNREACHABLE, effect, timeAdded: now }))
    store.update('/nodes', node, (own) => ({
      ...own,
      spec: { ...own.spec, taints: [...withoutTaints(own), ...taints] },
    }))
    return undefined
  }
  return evict(engine, node, [tainted])
}

/** Nobody can tell whether pods on a silent node still serve. */
function unready({ store, events }: Engine, node: Node, now: string) {
  for (const pod of store.list('/pods')) {
    if (pod.spec.nodeName !== node.metadata.name || isFinished(pod)) continue
    const ready = { type: 'Ready', status: 'False', reason: 'NodeNotReady' }
    store.setStatus('/pods', pod, { ...pod.status, conditions: withCondition(pod.status?.conditions, ready, now) })
    events.emit(pod, SOURCE, 'Warning', 'NodeNotReady', 'Node is not ready')
  }
}

/** Deletes the pods that do not tolerate a NoExecute taint, or not any longer. */
function evict({ store, clock, events }: Engine, node: Node, taints: Taint[]): number | undefined {
  let next: number | undefined
  if (taints.length === 0) return undefined
  for (const pod of store.list('/pods')) {
    if (pod.spec.nodeName !== node.metadata.name || pod.metadata.deletionTimestamp || isFinished(pod)) continue
    for (const taint of taints) {
      const left = toleratedFor(pod, taint, clock.now())
      if (left === Infinity) continue
      if (left > 0) next = Math.min(next ?? Infinity, left)
      else {
        events.emit(
          pod,
          { component: 'taint-eviction-controller' },
          'Normal',
          'TaintManagerEviction',
          `Marking for deletion Pod ${pod.metadata.namespace}/${pod.metadata.name}`,
        )
        store.delete('/pods', pod)
        break
      }
    }
  }
  return next
}

function toleratedFor({ spec }: Pod, taint: Taint, nowMs: number): number {
  const matching = (spec.tolerations ?? []).filter(
    ({ key, effect, operator, value }) =>
      (!key || key === taint.key) &&
      (!effect || effect === taint.effect) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  )
  if (matching.length === 0) return 0
  const seconds = matching.map(({ tolerationSeconds }) => tolerationSeconds).filter((one) => typeof one === 'number')
  if (seconds.length === 0) return Infinity
  const allowed = Math.min(Math.min(...seconds) * 1000, LONGEST_TOLERATION_MS)
  return millis(taint.timeAdded, nowMs) + allowed - nowMs
}
