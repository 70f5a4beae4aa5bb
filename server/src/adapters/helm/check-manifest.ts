import type { ManifestObject } from './manifest.ts'

export interface ManifestPolicy {
  namespace: string
  /** Whether the cluster lets charts make objects that belong to no namespace. */
  clusterScopedAllowed: boolean
  /** What discovery said: `apiVersion/kind` → whether it lives in a namespace. */
  resourceScopes: ReadonlyMap<string, boolean>
}

export interface ManifestViolation {
  kind: string
  name: string
  namespace: string | null
  source?: string
  /** Where in the object it is said. */
  path?: string
  rule: 'namespace' | 'cluster-scoped' | 'unreadable'
  message: string
}

/** Kinds that belong to no namespace on every cluster, whatever its discovery says or fails to say. */
const clusterScoped = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'StorageClass',
  'VolumeAttachment',
  'CSIDriver',
  'CSINode',
  'PriorityClass',
  'RuntimeClass',
  'IngressClass',
  'GatewayClass',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'CertificateSigningRequest',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'ComponentStatus',
])

/**
 * What of a rendered manifest reaches outside of its space. A filter that speaks early and clearly, not the wall:
 * that is the space's own identity in the cluster.
 */
export function checkManifest(objects: readonly ManifestObject[], policy: ManifestPolicy): ManifestViolation[] {
  const own = scopesOfDefinitions(objects)
  return objects.flatMap((object): ManifestViolation[] => {
    const { kind, name, source, namespace = null } = object
    const place = { kind, name, namespace, ...(source ? { source } : {}) }
    if (object.unreadable && !policy.clusterScopedAllowed) {
      const message = `${object.kind} ${object.name} is written in a way that cannot be checked, and this cluster allows only objects of the space.`
      return [{ ...place, rule: 'unreadable', message }]
    }
    if (isClusterScoped(object, policy.resourceScopes, own)) {
      if (policy.clusterScopedAllowed) return []
      const message = `${object.kind} ${object.name} belongs to the whole cluster, and this cluster allows only objects of the space.`
      return [{ ...place, namespace: null, rule: 'cluster-scoped', message }]
    }
    if (object.namespace === undefined || object.namespace === policy.namespace || policy.clusterScopedAllowed)
      return []
    const message = `${object.kind} ${object.name} wants the namespace ${object.namespace}; this space has ${policy.namespace}.`
    return [{ ...place, rule: 'namespace', path: 'metadata.namespace', message }]
  })
}

function isClusterScoped(
  object: ManifestObject,
  discovered: ReadonlyMap<string, boolean>,
  own: ReadonlyMap<string, boolean>,
): boolean {
  const isNamespaced = discovered.get(`${object.apiVersion}/${object.kind}`)
  if (isNamespaced !== undefined) return !isNamespaced
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : ''
  const defined = own.get(`${group}/${object.kind}`)
  return defined === undefined ? clusterScoped.has(object.kind) : !defined
}

/** Kinds that the chart itself defines: discovery does not know them yet. */
function scopesOfDefinitions(objects: readonly ManifestObject[]): Map<string, boolean> {
  const scopes = new Map<string, boolean>()
  for (const { kind, body } of objects) {
    if (kind !== 'CustomResourceDefinition') continue
    const spec = body.spec as { group?: unknown; scope?: unknown; names?: { kind?: unknown } } | undefined
    scopes.set(`${String(spec?.group)}/${String(spec?.names?.kind)}`, spec?.scope !== 'Cluster')
  }
  return scopes
}
