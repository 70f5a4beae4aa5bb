import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { ReleaseHook } from '../../../adapters/helm/release.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, listOf, textOf } from '../workloads/fields.ts'

/** An object that Helm does not take with it when it uninstalls a release. */
export interface LeftObject {
  apiVersion: string
  kind: string
  name: string
  /** Null for what belongs to the whole cluster. */
  namespace: string | null
  /** Uid of the object that was looked at: another object of the same name is never removed. */
  uid: string
  why: string
  detail: string | null
  /** Why nobody should remove it, whoever asks. */
  refusal: string | null
  /** It goes with the app unless somebody chooses to keep it. */
  goes?: true
}

/** An object that may stay behind, from the manifest, the hooks and the package. */
export type Candidate = Pick<LeftObject, 'apiVersion' | 'kind' | 'name' | 'why'> & { namespace: string | undefined }

interface ReleaseTold {
  objects: readonly ManifestObject[]
  hooks: readonly (Pick<ReleaseHook, 'events'> & { objects: readonly ManifestObject[] })[]
  /** Claims of the namespace. */
  claims: readonly KubeObject[]
  /** Names of the definitions that the package ships apart from its templates. */
  crds: readonly string[]
}

export const definitions = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' } as const

/** Everything that an uninstall would leave, if it is there: each once. */
export function candidatesOf({ objects, hooks, claims, crds }: ReleaseTold): Candidate[] {
  const found = [
    ...objects.filter(isKept).map((object) => named(object, 'The chart marks it to be kept')),
    ...objects.flatMap((object) => claimsOf(object, claims)),
    ...hooks.filter(({ events }) => !events.every(isOfDeletion)).flatMap(({ objects }) => hookObjects(objects)),
    ...crds.map((name) => ({
      ...definitions,
      name,
      namespace: undefined,
      why: 'Helm never removes definitions that a chart ships',
    })),
  ]
  const once = new Map(found.map((one) => [`${one.kind}/${one.namespace ?? ''}/${one.name}`, one]))
  return [...once.values()].filter(({ kind, name }) => kind !== '' && name !== '')
}

function named({ apiVersion, kind, name, namespace }: ManifestObject, why: string): Candidate {
  return { apiVersion, kind, name, namespace, why }
}

function isKept({ body }: ManifestObject): boolean {
  const annotations = fieldsOf(fieldsOf(body.metadata).annotations)
  return textOf(annotations['helm.sh/resource-policy']).trim().toLowerCase() === 'keep'
}

/** Claims that a StatefulSet had made for its pods, unless it says that they go with it. */
function claimsOf({ kind, name, namespace, body }: ManifestObject, claims: readonly KubeObject[]): Candidate[] {
  if (kind !== 'StatefulSet') return []
  const spec = fieldsOf(body.spec)
  if (fieldsOf(spec.persistentVolumeClaimRetentionPolicy).whenDeleted === 'Delete') return []
  const templates = listOf(spec.volumeClaimTemplates).map((template) => textOf(fieldsOf(template.metadata).name))
  const isOfSet = (claim: string) =>
    templates.some((template) => {
      const start = `${template}-${name}-`
      return claim.startsWith(start) && /^\d+$/.test(claim.slice(start.length))
    })
  return claims
    .filter(({ metadata }) => isOfSet(metadata.name) && (namespace ?? metadata.namespace) === metadata.namespace)
    .map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      name: metadata.name,
      namespace: metadata.namespace,
      why: `Kubernetes keeps the volumes of StatefulSet ${name}`,
    }))
}

/** A hook of the deletion itself is not there before. */
const isOfDeletion = (event: string) => event === 'pre-delete' || event === 'post-delete'

function hookObjects(objects: readonly ManifestObject[]): Candidate[] {
  return objects.map((object) => named(object, 'A hook of the chart made it, and Helm does not own it'))
}

/** A volume's size and class, which say what is at stake. */
export function detailOf({ kind, spec, status }: KubeObject): string | null {
  if (kind !== 'PersistentVolumeClaim') return null
  const wanted = fieldsOf(spec)
  const size =
    textOf(fieldsOf(fieldsOf(status).capacity).storage) || textOf(fieldsOf(fieldsOf(wanted.resources).requests).storage)
  return [size, textOf(wanted.storageClassName)].filter((part) => part !== '').join(' · ') || null
}
