import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { isOfAny, isOfRelease } from '../orphans.ts'
import type { NamespaceOwner, Surroundings } from './judge-outside.ts'
import { keyOf, type OutsideOfManifest } from './outside-objects.ts'
import { rulesOf } from './rights-in-rules.ts'
import { subjectsOf } from './subjects.ts'

const rbac = 'rbac.authorization.k8s.io'
const atOnce = 8
const spaceLabel = 'quayside.io/space'

type Looking = Pick<ClusterConnection, 'get' | 'resourceOf'>

/** Reads as the portal what has to be known before anybody can judge what a release needs outside of its space. */
export async function lookAround(
  connection: Looking,
  outside: readonly OutsideOfManifest[],
  release: { namespace: string; releaseName: string; held: ReadonlySet<string> },
): Promise<Surroundings> {
  const foreign = new Set([...outside.flatMap(({ namespace }) => namespace ?? []), ...homesOf(outside)])
  const [namespaces, existing, roles] = await Promise.all([
    eachOf([...foreign], async (name) => [name, await ownerOf(connection, name)] as const),
    eachOf(outside, async (one) => {
      const { apiVersion, kind, name } = one.object
      const found = await there(connection, apiVersion, kind, one.namespace, name)
      return found && ([keyOf({ ...one, kind, name }), whoseIs(found, keyOf({ ...one, kind, name }), release)] as const)
    }),
    eachOf(referredRoles(outside), async ({ kind, namespace, name }) => {
      const found = await there(connection, `${rbac}/v1`, kind, namespace, name)
      return found && ([keyOf({ group: rbac, kind, namespace, name }), rulesOf(found as unknown as Fields)] as const)
    }),
  ])
  return { namespace: release.namespace, namespaces, existing, roles }
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
    const other = `${annotations['meta.helm.sh/release-name']} in ${annotations['meta.helm.sh/release-namespace']}`
    return { of: `the release ${other}` }
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

/** Namespaces of the accounts that bindings give a role. */
function homesOf(outside: readonly OutsideOfManifest[]): string[] {
  return outside
    .filter(({ object, group }) => group === rbac && object.kind.endsWith('Binding'))
    .flatMap(({ object, namespace }) => subjectsOf(object.body, namespace).map((one) => one.namespace))
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
  const rest = [...items]
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      const entry = await look(item)
      if (entry) found.set(...entry)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return found
}
