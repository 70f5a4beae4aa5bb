import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import type { ClusterConnection, ServedType } from '../../../../adapters/kubernetes/kubernetes.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../workloads/fields.ts'
import { groupOf } from '../group-of.ts'

/** A kind as a cluster serves it, or will when the definition of a release is there. */
type KnownKind = Pick<ServedType, 'apiVersion' | 'kind' | 'resource' | 'namespaced'>

/** Groups under the names of Kubernetes that its own projects define by charts; everything else there is built in. */
const upstreamGroups = new Set([
  'app.k8s.io',
  'autoscaling.k8s.io',
  'externaldns.k8s.io',
  'gateway.networking.k8s.io',
  'groupsnapshot.storage.k8s.io',
  'inference.networking.k8s.io',
  'policy.networking.k8s.io',
  'snapshot.storage.k8s.io',
])
/** Tells whether Kubernetes itself serves a group, under its names or, as its first ones, without a domain. */
export const isOfKubernetes = (group: string) =>
  !group.includes('.') || (/(^|\.)(k8s\.io|kubernetes\.io)$/.test(group) && !upstreamGroups.has(group))
const groupShape = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
const pluralShape = /^[a-z]([a-z0-9-]*[a-z0-9])?$/

/**
 * Why no chart may bring a definition, whoever approves it; undefined when one may. The rights of an action name the
 * group and plural of a definition: under a group that Kubernetes serves they would reach Kubernetes' own objects.
 * @param body a CustomResourceDefinition
 */
export function whyNotDefined(body: Fields): string | undefined {
  const { group, names } = fieldsOf(body.spec)
  const { plural } = fieldsOf(names)
  if (typeof group !== 'string' || !groupShape.test(group)) return 'its group is not one that charts may define'
  if (isOfKubernetes(group)) return 'this group is one of Kubernetes itself'
  if (typeof plural !== 'string' || !pluralShape.test(plural)) return 'its plural is not a plain name'
  return fieldsOf(body.metadata).name === `${plural}.${group}` ? undefined : 'it is not named by its plural and group'
}

/** Kinds that definitions of a manifest bring, but for those that no chart may define. */
export function definedKinds(manifest: readonly ManifestObject[]): KnownKind[] {
  return manifest.flatMap(({ apiVersion, kind, body }) => {
    if (groupOf(apiVersion) !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition') return []
    if (whyNotDefined(body)) return []
    const { group, names, scope, versions } = fieldsOf(body.spec)
    return listOf(versions).map(({ name }) => ({
      apiVersion: `${textOf(group)}/${textOf(name)}`,
      kind: textOf(fieldsOf(names).kind),
      resource: textOf(fieldsOf(names).plural),
      namespaced: scope !== 'Cluster',
    }))
  })
}

interface PlacedKind {
  apiVersion: string
  kind: string
  /** Null: it belongs to the whole cluster. */
  namespace: string | null
}

/**
 * The plural under which rights on an object are given, or why none may be; neither when nobody knows its kind. What
 * the cluster serves counts before what a release defines, and a plural that it serves for another kind is not given.
 */
export function pluralOf(
  { apiVersion, kind, namespace }: PlacedKind,
  served: readonly KnownKind[],
  defined: readonly KnownKind[],
): { plural?: string; refused?: string } {
  const isIt = (one: KnownKind) => one.apiVersion === apiVersion && one.kind === kind
  const found = served.find(isIt) ?? defined.find(isIt)
  if (!found) return {}
  const group = groupOf(apiVersion)
  const other = served.find(
    (one) => groupOf(one.apiVersion) === group && one.resource === found.resource && one.kind !== kind,
  )
  if (other) return { refused: `the cluster serves ${found.resource} of ${group || 'its core'} for ${other.kind}` }
  if (found.namespaced && namespace === null) return { refused: `${kind} belongs to a namespace, and none is known` }
  return { plural: found.resource }
}

/** Kinds that the cluster serves; those that came a moment ago are not in its list yet, which is kept for a while. */
export async function servedKinds(
  connection: Pick<ClusterConnection, 'kinds' | 'resourceOf'>,
  wanted: readonly Pick<KnownKind, 'apiVersion' | 'kind'>[],
): Promise<KnownKind[]> {
  const listed: readonly KnownKind[] = await connection.kinds()
  const late = wanted.filter(({ apiVersion, kind }) =>
    listed.every((one) => one.apiVersion !== apiVersion || one.kind !== kind),
  )
  const found = await Promise.all(
    late.map(async ({ apiVersion, kind }): Promise<KnownKind[]> => {
      const served = await connection.resourceOf(apiVersion, kind)
      const resource = served?.resource.slice(apiVersion.length + 1)
      return served && resource ? [{ apiVersion, kind, resource, namespaced: served.namespaced }] : []
    }),
  )
  return [...listed, ...found.flat()]
}
