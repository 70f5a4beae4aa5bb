import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { isOfAny, isOfRelease } from '../removal/orphans.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { secretNamespacesOf, secretNamespacesOfVolume } from './judging/classes.ts'
import { digestOf } from './judging/digest.ts'
import { type Gatherer, gatherersAmong } from './judging/gatherers.ts'
import type { Holder, NamespaceOwner, Surroundings } from './judging/judge-outside.ts'
import { rulesOf } from './judging/rights-in-rules.ts'
import { keyOf, type OutsideOfManifest } from './outside-objects.ts'
import { subjectsOf } from './subjects.ts'

const rbac = 'rbac.authorization.k8s.io'
const atOnce = 8
const spaceLabel = 'quayside.io/space'

type Looking = Pick<ClusterConnection, 'get' | 'list' | 'resourceOf'>

/** Reads as the portal what has to be known before anybody can judge what a release needs outside of its space. */
export async function readSurroundings(
  connection: Looking,
  outside: readonly OutsideOfManifest[],
  release: { namespace: string; releaseName: string; held: ReadonlySet<string> },
): Promise<Surroundings> {
  const foreign = new Set([...outside.flatMap(({ namespace }) => namespace ?? []), ...homesOf(outside)])
  const [namespaces, existing, roles, holders, gatherers] = await Promise.all([
    eachOf([...foreign], async (name) => [name, await ownerOf(connection, name)] as const),
    eachOf(outside, async (one) => {
      const { apiVersion, kind, name } = one.object
      const found = await there(connection, apiVersion, kind, one.namespace, name)
      return found && ([keyOf({ ...one, kind, name }), whoseIs(found, keyOf({ ...one, kind, name }), release)] as const)
    }),
    eachOf(referredRoles(outside), async ({ kind, namespace, name }) => {
      const found = await there(connection, `${rbac}/v1`, kind, namespace, name)
      return found && ([keyOf({ group: rbac, kind, namespace, name }), rulesOf(fieldsOf(found))] as const)
    }),
    holdersOf(connection, outside),
    gatherersOf(connection, outside),
  ])
  return { namespace: release.namespace, namespaces, existing, roles, holders, gatherers }
}

/**
 * Bindings on the cluster that refer to a role which the release would change or make, by the key of the role: whoever
 * they name has its new rules at once. Bindings of the release itself are judged with these rules and not among them.
 */
async function holdersOf(connection: Looking, outside: readonly OutsideOfManifest[]): Promise<Map<string, Holder[]>> {
  const ownKey = (one: OutsideOfManifest) => keyOf({ ...one, kind: one.object.kind, name: one.object.name })
  const changed = await eachOf(
    outside.filter(({ group, object }) => group === rbac && /^(Cluster)?Role$/.test(object.kind)),
    async (one) => {
      const { apiVersion, kind, name, body } = one.object
      const found = await there(connection, apiVersion, kind, one.namespace, name)
      const isSame = found && digestOf(rulesOf(fieldsOf(found))) === digestOf(rulesOf(body))
      return isSame ? undefined : ([ownKey(one), []] as const)
    },
  )
  if (changed.size === 0) return new Map()
  const own = new Set(outside.map(ownKey))
  const holders = new Map<string, Holder[]>()
  for (const kind of ['ClusterRoleBinding', 'RoleBinding'])
    for (const { metadata, roleRef } of await connection.list(`${rbac}/v1/${kind.toLowerCase()}s`)) {
      const namespace = kind === 'RoleBinding' ? (metadata.namespace ?? '') : null
      if (own.has(keyOf({ group: rbac, kind, namespace, name: metadata.name }))) continue
      const role = fieldsOf(roleRef)
      const isWide = role.kind === 'ClusterRole'
      const of = { group: rbac, kind: textOf(role.kind), namespace: isWide ? null : namespace, name: textOf(role.name) }
      if (!changed.has(keyOf(of))) continue
      const words = `${kind} ${metadata.name}${namespace === null ? '' : ` in ${namespace}`}`
      const known = holders.get(keyOf(of)) ?? []
      holders.set(
        keyOf(of),
        [...known, { words, namespace }].sort((one, other) => (one.words < other.words ? -1 : 1)),
      )
    }
  return holders
}

/** Roles of the cluster that could gather one which the release brings. */
async function gatherersOf(connection: Looking, outside: readonly OutsideOfManifest[]): Promise<Gatherer[]> {
  const hasRole = outside.some(({ group, object }) => group === rbac && object.kind === 'ClusterRole')
  return hasRole ? gatherersAmong(await connection.list(`${rbac}/v1/clusterroles`)) : []
}

async function ownerOf(connection: Looking, name: string): Promise<NamespaceOwner> {
  if (/^kube-/.test(name)) return 'cluster'
  const found = await connection.get('v1/namespaces', undefined, name)
  if (!found) return 'missing'
  return found.metadata.labels?.[spaceLabel] === undefined ? 'other' : 'space'
}

function whoseIs(
  { metadata: { annotations = {} } }: KubeObject,
  key: string,
  { namespace, releaseName, held }: { namespace: string; releaseName: string; held: ReadonlySet<string> },
): 'own' | { of: string } {
  if (isOfRelease(annotations, namespace, releaseName)) return 'own'
  if (isOfAny(annotations)) {
    // Names and places of releases of other spaces are for nobody who does not see them.
    const isHere = annotations['meta.helm.sh/release-namespace'] === namespace
    return { of: isHere ? `the release ${annotations['meta.helm.sh/release-name']} of this space` : 'another release' }
  }
  // Helm does not mark what hooks make, nor definitions: what this release has made before is known by us.
  return held.has(key) ? 'own' : { of: 'somebody else' }
}

/** Roles that bindings refer to and that the manifest does not make. */
function referredRoles(outside: readonly OutsideOfManifest[]) {
  return outside.flatMap(({ object, group, namespace }) => {
    if (group !== rbac || !object.kind.endsWith('Binding')) return []
    const { kind, name } = fieldsOf(object.body.roleRef)
    const isWide = kind === 'ClusterRole'
    if (!isWide && kind !== 'Role') return []
    return [{ kind: textOf(kind), namespace: isWide ? null : namespace, name: textOf(name) }]
  })
}

/** Namespaces of the accounts that bindings give a role, and of the Secrets that volumes and their classes draw on. */
function homesOf(outside: readonly OutsideOfManifest[]): string[] {
  return outside
    .flatMap(({ object: { kind, body }, group, namespace }) => {
      if (kind === 'PersistentVolume') return secretNamespacesOfVolume(body)
      if (/^(Storage|VolumeAttributes|VolumeSnapshot|VolumeGroupSnapshot)Class$/.test(kind))
        return secretNamespacesOf(body)
      if (group !== rbac || !kind.endsWith('Binding')) return []
      return subjectsOf(body, namespace).map((one) => one.namespace)
    })
    .filter((name) => /^[a-z0-9-]{1,63}$/.test(name))
}

async function there(
  connection: Looking,
  apiVersion: string,
  kind: string,
  namespace: string | null,
  name: string,
): Promise<KubeObject | undefined> {
  if (name === '' || name.length > 253) return undefined
  const served = await connection.resourceOf(apiVersion, kind)
  return served && connection.get(served.resource, namespace ?? undefined, name)
}

async function eachOf<T, V>(items: readonly T[], look: (item: T) => Promise<readonly [string, V] | undefined>) {
  const found = new Map<string, V>()
  await mapLimit(atOnce, items, async (item) => {
    const entry = await look(item)
    if (entry) found.set(...entry)
  })
  return found
}
