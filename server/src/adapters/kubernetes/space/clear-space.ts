import type { ClusterConnection, KubeObject } from '../kubernetes.ts'
import {
  leavePortalNamespace,
  managedBy,
  portalNamespace,
  type Registration,
  removeIfThere,
  removeOwn,
} from './portal-namespace.ts'
import { networkPolicyName } from './space-isolation.ts'

type Remover = Pick<ClusterConnection, 'get' | 'list' | 'remove' | 'replace'>

/** A namespace that the portal has made for a space. */
export interface SpaceNamespace {
  tenantId: string
  spaceId: string
  namespace: string
}

const rbac = 'rbac.authorization.k8s.io/v1'
const namespaces = 'v1/namespaces'
const networkPolicies = 'networking.k8s.io/v1/networkpolicies'
/** Holds the network policy of a space that goes until its last pod has ended. */
const untilPodsEnded = 'quayside.io/until-pods-have-ended'
const spaceLabel = 'quayside.io/space'
const tenantLabel = 'quayside.io/tenant'
const clusterLabel = 'quayside.io/cluster'
const managed = Object.entries(managedBy).map((each) => each.join('='))
/** Rights go before accounts, so that nobody has an account with the rights of one that is gone. */
const ofCluster = [`${rbac}/clusterrolebindings`, `${rbac}/clusterroles`]
const ofPortal = [`${rbac}/rolebindings`, 'v1/secrets', 'v1/serviceaccounts']
const mostSaid = 300
const mostGraceSeconds = 60

/** Removes what a cluster has of a space, and tells what is still there: all can be repeated. */
export async function clearSpace(connection: Remover, space: SpaceNamespace): Promise<string[]> {
  const { tenantId, spaceId, namespace } = space
  await removeLabelled(connection, [...managed, `${tenantLabel}=${tenantId}`, `${spaceLabel}=${spaceId}`])
  const found = await connection.get(namespaces, undefined, namespace)
  // One that bears the name of a space and belongs to somebody else is none of ours.
  if (!found || !isOf(found, space)) return []
  if (found.metadata.deletionTimestamp === undefined) {
    await holdNetwork(connection, namespace, true)
    await removeIfThere(connection, namespaces, undefined, namespace)
  }
  await endPods(connection, namespace)
  const left = await connection.get(namespaces, undefined, namespace)
  return left ? [sayOf(left)] : []
}

/**
 * A pod says itself how long it may take to end, years if it likes, and the namespace waits for it. Nobody sees the pod any
 * more by then. The network of the space holds until there is none.
 */
async function endPods(connection: Remover, namespace: string): Promise<void> {
  const pods = await connection.list('v1/pods', { namespace, metadataOnly: true })
  if (pods.length === 0) await holdNetwork(connection, namespace, false)
  for (const { metadata } of pods)
    if (Number(metadata.deletionGracePeriodSeconds) > mostGraceSeconds)
      await connection.remove('v1/pods', namespace, metadata.name, mostGraceSeconds).catch(async (error: unknown) => {
        if (await connection.get('v1/pods', namespace, metadata.name)) throw error
      })
}

/**
 * Keeps the network policy of a space, or lets it go: a cluster deletes what is in a namespace in an order of its own, and
 * pods without a policy would reach everything for as long as they take to end.
 */
async function holdNetwork(connection: Remover, namespace: string, isHeld: boolean, tries = 3): Promise<void> {
  const policy = await connection.get(networkPolicies, namespace, networkPolicyName)
  const { finalizers = [] } = policy?.metadata ?? {}
  if (!policy || finalizers.includes(untilPodsEnded) === isHeld) return
  const rest = finalizers.filter((one) => one !== untilPodsEnded)
  const metadata = { ...policy.metadata, finalizers: isHeld ? [...rest, untilPodsEnded] : rest }
  try {
    await connection.replace(networkPolicies, { ...policy, metadata })
  } catch (error) {
    if (tries <= 1) throw error
    await holdNetwork(connection, namespace, isHeld, tries - 1)
  }
}

