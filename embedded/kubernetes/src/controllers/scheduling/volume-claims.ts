import type { Node } from '../engine/kinds.ts'
import type { NodeSelectorTerm, Pod, PodSpec } from '../engine/pod-kinds.ts'
import type { TypedStore } from '../engine/typed-store.ts'
import { claimOf } from '../kubelet/references.ts'
import { matchesNode } from './node-fit.ts'

/** Annotation by which the scheduler tells the storage side where a claim's first consumer goes. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'

/** Volumes that exist on some nodes only. */
export function volumeRule(store: TypedStore, { metadata, spec }: Pod): (node: Node) => string | undefined {
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
export function claimsProblem(store: TypedStore, { metadata, spec }: Pod): string | undefined {
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
export function awaitsVolumes(store: TypedStore, { metadata, spec }: Pod, node: Node): boolean {
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

function requiring(required: { nodeSelectorTerms?: NodeSelectorTerm[] }): PodSpec {
  return { containers: [], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }
}
