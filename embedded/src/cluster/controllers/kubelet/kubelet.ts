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

/** Runs the pods on nodes: images, containers, probes, restarts and termination. One kubelet serves all nodes. */
export function kubelet(engine: Engine, chores: Chores): Controller {
  const { store, clock } = engine
  const timetables = new Map<string, Timetable>()
  const blocked = new Map<string, Set<string>>()
  const images = new Map<string, Set<string>>()
  const addresses = new PodAddresses()

  const ofPod: KeysFor = (event) => {
    const pod = event.object as Pod
    addresses.follow(event)
    if (event.type === 'DELETED') {
      timetables.delete(pod.metadata.uid)
      unblock(pod)
      return undefined
    }
    if (event.type === 'ADDED') remember(pod)
    return pod.spec.nodeName ? [keyOf(pod)] : undefined
  }

  /** After a restart, what pods run tells which images nodes have. */
  function remember(pod: Pod) {
    if (!pod.spec.nodeName || !pod.status?.containerStatuses) return
    const have = imagesOf(pod.spec.nodeName)
    for (const { name, imageID } of [...pod.status.containerStatuses, ...(pod.status.initContainerStatuses ?? [])]) {
      const image = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((one) => one.name === name)?.image
      if (imageID && image) have.add(image)
    }
  }

  function imagesOf(node: string): Set<string> {
    const have = images.get(node) ?? new Set()
    images.set(node, have)
    return have
  }

  function unblock(pod: KubeObject) {
    const namespace = pod.metadata.namespace ?? ''
    const waiting = blocked.get(namespace)
    waiting?.delete(keyOf(pod))
    if (waiting?.size === 0) blocked.delete(namespace)
  }

  const ofReference: KeysFor = ({ type, object }) =>
    type === 'DELETED' ? undefined : blocked.get(object.metadata.namespace ?? '')

  const followPod: KeysFor = (event, resource) => {
    const pod = event.object as Pod
    if (event.type === 'MODIFIED' && !isReady(event.old as Pod) && isReady(pod)) helpWaiting(pod)
    return ofPod(event, resource)
  }

  /** A program that ended or came up may be the one whose Secrets others in its namespace wait for. */
  function helpWaiting(newcomer: Pod) {
    const keys = [...(blocked.get(newcomer.metadata.namespace ?? '') ?? [])]
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
    if (pod.metadata.deletionTimestamp) return terminate(sceneOf(pod, node))
    if (isFinished(pod)) return undefined
    const scene = sceneOf(pod, node)
    const status = stepPod(scene)
    store.setStatus('/pods', pod, status)
    if (scene.blocked) {
      blocked.set(namespace ?? '', (blocked.get(namespace ?? '') ?? new Set()).add(key))
      chores.provideFor([pod])
    } else unblock(pod)
    if (scene.wake === undefined && !scene.blocked) timetables.delete(pod.metadata.uid)
    return scene.wake
  }

  function sceneOf(pod: Pod, node: Node): Scene {
    const now = clock.now()
    const timetable = timetables.get(pod.metadata.uid) ?? new Map<string, number>()
    timetables.set(pod.metadata.uid, timetable)
    return {
      engine,
      pod,
      node,
      source: { component: 'kubelet', host: node.metadata.name },
      fault: faultOf(store, pod),
      images: imagesOf(node.metadata.name),
      timetable,
      now,
      stamp: timestamp(now),
      wake: undefined,
      blocked: false,
      exited: (container, exitCode) => {
        chores.afterExit(pod, container, exitCode)
        if (exitCode === 0) helpWaiting(pod)
      },
      allocateIp: () => addresses.allocate(),
    }
  }

  function terminate(scene: Scene): number | undefined {
    const { pod, stamp, timetable } = scene
    const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
    const running = statuses.filter(({ state }) => state.running)
    if (!timetable.has('kill')) {
      for (const { name } of running) {
        say(scene, 'Normal', 'Killing', `Stopping container ${name}`, `spec.containers{${name}}`)
      }
    }
    const grace = (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000
    const pause = Math.min(grace, drawn(pod.metadata.uid, 100, 500))
    if (running.length > 0 && !isDue(scene, 'kill', pause)) return scene.wake
    timetables.delete(pod.metadata.uid)
    if (pod.metadata.finalizers?.length && pod.status && !isFinished(pod)) {
      const phase = pod.spec.restartPolicy === 'Never' ? 'Failed' : 'Succeeded'
      const status = { ...stopped(pod.status, stamp, 0), phase }
      store.setStatus('/pods', pod, { ...status, conditions: podConditions(pod, status, true, stamp) })
    }
    if (!pod.metadata.finalizers?.length || pod.metadata.deletionGracePeriodSeconds) store.remove('/pods', pod)
    return undefined
  }

  return {
    name: 'kubelet',
    watches: {
      '/pods': followPod,
      '/secrets': ofReference,
      '/configmaps': ofReference,
      '/persistentvolumeclaims': ofReference,
      '/nodes': (event) => podsOfChangedNode(engine, event),
      'apps/deployments': (event) => podsOfChangedFault(engine, event),
      'apps/replicasets': (event) => podsOfChangedFault(engine, event),
      'apps/statefulsets': (event) => podsOfChangedFault(engine, event),
      'apps/daemonsets': (event) => podsOfChangedFault(engine, event),
      'batch/jobs': (event) => podsOfChangedFault(engine, event),
    },
    reconcile,
  }
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
