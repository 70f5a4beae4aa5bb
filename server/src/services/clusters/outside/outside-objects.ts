import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { groupOf } from './group-of.ts'
import { isOfKubernetes } from './judging/defined-kinds.ts'
import { letsOthersIn } from './subjects.ts'

/** Kinds that belong to no namespace on every cluster, whatever its discovery says or fails to say. */
const clusterWide = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'StorageClass',
  'VolumeAttributesClass',
  'VolumeSnapshotClass',
  'VolumeGroupSnapshotClass',
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

/** An object of a manifest that is outside of the namespace of its space, or a binding in it that lets others in. */
export interface OutsideOfManifest {
  object: ManifestObject
  group: string
  /** Null: it belongs to the whole cluster. */
  namespace: string | null
  /** It lies in the folder of definitions that Helm installs once and never changes. */
  isDefinitionFile: boolean
  isHook: boolean
}

interface InSpace {
  namespace: string
  /** From discovery: `apiVersion/kind` → whether it lives in a namespace. */
  resourceScopes: ReadonlyMap<string, boolean>
}

/** The objects of a rendered manifest that lie outside of its space. */
export function outsideOf(objects: readonly ManifestObject[], space: InSpace): OutsideOfManifest[] {
  const own = scopesOfDefinitions(objects)
  return objects.flatMap((object): OutsideOfManifest[] => {
    const isWide = isClusterWide(object, space.resourceScopes, own)
    const isInSpace = !isWide && (object.namespace === undefined || object.namespace === space.namespace)
    if (isInSpace && !isOpening(object, space.namespace)) return []
    return [
      {
        object,
        group: groupOf(object.apiVersion),
        namespace: isWide ? null : (object.namespace ?? space.namespace),
        isDefinitionFile: isDefinitionFile(object),
        isHook: textOf(fieldsOf(fieldsOf(object.body.metadata).annotations)['helm.sh/hook']) !== '',
      },
    ]
  })
}

/** A role binding to subjects other than the space's own accounts: its rights outlive membership of the space. */
function isOpening({ apiVersion, kind, body }: ManifestObject, space: string): boolean {
  return groupOf(apiVersion) === 'rbac.authorization.k8s.io' && kind === 'RoleBinding' && letsOthersIn(body, space)
}

/** Objects that say in a roundabout way what they are: nobody can tell what Helm will read there. */
export function unclear(objects: readonly ManifestObject[]): ManifestObject[] {
  return objects.filter(
    ({ kind, apiVersion, unreadable }) => unreadable || kind === '' || !/^([^/]+\/)?[^/]+$/.test(apiVersion),
  )
}

/** Tells whether it lies in the folder of definitions, apart from the templates. */
export function isDefinitionFile({ kind, source = '' }: Pick<ManifestObject, 'kind' | 'source'>): boolean {
  return kind === 'CustomResourceDefinition' && /(^|\/)crds\//.test(source) && !/(^|\/)templates\//.test(source)
}

/** An object's name in the whole cluster. */
export function keyOf(one: { group: string; kind: string; namespace: string | null; name: string }): string {
  return `${one.group}/${one.kind}/${one.namespace ?? ''}/${one.name}`
}

function isClusterWide(
  object: ManifestObject,
  discovered: ReadonlyMap<string, boolean>,
  own: ReadonlyMap<string, boolean>,
): boolean {
  const isNamespaced = discovered.get(`${object.apiVersion}/${object.kind}`)
  if (isNamespaced !== undefined) return !isNamespaced
  const defined = own.get(`${groupOf(object.apiVersion)}/${object.kind}`)
  return defined === undefined ? clusterWide.has(object.kind) : !defined
}

/**
 * Kinds that the chart itself defines: discovery does not know them yet. No chart says where kinds of Kubernetes are.
 */
function scopesOfDefinitions(objects: readonly ManifestObject[]): Map<string, boolean> {
  const scopes = new Map<string, boolean>()
  for (const { apiVersion, kind, body } of objects) {
    if (groupOf(apiVersion) !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition') continue
    const spec = fieldsOf(body.spec)
    if (isOfKubernetes(textOf(spec.group))) continue
    const defined = `${textOf(spec.group)}/${textOf(fieldsOf(spec.names).kind)}`
    // Where two disagree, the kind counts as one of the whole cluster.
    scopes.set(defined, spec.scope !== 'Cluster' && scopes.get(defined) !== false)
  }
  return scopes
}
