import { fail } from '../../../platform/http/errors.ts'
import { type ClusterAccess, writeKubeconfig } from '../kubeconfig.ts'
import type { ClusterConnection, KubeObject } from '../kubernetes.ts'
import type { Transport } from '../transport.ts'
import { accountToken } from './account-token.ts'
import { ensurePortalNamespace, managedBy, portalNamespace, type Remover, removeOwn } from './portal-namespace.ts'
import { isInForce, isSame } from './same-object.ts'
import {
  networkPoliciesLabels,
  networkPolicyName,
  networkPolicyOf,
  podSecurityLabels,
  priorityClassesAnnotation,
  type SpaceIsolation,
} from './space-isolation.ts'
import { roleNames } from './space-rules.ts'

const rbac = 'rbac.authorization.k8s.io'
const roleBindings = `${rbac}/v1/rolebindings`
const clusterRoleBindings = `${rbac}/v1/clusterrolebindings`
const policies = 'networking.k8s.io/v1/networkpolicies'
const spaceLabel = 'quayside.io/space'
/** The binding of the deploying account; versions before this one also had an account of that name there. */
const bindingName = 'quayside-deployer'

/** A space as a cluster has it. */
export interface SpaceHere {
  tenantId: string
  clusterId: string
  spaceId: string
  namespace: string
  isolation: SpaceIsolation
}

type Writer = Remover & Pick<ClusterConnection, 'list' | 'apply' | 'kinds'>

/** The account that deploys into a space, in the namespace of the portal, where nobody else has a right. */
export const accountOf = (spaceId: string) => `space-${spaceId}`
/** The account of one action that reaches out of its space: no other action of the space has its rights. */
export const accountOfAction = (spaceId: string, actionId: string) => `${accountOf(spaceId)}-${actionId}`

const labelsOf = ({ tenantId, clusterId, spaceId }: SpaceHere) => ({
  ...managedBy,
  [spaceLabel]: spaceId,
  'quayside.io/tenant': tenantId,
  'quayside.io/cluster': clusterId,
})
const namespaceLabelsOf = ({ tenantId, spaceId }: SpaceHere) => ({
  ...managedBy,
  [spaceLabel]: spaceId,
  'quayside.io/tenant': tenantId,
})

/** Makes the space's namespace with its isolation, and the account that deploys there; a kubeconfig of it for an hour. */
export async function makeSpaceIdentity(
  connection: Writer,
  transport: Transport,
  access: ClusterAccess,
  space: SpaceHere,
): Promise<string> {
  const { namespace, spaceId } = space
  await Promise.all([ensurePortalNamespace(connection, space), ensureSpace(connection, space)])
  const metadata = { name: accountOf(spaceId), namespace: portalNamespace, labels: labelsOf(space) }
  const [, secret] = await Promise.all([
    connection.apply('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    connection.apply('v1/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }),
    bindAccount(connection, space),
  ])
  const bound = { kind: 'Secret', name: secret.metadata.name, uid: secret.metadata.uid } as const
  const token = await accountToken(transport, portalNamespace, accountOf(spaceId), bound)
  await removeFormerDeployer(connection, namespace)
  const { name, server, certificateAuthority, tlsServerName } = access
  return writeKubeconfig({ name, server, certificateAuthority, tlsServerName, namespace, token })
}

/** The same without a token, for a space whose settings were changed or whose cluster was away. */
export async function ensureOnCluster(connection: Writer, space: SpaceHere): Promise<void> {
  await Promise.all([ensurePortalNamespace(connection, space), ensureSpace(connection, space)])
  if (await connection.get('v1/serviceaccounts', portalNamespace, accountOf(space.spaceId)))
    await bindAccount(connection, space)
  await removeFormerDeployer(connection, space.namespace)
}

/** An account as it is to be for one action, and the labels of what is made for it. */
export interface ActionIdentity {
  namespace: string
  account: string
  /** Name of the binding that lets it into its space. */
  binding: string
  labels: Record<string, string>
}

/** Makes the account of one action, which may do in its space what the space's own may; a kubeconfig of it. */
export async function makeActionIdentity(
  connection: Pick<Writer, 'apply'>,
  transport: Transport,
  access: ClusterAccess,
  { namespace, account, binding, labels }: ActionIdentity,
): Promise<string> {
  const metadata = { name: account, namespace: portalNamespace, labels }
  const [, secret] = await Promise.all([
    connection.apply('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    connection.apply('v1/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }),
    connection.apply(roleBindings, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: binding, namespace, labels },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleNames.account },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: portalNamespace }],
    }),
  ])
  const bound = { kind: 'Secret', name: account, uid: secret.metadata.uid } as const
  const token = await accountToken(transport, portalNamespace, account, bound)
  const { name, server, certificateAuthority, tlsServerName } = access
  return writeKubeconfig({ name, server, certificateAuthority, tlsServerName, namespace, token })
}

