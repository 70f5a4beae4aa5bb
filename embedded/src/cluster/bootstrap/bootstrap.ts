import type { Clock } from '../clock.ts'
import type { GroupResource } from '../object-store.ts'
import type { ClusterStore, Draft } from '../store/memory-store.ts'

export interface BootstrapParts {
  store: ClusterStore
  clock: Clock
  caPem: string
  address: string
}

export function bootstrap({ store }: BootstrapParts): () => void {
  const put = (resource: GroupResource, object: Draft) => {
    if (!store.get(resource, object.metadata.namespace, object.metadata.name ?? '')) store.create(resource, object)
  }
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    put('/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  return () => {}
}
