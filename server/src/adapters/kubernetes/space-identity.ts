import { fail } from '../../kernel/errors.ts'
import { accountToken } from './account-token.ts'
import { type ClusterAccess, writeKubeconfig } from './kubeconfig.ts'
import type { ClusterConnection, KubeObject } from './kubernetes.ts'
import type { Transport } from './transport.ts'

const account = 'quayside-deployer'
const spaceLabel = 'quayside.io/space'
const rbac = 'rbac.authorization.k8s.io'

/** Makes the space's namespace and its own identity there; answers with a kubeconfig of that identity. */
export async function makeSpaceIdentity(
  connection: Pick<ClusterConnection, 'get' | 'apply' | 'remove'>,
  transport: Transport,
  access: ClusterAccess,
  namespace: string,
  options: { clusterScoped: boolean; labels: Record<string, string> },
): Promise<string> {
  const labels = { 'app.kubernetes.io/managed-by': 'quayside', ...options.labels }
  await ensureNamespace(connection, namespace, labels)
  await connection.apply('v1/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: account, namespace, labels },
  })
  await Promise.all([
    connection.apply(`${rbac}/v1/rolebindings`, bindingOf('RoleBinding', 'admin', namespace, labels)),
    bindWholeCluster(connection, namespace, labels, options.clusterScoped),
  ])
  const token = await accountToken(transport, namespace, account)
  const { name, server, certificateAuthority, tlsServerName } = access
  return writeKubeconfig({
    name,
    server,
    certificateAuthority,
    tlsServerName,
    namespace,
    token,
  })
}

/** Makes the space's namespace unless it is there; one of another space is refused. */
export async function ensureNamespace(
  connection: Pick<ClusterConnection, 'get' | 'apply'>,
  namespace: string,
  labels: Record<string, string>,
): Promise<void> {
  const found = await connection.get('v1/namespaces', undefined, namespace)
  const owner = found?.metadata.labels?.[spaceLabel]
  if (found && owner !== undefined && owner !== labels[spaceLabel])
    throw fail('cluster.refused', { message: `The namespace ${namespace} belongs to another space.` })
  if (found && 'deletionTimestamp' in found.metadata)
    throw fail('cluster.refused', { message: `The namespace ${namespace} is just being deleted.` })
  const isLabelled = found && Object.entries(labels).every(([key, value]) => found.metadata.labels?.[key] === value)
  if (isLabelled) return
  await connection.apply('v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels },
  })
}

/** Only where the cluster allows its charts to reach outside of their space; taken back when it no longer does. */
async function bindWholeCluster(
  connection: Pick<ClusterConnection, 'get' | 'apply' | 'remove'>,
  namespace: string,
  labels: Record<string, string>,
  wanted: boolean,
): Promise<void> {
  const resource = `${rbac}/v1/clusterrolebindings`
  const name = `quayside:${namespace}`
  if (wanted) {
    const binding = bindingOf('ClusterRoleBinding', 'cluster-admin', namespace, labels)
    await connection.apply(resource, { ...binding, metadata: { name, labels } })
    return
  }
  if (await connection.get(resource, undefined, name)) await connection.remove(resource, undefined, name)
}

function bindingOf(kind: string, role: string, namespace: string, labels: Record<string, string>): KubeObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name: account, namespace, labels },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  }
}
