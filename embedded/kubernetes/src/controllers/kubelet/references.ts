import type { DataObject } from '../engine/kinds.ts'
import type { Container, Pod, Volume } from '../engine/pod-kinds.ts'
import type { TypedStore } from '../engine/typed-store.ts'

type Kind = 'configmap' | 'secret'

function find(store: TypedStore, kind: Kind, namespace: string | undefined, name: string): DataObject | undefined {
  return kind === 'secret' ? store.get('/secrets', namespace, name) : store.get('/configmaps', namespace, name)
}

function hasKey(object: DataObject, key: string): boolean {
  const { binaryData } = object as { binaryData?: Record<string, string> }
  return object.data?.[key] !== undefined || binaryData?.[key] !== undefined
}

interface Source {
  kind: Kind
  name: string
  optional: boolean
  keys: string[]
}

function sourcesOf(volume: Volume): Source[] {
  const { configMap, secret, projected } = volume
  const parts = [{ configMap, secret }, ...(projected?.sources ?? [])]
  return parts.flatMap((part) =>
    (['configMap', 'secret'] as const).flatMap((field): Source[] => {
      const source = part[field]
      const name = source?.secretName ?? source?.name
      if (!source || !name) return []
      const keys = (source.items ?? []).map(({ key }) => key)
      return [{ kind: field === 'secret' ? 'secret' : 'configmap', name, optional: source.optional === true, keys }]
    }),
  )
}

/** Why a volume cannot be mounted yet, as the kubelet says it. */
export function mountProblem(store: TypedStore, { metadata, spec }: Pod): string | undefined {
  for (const volume of spec.volumes ?? []) {
    for (const { kind, name, optional, keys } of sourcesOf(volume)) {
      const found = find(store, kind, metadata.namespace, name)
      const prefix = `MountVolume.SetUp failed for volume "${volume.name}" : `
      if (!found && !optional) return `${prefix}${kind} "${name}" not found`
      const absent = found && !optional && keys.find((key) => !hasKey(found, key))
      if (absent) return `${prefix}references non-existent ${kind === 'secret' ? 'secret' : 'config'} key: ${absent}`
    }
    const claimName = claimOf(metadata.name, volume)
    const claim = claimName && store.get('/persistentvolumeclaims', metadata.namespace, claimName)
    if (claimName && !claim) return `persistentvolumeclaim "${claimName}" not found`
    if (claim && claim.status?.phase !== 'Bound') return `PVC is not bound: ${claimName}`
  }
  return undefined
}

/** The claim behind a volume; ephemeral volumes have one named after pod and volume. */
export function claimOf(podName: string, volume: Volume): string | undefined {
  return volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral && `${podName}-${volume.name}`)
}

/** Why a container's environment cannot be made yet. */
export function environmentProblem(store: TypedStore, pod: Pod, container: Container): string | undefined {
  const { namespace } = pod.metadata
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    for (const [kind, reference] of [
      ['configmap', configMapRef],
      ['secret', secretRef],
    ] as const) {
      if (reference && !reference.optional && !find(store, kind, namespace, reference.name)) {
        return `${kind} "${reference.name}" not found`
      }
    }
  }
  for (const { valueFrom } of container.env ?? []) {
    for (const [kind, reference] of [
      ['configmap', valueFrom?.configMapKeyRef],
      ['secret', valueFrom?.secretKeyRef],
    ] as const) {
      if (!reference?.name || reference.optional) continue
      const found = find(store, kind, namespace, reference.name)
      if (!found) return `${kind} "${reference.name}" not found`
      if (!hasKey(found, reference.key)) {
        return `couldn't find key ${reference.key} in ${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${namespace}/${reference.name}`
      }
    }
  }
  return undefined
}

/** Pull secrets that are named but not there: the kubelet warns and tries without. */
export function missingPullSecrets(store: TypedStore, { metadata, spec }: Pod): string[] {
  return (spec.imagePullSecrets ?? [])
    .map(({ name }) => name)
    .filter((name) => name && !store.get('/secrets', metadata.namespace, name))
}
