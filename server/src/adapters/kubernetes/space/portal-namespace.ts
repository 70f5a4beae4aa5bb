import { fail } from '../../../platform/http/errors.ts'
import type { ClusterConnection, KubeObject } from '../kubernetes.ts'
import { KubeRefusal } from '../transport.ts'
import { policyNames, policyResources, spacePolicies } from './space-policies.ts'
import { type PolicyRule, roleNames, type SpaceRoleName, type SpaceRules, spaceRules } from './space-rules.ts'

/** The namespace of the portal in each cluster: no person and no chart has a right in it. */
export const portalNamespace = 'quayside-system'
export const managedBy = { 'app.kubernetes.io/managed-by': 'quayside' } as const

/** A registration of a cluster; a cluster can be registered by several tenants and portals. */
export interface Registration {
  tenantId: string
  clusterId: string
}

type Reach = Pick<ClusterConnection, 'get' | 'apply' | 'kinds'>
/** Rules of all roles, with whole groups beside those that the cluster serves. */
type WantedRules = (groups: readonly string[]) => SpaceRules['roles']

const rbac = 'rbac.authorization.k8s.io'
const clusterRoles = `${rbac}/v1/clusterroles`
const configMaps = 'v1/configmaps'
const tenantLabel = 'quayside.io/tenant'
const registrationLabel = 'quayside.io/registration'

/** Name of what says that a registration uses the portal's namespace. */
const markOf = ({ clusterId }: Registration) => `cluster-${clusterId}`

/**
 * Brings the portal's namespace and the cluster roles of spaces to what they should be: it reads
 * all of them at once, and writes each that differs.
 * @param coming groups that a release is about to bring definitions for
 * @throws `cluster.refused` while the namespace is being deleted
 */
export async function ensurePortalNamespace(
  connection: Reach,
  registration: Registration,
  { age, coming = [] }: { age?: 'now'; coming?: readonly string[] } = {},
): Promise<void> {
  const kinds = await connection.kinds(age)
  await ensureNamespaceItself(connection)
  const wanted: WantedRules = (more) => spaceRules(kinds, [...coming, ...more]).roles
  await Promise.all([
    ensure(connection, 'networking.k8s.io/v1/networkpolicies', refuseAll),
    ensure(connection, configMaps, registrationMark(registration)),
    ...spacePolicies(kinds, managedBy).map(({ resource, object }) => ensure(connection, resource, object)),
    ...Object.values(roleNames).map((name) => ensureRole(connection, name, wanted)),
  ])
}

/**
 * Takes a registration off a cluster: what it made in the portal's namespace has gone before. The last one takes the
 * namespace and the cluster roles along.
 * @param isOnly no other registration of the tenant is one of this cluster: marks of forgotten ones go as well
 */
export async function leavePortalNamespace(
  connection: Pick<ClusterConnection, 'get' | 'list' | 'remove'>,
  registration: Registration,
  isOnly = false,
): Promise<void> {
  const gone = (resource: string, namespace: string | undefined, name: string) =>
    removeIfThere(connection, resource, namespace, name)
  const isOwn = ({ metadata }: KubeObject) =>
    metadata.name === markOf(registration) || (isOnly && metadata.labels?.[tenantLabel] === registration.tenantId)
  const marks = await connection.list(configMaps, {
    namespace: portalNamespace,
    labelSelector: `${registrationLabel}=true`,
  })
  for (const { metadata } of marks.filter(isOwn)) await gone(configMaps, portalNamespace, metadata.name)
  if (!marks.every(isOwn)) return
  await gone('v1/namespaces', undefined, portalNamespace)
  for (const resource of policyResources) for (const name of policyNames) await gone(resource, undefined, name)
  for (const name of Object.values(roleNames)) await gone(clusterRoles, undefined, name)
}

/** Registrations of a tenant that have made anything on a cluster, under whatever address each of them reaches it. */
export async function registrationsOn(
  connection: Pick<ClusterConnection, 'list'>,
  tenantId: string,
): Promise<Set<string>> {
  const labelSelector = `${registrationLabel}=true,${tenantLabel}=${tenantId}`
  const marks = await connection.list(configMaps, { namespace: portalNamespace, labelSelector, metadataOnly: true })
  return new Set(marks.map(({ metadata }) => metadata.name.replace(/^cluster-/, '')))
}

/** Removes what may be gone already; resolves to the object where finalizers hold it. */
export async function removeIfThere(
  connection: Pick<ClusterConnection, 'get' | 'remove'>,
  resource: string,
  namespace: string | undefined,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await connection.remove(resource, namespace, name)
  } catch (error) {
    if (await connection.get(resource, namespace, name)) throw error
    return undefined
  }
}

export type Remover = Pick<ClusterConnection, 'get' | 'remove' | 'replace'>

/**
 * Removes an object of the portal's, and what holds it: a role binding that is only marked as deleted goes on giving
 * its rights, and nobody else has a say in when it goes. Resolves when it is gone.
 */
