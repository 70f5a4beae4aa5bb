import type { KubeObject, StoreEvent } from '../../object-store.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Node } from '../engine/kinds.ts'
import { drawn } from '../engine/names.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { type Controller, type KeysFor, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { isFinished, isReady } from '../workloads/pod-facts.ts'
import { PodAddresses } from './addresses.ts'
import type { Chores } from './chores.ts'
import { FAULT_ANNOTATION, faultOf, isNodeDown } from './faults.ts'
import { podConditions, stepPod, stopped } from './pod-step.ts'
import { isDue, type Scene, say, type Timetable } from './scene.ts'

const workloads = [
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/jobs',
] as const

/** Runs the pods on nodes: images, containers, probes, restarts and termination. One kubelet serves all nodes. */
export function kubelet(engine: Engine, chores: Chores): Controller {
  const { store } = engine
  const timetables = new Map<string, Timetable>()
  const blocked = createBlockedPods()
  const images = createNodeImages()
  const addresses = new PodAddresses()

  const ofPod: KeysFor = (event) => {
    const pod = event.object as Pod
    addresses.follow(event)
    if (event.type === 'DELETED') {
      timetables.delete(pod.metadata.uid)
      blocked.remove(pod)
      return undefined
    }
    if (event.type === 'ADDED') images.remember(pod)
    if (event.type === 'MODIFIED' && !isReady(event.old as Pod) && isReady(pod)) helpWaiting(pod)
    return pod.spec.nodeName ? [keyOf(pod)] : undefined
  }

  const ofReference: KeysFor = ({ type, object }) =>
    type === 'DELETED' ? undefined : blocked.in(object.metadata.namespace)

  const ofFault: KeysFor = (event) => podsOfChangedFault(engine, event)

  /** A program that ended or came up may be the one whose Secrets others in its namespace wait for. */
  function helpWaiting(newcomer: Pod) {
    const keys = [...(blocked.in(newcomer.metadata.namespace) ?? [])]
    const waiting = keys.map(parseKey).map(({ namespace, name }) => store.get('/pods', namespace, name))
    chores.provideFor(
      waiting.filter((pod) => pod !== undefined),
      newcomer,
    )
  }

  function reconcile(key: string): number | undefined {
    const { namespace, name } = parseKey(key)
    const pod = store.get('/pods', namespace, name)
    const node = pod?.spec.nodeName ? store.get('/nodes', undefined, pod.spec.nodeName) : undefined
    if (!pod || !node || isNodeDown(node)) return undefined
    if (pod.metadata.deletionTimestamp) return terminate(store, look(pod, node), timetables)
    if (isFinished(pod)) return undefined
    const scene = look(pod, node)
    const status = stepPod(scene)
    store.setStatus('/pods', pod, status)
    if (scene.blocked) {
      blocked.add(pod)
      chores.provideFor([pod])
    } else blocked.remove(pod)
    if (scene.wake === undefined && !scene.blocked) timetables.delete(pod.metadata.uid)
    return scene.wake
  }

  function look(pod: Pod, node: Node): Scene {
    const { uid } = pod.metadata
    const timetable = timetables.get(uid) ?? new Map<string, number>()
    timetables.set(uid, timetable)
    const exited: Scene['exited'] = (container, exitCode) => {
      chores.afterExit(pod, container, exitCode)
      if (exitCode === 0) helpWaiting(pod)
    }
    const own = { images: images.of(node.metadata.name), timetable, exited, allocateIp: () => addresses.allocate() }
    return sceneOf(engine, pod, node, own)
  }

  return {
    name: 'kubelet',
    watches: {
      '/pods': ofPod,
      '/secrets': ofReference,
      '/configmaps': ofReference,
      '/persistentvolumeclaims': ofReference,
      '/nodes': (event) => podsOfChangedNode(engine, event),
      ...Object.fromEntries(workloads.map((resource) => [resource, ofFault])),
    },
    reconcile,
  }
}

