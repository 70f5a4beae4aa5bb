import { withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Namespace } from '../engine/kinds.ts'
import { namespacedResources } from '../engine/owners.ts'
import { type Controller, parseKey } from '../engine/reconcile-loop.ts'

/** Gives each namespace what every namespace has, and empties those on their way out. */
export function namespaceController(engine: Engine, caCertificate: string): Controller {
  const { store } = engine
  return {
    name: 'Namespace',
    watches: {
      '*': ({ type, object }, resource) => {
        if (resource === '/namespaces') return [`/${object.metadata.name}`]
        const { namespace } = object.metadata
        if (!namespace || type === 'ADDED') return undefined
        const home = store.get('/namespaces', undefined, namespace)
        const restored = resource === '/serviceaccounts' || resource === '/configmaps'
        const concerned = home?.metadata.deletionTimestamp
          ? type === 'DELETED' || !object.metadata.finalizers
          : restored
        return concerned ? [`/${namespace}`] : undefined
      },
    },
    startWith: ['/namespaces'],
    reconcile(key) {
      const namespace = store.get('/namespaces', undefined, parseKey(key).name)
      if (!namespace) return
      if (namespace.metadata.deletionTimestamp) empty(engine, namespace)
      else furnish(engine, namespace, caCertificate)
    },
  }
}

function furnish({ store }: Engine, namespace: Namespace, caCertificate: string) {
  const { name } = namespace.metadata
  if (!namespace.spec?.finalizers) {
    store.update('/namespaces', namespace, (own) => ({ ...own, spec: { ...own.spec, finalizers: ['kubernetes'] } }))
  }
  if (namespace.status?.phase !== 'Active')
    store.setStatus('/namespaces', namespace, { ...namespace.status, phase: 'Active' })
  if (!store.get('/serviceaccounts', name, 'default')) {
    store.create('/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: name },
    })
  }
  const data = { 'ca.crt': caCertificate }
  const present = store.get('/configmaps', name, 'kube-root-ca.crt')
  if (!present) {
    const annotations = {
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    }
    const metadata = { name: 'kube-root-ca.crt', namespace: name, annotations }
    store.create('/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
  } else if (present.data?.['ca.crt'] !== caCertificate) {
    store.update('/configmaps', present, (own) => ({ ...own, data }))
  }
}

function empty({ store, clock }: Engine, namespace: Namespace) {
  const { name } = namespace.metadata
  const now = timestamp(clock.now())
  const left = new Map<string, number>()
  const finalizers = new Map<string, number>()
  for (const resource of namespacedResources(store)) {
    for (const object of store.list(resource, name)) {
      if (!object.metadata.deletionTimestamp) store.delete(resource, object, { propagationPolicy: 'Background' })
    }
    const remaining = store.list(resource, name)
    if (remaining.length > 0) left.set(resource.replace(/^(.*)\/(.*)$/, '$2.$1'), remaining.length)
    for (const { metadata } of remaining) {
      for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
    }
  }
  if (left.size === 0) {
    store.update('/namespaces', namespace, (own) => ({ ...own, spec: { ...own.spec, finalizers: [] } }))
    return
  }
  const content = [...left].map(([resource, count]) => `${resource} has ${count} resource instances`).join(', ')
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).join(', ')
  let conditions = withCondition(
    namespace.status?.conditions,
    {
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${content}`,
    },
    now,
  )
  conditions = withCondition(
    conditions,
    held
      ? {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${held}`,
        }
      : {
          type: 'NamespaceFinalizersRemaining',
          status: 'False',
          reason: 'ContentHasNoFinalizers',
          message: 'All content-preserving finalizers finished',
        },
    now,
  )
  store.setStatus('/namespaces', namespace, { ...namespace.status, phase: 'Terminating', conditions })
}
