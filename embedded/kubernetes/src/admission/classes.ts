import type { V1Ingress, V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { GroupResource, KubeObject, ObjectStore } from '../object-store.ts'

const DEFAULT_STORAGE = 'storageclass.kubernetes.io/is-default-class'
const DEFAULT_INGRESS = 'ingressclass.kubernetes.io/is-default-class'
const OLD_INGRESS_CLASS = 'kubernetes.io/ingress.class'
const OLD_STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class'

/** The class marked as the default; the newest when there are several. */
function defaultClass(store: ObjectStore, resource: GroupResource, mark: string): string | undefined {
  return store
    .list(resource)
    .filter(({ metadata }) => metadata.annotations?.[mark] === 'true')
    .sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))[0]?.metadata.name
}

export function chooseStorageClass(store: ObjectStore, draft: KubeObject): void {
  const { spec } = draft as unknown as V1PersistentVolumeClaim
  if (!spec || spec.storageClassName !== undefined || draft.metadata.annotations?.[OLD_STORAGE_CLASS]) return
  const name = defaultClass(store, 'storage.k8s.io/storageclasses', DEFAULT_STORAGE)
  if (name) spec.storageClassName = name
}

export function chooseIngressClass(store: ObjectStore, draft: KubeObject): void {
  const { spec } = draft as unknown as V1Ingress
  if (!spec || spec.ingressClassName !== undefined || draft.metadata.annotations?.[OLD_INGRESS_CLASS]) return
  const name = defaultClass(store, 'networking.k8s.io/ingressclasses', DEFAULT_INGRESS)
  if (name) spec.ingressClassName = name
}