/** Images that each node has pulled. */
function createNodeImages() {
  const images = new Map<string, Set<string>>()

  function of(node: string): Set<string> {
    const have = images.get(node) ?? new Set()
    images.set(node, have)
    return have
  }

  /** After a restart, what pods run tells which images nodes have. */
  function remember(pod: Pod) {
    if (!pod.spec.nodeName || !pod.status?.containerStatuses) return
    const have = of(pod.spec.nodeName)
    for (const { name, imageID } of [...pod.status.containerStatuses, ...(pod.status.initContainerStatuses ?? [])]) {
      const image = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((one) => one.name === name)?.image
      if (imageID && image) have.add(image)
    }
  }

  return { of, remember }
}

/** Pods that wait for something that they refer to, by their namespace. */
function createBlockedPods() {
  const blocked = new Map<string, Set<string>>()
  return {
    in: (namespace: string | undefined) => blocked.get(namespace ?? ''),
    add(pod: KubeObject) {
      const namespace = pod.metadata.namespace ?? ''
      blocked.set(namespace, (blocked.get(namespace) ?? new Set()).add(keyOf(pod)))
    },
    remove(pod: KubeObject) {
      const namespace = pod.metadata.namespace ?? ''
      const waiting = blocked.get(namespace)
      waiting?.delete(keyOf(pod))
      if (waiting?.size === 0) blocked.delete(namespace)
    },
  }
}

function sceneOf(
  engine: Engine,
  pod: Pod,
  node: Node,
  own: Pick<Scene, 'images' | 'timetable' | 'exited' | 'allocateIp'>,
): Scene {
  const now = engine.clock.now()
  return {
    ...{ engine, pod, node, now, ...own },
    source: { component: 'kubelet', host: node.metadata.name },
    fault: faultOf(engine.store, pod),
    stamp: timestamp(now),
    wake: undefined,
    blocked: false,
  }
}

function terminate(store: Engine['store'], scene: Scene, timetables: Map<string, Timetable>): number | undefined {
  if (!stopContainers(scene)) return scene.wake
  timetables.delete(scene.pod.metadata.uid)
  leaveNode(store, scene)
  return undefined
}

/** Tells whether the containers of a pod that is deleted have had the time to end. */
function stopContainers(scene: Scene): boolean {
  const { pod, timetable } = scene
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const running = statuses.filter(({ state }) => state.running)
  if (!timetable.has('kill')) {
    for (const { name } of running) {
      say(scene, 'Normal', 'Killing', `Stopping container ${name}`, `spec.containers{${name}}`)
    }
  }
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000
  const pause = Math.min(grace, drawn(pod.metadata.uid, 100, 500))
  return running.length === 0 || isDue(scene, 'kill', pause)
}

/** The last state of a pod that something still waits for, and its removal. */
function leaveNode(store: Engine['store'], { pod, stamp }: Scene): void {
  if (pod.metadata.finalizers?.length && pod.status && !isFinished(pod)) {
    const phase = pod.spec.restartPolicy === 'Never' ? 'Failed' : 'Succeeded'
    const status = { ...stopped(pod.status, stamp, 0), phase }
    store.setStatus('/pods', pod, { ...status, conditions: podConditions(pod, status, true, stamp) })
  }
  if (!pod.metadata.finalizers?.length || pod.metadata.deletionGracePeriodSeconds) store.remove('/pods', pod)
}

/** A node that comes back takes up what it had been running. */
function podsOfChangedNode({ store }: Engine, event: StoreEvent): string[] {
  if (event.type !== 'MODIFIED' || !isNodeDown(event.old) || isNodeDown(event.object)) return []
  return store
    .list('/pods')
    .filter(({ spec }) => spec.nodeName === event.object.metadata.name)
    .map(keyOf)
}

/** A fault set or lifted on a workload concerns the pods below it. */
function podsOfChangedFault({ store }: Engine, event: StoreEvent): string[] {
  if (event.type !== 'MODIFIED') return []
  const [before, after] = [event.old, event.object].map(({ metadata }) => metadata.annotations?.[FAULT_ANNOTATION])
  if (before === after) return []
  const below = (uid: string): string[] =>
    store
      .ownedBy(uid)
      .flatMap(({ resource, object }) => (resource === '/pods' ? [keyOf(object)] : below(object.metadata.uid)))
  return below(event.object.metadata.uid)
}