export async function removeOwn(
  connection: Remover,
  resource: string,
  namespace: string | undefined,
  name: string,
): Promise<void> {
  const held = await removeIfThere(connection, resource, namespace, name)
  if (held) await release(connection, resource, held)
}

async function release(connection: Remover, resource: string, held: KubeObject, tries = 3): Promise<void> {
  const { namespace, name, uid } = held.metadata
  try {
    await connection.replace(resource, { ...held, metadata: { ...held.metadata, finalizers: [] } })
  } catch (error) {
    const found = await connection.get(resource, namespace, name)
    if (!found || found.metadata.uid !== uid) return
    if (tries <= 1) throw error
    await release(connection, resource, found, tries - 1)
  }
}

async function ensureNamespaceItself(connection: Reach): Promise<void> {
  const found = await connection.get('v1/namespaces', undefined, portalNamespace)
  if (found?.metadata.deletionTimestamp !== undefined)
    throw fail('cluster.refused', { message: `The namespace ${portalNamespace} is just being deleted.` })
  if (found?.metadata.labels?.['quayside.io/space'] !== undefined)
    throw fail('cluster.refused', { message: `The namespace ${portalNamespace} belongs to a space.` })
  if (found && hasAll(found.metadata.labels, namespaceItself.metadata.labels)) return
  await connection.apply('v1/namespaces', namespaceItself)
}

const restricted = Object.fromEntries(
  ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
)

const namespaceItself: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: portalNamespace, labels: { ...managedBy, ...restricted } },
}

const refuseAll: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'quayside-refuse-all', namespace: portalNamespace, labels: managedBy },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
}

function registrationMark(registration: Registration): KubeObject {
  const labels = { ...managedBy, [registrationLabel]: 'true', [tenantLabel]: registration.tenantId }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: markOf(registration), namespace: portalNamespace, labels },
  }
}

async function ensure(connection: Reach, resource: string, wanted: KubeObject): Promise<void> {
  const { name, namespace, labels } = wanted.metadata
  const found = await connection.get(resource, namespace, name)
  if (!found || !hasAll(found.metadata.labels, labels) || !hasEffectOf(found, wanted))
    await connection.apply(resource, wanted)
}

/**
 * Compares what two objects enforce: a cluster adds fields of its own, and of a network policy only what it lets
 * through counts.
 */
function hasEffectOf(found: KubeObject, wanted: KubeObject): boolean {
  if (wanted.kind.startsWith('ValidatingAdmissionPolicy')) return holdsAll(found.spec, wanted.spec)
  if (wanted.kind !== 'NetworkPolicy') return true
  const { ingress, egress, policyTypes, podSelector } = (found.spec ?? {}) as Record<string, unknown>
  const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)
  const selectsAll = JSON.stringify(podSelector ?? {}) === '{}'
  return isEmpty(ingress) && isEmpty(egress) && selectsAll && JSON.stringify(policyTypes) === '["Ingress","Egress"]'
}

/** Groups that the account's role has stay, so that one release does not take away what another has just asked for. */
async function ensureRole(connection: Reach, name: SpaceRoleName, wanted: WantedRules, tries = 3): Promise<void> {
  const found = await connection.get(clusterRoles, undefined, name)
  const rules = wanted(name === roleNames.account ? wholeGroupsOf(found) : [])[name]
  if (found && textOfRules(found.rules) === textOfRules(rules)) return
  const { resourceVersion } = found?.metadata ?? {}
  const metadata = { name, labels: managedBy, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
  try {
    await connection.apply(clusterRoles, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules })
  } catch (error) {
    const isMeanwhile = error instanceof KubeRefusal && error.httpStatus === 409
    if (!isMeanwhile || tries <= 1) throw error
    await ensureRole(connection, name, wanted, tries - 1)
  }
}

/** Tells whether all that is wanted stands there; what the cluster has filled in beside it is its own. */
function holdsAll(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && found.length === wanted.length && wanted.every((each, at) => holdsAll(found[at], each))
    )
  if (typeof wanted !== 'object' || wanted === null) return found === wanted
  const has = (found ?? {}) as Record<string, unknown>
  return Object.entries(wanted).every(([key, value]) => holdsAll(has[key], value))
}

const rulesOf = (rules: unknown): PolicyRule[] => (Array.isArray(rules) ? rules : [])

function wholeGroupsOf(role: KubeObject | undefined): string[] {
  return rulesOf(role?.rules).flatMap(({ apiGroups, resources }) => (resources?.[0] === '*' ? apiGroups : []))
}

/** A cluster answers with the fields of a rule in an order of its own. */
function textOfRules(rules: unknown): string {
  const list = rulesOf(rules)
  return JSON.stringify(list.map((one) => [one.apiGroups, one.resources, one.verbs, one.resourceNames]))
}

function hasAll(labels: Record<string, string> | undefined, wanted: Record<string, string> | undefined): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => labels?.[key] === value)
}
