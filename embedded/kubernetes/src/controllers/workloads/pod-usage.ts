import { quantityNumber } from '../../machinery/quantity.ts'
import type { KubeObject } from '../../object-store.ts'
import { drawn } from '../engine/names.ts'
import { controllerOf, resourceOfKind } from '../engine/owners.ts'
import type { Container, Pod } from '../engine/pod-kinds.ts'
import type { TypedStore } from '../engine/typed-store.ts'

/** On a pod, its template or a controller above it: how busy its pods are, in percent of the CPU they request. */
const LOAD_ANNOTATION = 'sandbox.quayside.io/cpu-load'

export interface Usage {
  /** Cores. */
  cpu: number
  /** Bytes. */
  memory: number
}

/** Present CPU and memory of a container: a slow wave around half of its requests, or around the load asked for. */
function containerUsage(pod: Pod, container: Container, nowMs: number, load: number | undefined): Usage {
  const { requests, limits } = container.resources ?? {}
  const seed = `${pod.metadata.uid} ${container.name}`
  const phase = drawn(seed, 0, 628) / 100
  const wave = Math.sin(nowMs / 300_000 + phase)
  const cpuBase = quantityNumber(requests?.cpu ?? limits?.cpu) || drawn(`cpu ${seed}`, 5, 60) / 1000
  const memoryBase = quantityNumber(requests?.memory ?? limits?.memory) || drawn(`memory ${seed}`, 16, 160) * 2 ** 20
  const busy = load === undefined ? 0.35 + 0.1 * wave : load / 100
  return { cpu: cpuBase * busy, memory: Math.round(memoryBase * (0.55 + 0.08 * Math.sin(nowMs / 900_000 + phase))) }
}

/** The load asked for a pod, by itself or by a controller above it. */
function loadOf(store: TypedStore, pod: Pod): number | undefined {
  let object: KubeObject | undefined = pod
  for (let height = 0; object && height < 4; height++) {
    const asked = Number(object.metadata.annotations?.[LOAD_ANNOTATION])
    if (Number.isFinite(asked)) return asked
    const owner = controllerOf(object)
    const found = owner && resourceOfKind(store, owner.apiVersion, owner.kind)
    object = owner && found && store.get(found.resource, object.metadata.namespace, owner.name)
  }
  return undefined
}

/** Use of the containers of a running pod, by name. */
export function podUsage(store: TypedStore, pod: Pod, nowMs: number): Map<string, Usage> {
  if (pod.status?.phase !== 'Running') return new Map()
  const load = loadOf(store, pod)
  return new Map(pod.spec.containers.map((container) => [container.name, containerUsage(pod, container, nowMs, load)]))
}
