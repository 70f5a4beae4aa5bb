import type { Engine } from '../engine/engine.ts'
import type { ControllerRevision, DaemonSet, Node } from '../engine/kinds.ts'
import { keyOfController } from '../engine/owners.ts'
import type { Affinity, Pod, PodSpec, Toleration } from '../engine/pod-kinds.ts'
import { portion } from '../engine/portion.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { matchesNode, tolerates } from '../scheduling/node-fit.ts'
import { countPods, isActive, isFinished, isReady } from './pod-facts.ts'
import { createPod } from './replicas.ts'
import { currentRevision, isOfRevision, pruneRevisions, REVISION_HASH } from './revisions.ts'

const COMPONENT = 'daemonset-controller'

/** Daemons stay where others are turned away. */
const TOLERATED: Toleration[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
].map(([taint, effect]) => ({ key: `node.kubernetes.io/${taint}`, operator: 'Exists', effect }))

/** One pod on every node that takes it. */
export function daemonSetController(engine: Engine): Controller {
  const { store } = engine
  return {
    name: 'DaemonSet',
    watches: {
      'apps/daemonsets': itself,
      '/pods': ({ object }) => keyOfController(object, 'DaemonSet'),
      '/nodes': (event) =>
        event.type === 'MODIFIED' && !concerns(event.old as Node, event.object as Node)
          ? undefined
          : store.list('apps/daemonsets').map(keyOf),
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const set = store.get('apps/daemonsets', namespace, name)
      return set && sync(engine, set)
    },
  }
}

function concerns(before: Node, after: Node): boolean {
  return before.spec !== after.spec || before.metadata.labels !== after.metadata.labels
}

/** The node a daemon pod is meant for: named in its affinity before it is bound. */
function targetOf({ spec }: Pod): string | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const field = required?.nodeSelectorTerms?.flatMap(({ matchFields }) => matchFields ?? [])[0]
  return spec.nodeName ?? field?.values?.[0]
}

function pinned({ affinity, tolerations, hostNetwork }: PodSpec, node: string): Partial<PodSpec> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }]
  const given = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const nodeSelectorTerms = given?.map(({ matchExpressions }) => ({ matchExpressions, matchFields })) ?? [
    { matchFields },
  ]
  const merged: Affinity = {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  }
  const network: Toleration[] = hostNetwork
    ? [{ key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' }]
    : []
  return { affinity: merged, tolerations: [...(tolerations ?? []), ...TOLERATED, ...network] }
}

function shouldRun(spec: PodSpec, node: Node): { run: boolean; stay: boolean } {
  const tolerations = [...(spec.tolerations ?? []), ...TOLERATED]
  const repelling = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint))
  const fits = matchesNode(spec, node)
  return {
    run: fits && !repelling.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
    stay: fits && !repelling.some(({ effect }) => effect === 'NoExecute'),
  }
}

function sync(engine: Engine, set: DaemonSet): number | undefined {
  const { store } = engine
  const revision = currentRevision(engine, set)
  const nodes = store.list('/nodes')
  const byNode = new Map<string, Pod[]>()
  for (const pod of store.owned(set.metadata.uid, '/pods')) {
    const target = targetOf(pod) ?? ''
    byNode.set(target, [...(byNode.get(target) ?? []), pod])
  }
  let failed = false
  if (!set.metadata.deletionTimestamp) {
    for (const node of nodes)
      failed = !settleNode(engine, set, revision, node, byNode.get(node.metadata.name) ?? []) || failed
    roll(engine, set, revision, nodes)
  }
  const wait = writeStatus(engine, set, revision, nodes)
  return failed ? 5_000 : wait
}

function settleNode(engine: Engine, set: DaemonSet, revision: ControllerRevision, node: Node, pods: Pod[]): boolean {
  const { run, stay } = shouldRun(set.spec.template.spec, node)
  const active = pods.filter(isActive)
  const surplus = stay ? active.slice(1) : active
  const finished = pods.filter((pod) => isFinished(pod) && !pod.metadata.deletionTimestamp)
  for (const pod of [...surplus, ...finished]) remove(engine, set, pod)
  if (!run || pods.length > 0) return true
  const failure = createPod(engine, set, set.spec.template, COMPONENT, {
    labels: {
      [REVISION_HASH]: revision.metadata.labels?.[REVISION_HASH] ?? '',
      'pod-template-generation':
        set.metadata.annotations?.['deprecated.daemonset.template.generation'] ?? String(set.metadata.generation ?? 1),
    },
    spec: pinned(set.spec.template.spec, node.metadata.name),
  })
  return failure === undefined
}

function remove({ store, events }: Engine, set: DaemonSet, pod: Pod) {
  store.delete('/pods', pod)
  events.emit(set, { component: COMPONENT }, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
}

/** Replaces pods of older templates, no more at a time than may be unavailable. */
function roll(engine: Engine, set: DaemonSet, revision: ControllerRevision, nodes: Node[]) {
  if (set.spec.updateStrategy?.type === 'OnDelete') return
  const pods = engine.store.owned(set.metadata.uid, '/pods')
  const wanted = nodes.filter((node) => shouldRun(set.spec.template.spec, node).run).length
  const rolling = set.spec.updateStrategy?.rollingUpdate
  const allowed = Math.max(portion(rolling?.maxUnavailable, wanted, 1, true), 1)
  const serving = pods.filter((pod) => isActive(pod) && isReady(pod)).length
  let room = allowed - Math.max(wanted - serving, 0)
  for (const pod of pods.filter((one) => isActive(one) && !isOfRevision(one, revision))) {
    // A pod that does not serve anyway costs nothing.
    if (isReady(pod) && room-- <= 0) continue
    remove(engine, set, pod)
  }
}

function writeStatus(engine: Engine, set: DaemonSet, revision: ControllerRevision, nodes: Node[]) {
  const { store, clock } = engine
  const pods = store.owned(set.metadata.uid, '/pods').filter(isActive)
  const wanted = new Set(
    nodes.filter((node) => shouldRun(set.spec.template.spec, node).run).map(({ metadata }) => metadata.name),
  )
  const placed = pods.filter((pod) => wanted.has(targetOf(pod) ?? ''))
  const counts = countPods(placed, set.spec.minReadySeconds, clock.now())
  store.setStatus('apps/daemonsets', set, {
    observedGeneration: set.metadata.generation,
    currentNumberScheduled: new Set(placed.map(targetOf)).size,
    numberMisscheduled: pods.length - placed.length,
    desiredNumberScheduled: wanted.size,
    numberReady: counts.ready,
    updatedNumberScheduled: placed.filter((pod) => isOfRevision(pod, revision)).length || undefined,
    numberAvailable: counts.available || undefined,
    numberUnavailable: wanted.size - counts.available || undefined,
    conditions: set.status?.conditions,
  })
  pruneRevisions(engine, set, pods, [revision])
  return counts.nextAvailableIn
}