/** Brings the namespace of a space, its Pod Security level and its network policy to what they should be. */
async function ensureSpace(connection: Remover & Pick<Writer, 'apply'>, space: SpaceHere): Promise<void> {
  const { namespace, isolation } = space
  const labels = {
    ...namespaceLabelsOf(space),
    ...podSecurityLabels(isolation.podSecurity),
    ...networkPoliciesLabels(isolation),
  }
  const annotations = { [priorityClassesAnnotation]: [...isolation.priorityClasses].sort().join(',') }
  await ensureNamespace(connection, namespace, { labels, annotations })
  const policy = networkPolicyOf({ namespace, labels: labelsOf(space), ...isolation })
  const found = await connection.get(policies, namespace, networkPolicyName)
  const isGoing = found?.metadata.deletionTimestamp !== undefined
  if (found && (isGoing || !policy)) await removeOwn(connection, policies, namespace, networkPolicyName)
  if (policy && (isGoing || !isSame(found?.spec, policy.spec))) await connection.apply(policies, policy)
}

/** The role of a binding cannot be changed: a different one, or one that is just being deleted, is removed first. */
async function bindAccount(connection: Remover & Pick<Writer, 'apply'>, space: SpaceHere): Promise<void> {
  const { namespace, spaceId } = space
  const found = await connection.get(roleBindings, namespace, bindingName)
  const binding: KubeObject = {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: bindingName, namespace, labels: labelsOf(space) },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleNames.account },
    subjects: [{ kind: 'ServiceAccount', name: accountOf(spaceId), namespace: portalNamespace }],
  }
  if (found && isInForce(found, binding)) return
  if (found) await removeOwn(connection, roleBindings, namespace, bindingName)
  await connection.apply(roleBindings, binding)
}

/** Takes away what versions before this one gave: an account beside the apps, and the whole cluster to it. */
async function removeFormerDeployer(connection: Remover, namespace: string): Promise<boolean> {
  const [account, wide] = await Promise.all([
    connection.get('v1/serviceaccounts', namespace, bindingName),
    connection.get(clusterRoleBindings, undefined, `quayside:${namespace}`),
  ])
  if (wide) await removeOwn(connection, clusterRoleBindings, undefined, wide.metadata.name)
  if (account?.metadata.labels?.['app.kubernetes.io/managed-by'] === 'quayside')
    await removeOwn(connection, 'v1/serviceaccounts', namespace, bindingName)
  return wide !== undefined || account !== undefined
}

/** Makes the space's namespace unless it is there; one of another space is refused. */
async function ensureNamespace(
  connection: Pick<ClusterConnection, 'get' | 'apply'>,
  namespace: string,
  { labels, annotations }: Record<'labels' | 'annotations', Record<string, string>>,
): Promise<void> {
  const found = await connection.get('v1/namespaces', undefined, namespace)
  const owner = found?.metadata.labels?.[spaceLabel]
  if (namespace === portalNamespace || (found && owner !== undefined && owner !== labels[spaceLabel]))
    throw fail('cluster.refused', { message: `The namespace ${namespace} belongs to another space.` })
  if (found && 'deletionTimestamp' in found.metadata)
    throw fail('cluster.refused', { message: `The namespace ${namespace} is just being deleted.` })
  const isLabelled = found && Object.entries(labels).every(([key, value]) => found.metadata.labels?.[key] === value)
  const isMarked =
    found && Object.entries(annotations).every(([key, value]) => found.metadata.annotations?.[key] === value)
  if (isLabelled && isMarked) return
  // Nobody runs anything there before its level is known: until then it is the usual one.
  const first = found ? {} : podSecurityLabels('baseline')
  await connection.apply('v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, annotations, labels: { ...keptLevel(found), ...first, ...labels } },
  })
}

/** Pod Security labels to apply again: applying without a field gives it up, and a level that was set must stay. */
function keptLevel(found: KubeObject | undefined): Record<string, string> {
  const all = Object.entries(found?.metadata.labels ?? {})
  return Object.fromEntries(all.filter(([key]) => key.startsWith('pod-security.kubernetes.io/')))
}
