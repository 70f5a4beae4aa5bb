import type { KubeObject } from '../../object-store.ts'
import { controllerOf, resourceOfKind } from '../engine/owners.ts'
import type { TypedStore } from '../engine/typed-store.ts'

/** Asks for a fault; on a pod, its template, any of its controllers, or (node-down) a node. */
export const FAULT_ANNOTATION = 'sandbox.quayside.io/fault'

const FAULTS = ['image-pull-failure', 'crash-loop', 'never-ready', 'failing-job', 'slow-start', 'node-down'] as const
export type Fault = (typeof FAULTS)[number]

function ownFault(object: KubeObject): Fault | undefined {
  const asked = object.metadata.annotations?.[FAULT_ANNOTATION]
  return FAULTS.find((fault) => fault === asked)
}

/** The fault a pod has to act out: its own, else that of the nearest controller above it. */
export function faultOf(store: TypedStore, pod: KubeObject): Fault | undefined {
  let object: KubeObject | undefined = pod
  for (let height = 0; object && height < 4; height++) {
    const fault = ownFault(object)
    if (fault) return fault
    const owner = controllerOf(object)
    const found = owner && resourceOfKind(store, owner.apiVersion, owner.kind)
    object = owner && found && store.get(found.resource, object.metadata.namespace, owner.name)
  }
  return undefined
}

export function isNodeDown(node: KubeObject): boolean {
  return ownFault(node) === 'node-down'
}

/** Images that no registry has: by the word `unpullable` in the name or the tag `does-not-exist`. */
export function isUnpullable(image: string): boolean {
  return image.includes('unpullable') || image.endsWith(':does-not-exist')
}