/** Goes on with namespaces of spaces that are being deleted, for which no action waits any more. */
export async function endSpaces(connection: Remover, tenantId: string): Promise<void> {
  const labelSelector = `${tenantLabel}=${tenantId},${spaceLabel}`
  for (const { metadata } of await connection.list(namespaces, { labelSelector, metadataOnly: true }))
    if (metadata.deletionTimestamp !== undefined) await endPods(connection, metadata.name)
}

/**
 * Lets namespaces go that are being deleted and wait for their last pod: nobody would do it later. Their pods have no
 * network policy from then on.
 */
export async function releaseSpaces(connection: Remover, tenantId: string): Promise<void> {
  const labelSelector = `${tenantLabel}=${tenantId},${spaceLabel}`
  for (const { metadata } of await connection.list(namespaces, { labelSelector, metadataOnly: true }))
    if (metadata.deletionTimestamp !== undefined) await holdNetwork(connection, metadata.name, false)
}

/**
 * Removes all that a registration has on its cluster, and tells what is still there. Where the same tenant has
 * registered the cluster once more, the namespaces of the spaces that use it by that stay.
 */
export async function clearRegistration(
  connection: Remover,
  registration: Registration,
  { keep, isOnly }: { keep: ReadonlySet<string>; isOnly: boolean },
): Promise<string[]> {
  const { tenantId, clusterId } = registration
  const spaces = (await spacesOn(connection, tenantId)).filter(({ spaceId }) => !keep.has(spaceId))
  const left = (await Promise.all(spaces.map((space) => clearSpace(connection, space)))).flat()
  const own = isOnly ? [] : [`${clusterLabel}=${clusterId}`]
  await removeLabelled(connection, [...managed, `${tenantLabel}=${tenantId}`, ...own])
  if (left.length > 0) return left
  await leavePortalNamespace(connection, registration, isOnly)
  const portal = await connection.get(namespaces, undefined, portalNamespace)
  return portal?.metadata.deletionTimestamp === undefined ? [] : [sayOf(portal)]
}

/** The namespaces that a tenant's spaces have on a cluster, those that are just being deleted left out. */
export async function spacesOn(
  connection: Pick<ClusterConnection, 'list'>,
  tenantId: string,
): Promise<SpaceNamespace[]> {
  const labelSelector = `${tenantLabel}=${tenantId},${spaceLabel}`
  const found = await connection.list(namespaces, { labelSelector, metadataOnly: true })
  return found
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => ({ tenantId, spaceId: metadata.labels?.[spaceLabel] ?? '', namespace: metadata.name }))
}

async function removeLabelled(connection: Remover, selector: readonly string[]): Promise<void> {
  const labelSelector = selector.join(',')
  for (const resource of ofCluster)
    for (const { metadata } of await connection.list(resource, { labelSelector, metadataOnly: true }))
      await removeOwn(connection, resource, undefined, metadata.name)
  for (const resource of ofPortal)
    for (const { metadata } of await connection.list(resource, {
      labelSelector,
      namespace: portalNamespace,
      metadataOnly: true,
    }))
      await removeOwn(connection, resource, portalNamespace, metadata.name)
}

function isOf({ metadata }: KubeObject, { tenantId, spaceId }: SpaceNamespace): boolean {
  return metadata.labels?.[spaceLabel] === spaceId && metadata.labels[tenantLabel] === tenantId
}

/** The reasons that keep a namespace from being deleted, as the cluster reports them in its conditions. */
function sayOf({ metadata, status }: KubeObject): string {
  const { conditions } = (status ?? {}) as { conditions?: unknown }
  const said = (Array.isArray(conditions) ? conditions : [])
    .filter(({ status: is, type }) => is === 'True' && /Remaining$|Failure$/.test(String(type)))
    .map(({ message }) => String(message))
  return [`namespace ${metadata.name}`, ...said].join(': ').slice(0, mostSaid)
}
