import { createHash } from 'node:crypto'
import { accountToken } from './account-token.ts'
import type { ClusterAccess } from './kubeconfig.ts'
import type { ClusterConnection, KubeObject, PersonInSpace } from './kubernetes.ts'
import { ensureNamespace } from './space-identity.ts'
import type { Transport } from './transport.ts'

const rbac = 'rbac.authorization.k8s.io'
const bindings = `${rbac}/v1/rolebindings`

/** A name that says nothing of the person, and is always the same one's. */
const accountOf = (userId: string) => `person-${createHash('sha256').update(userId).digest('hex').slice(0, 16)}`

/** Gives a person an account of their own in a space's namespace, with the rights they have now, and a token of it. */
export async function makePersonAccess(
  connection: Pick<ClusterConnection, 'get' | 'apply' | 'remove'>,
  transport: Transport,
  { server, certificateAuthority, tlsServerName }: ClusterAccess,
  { namespace, userId, role, labels: own }: PersonInSpace,
): Promise<Omit<ClusterAccess, 'name'>> {
  const spaceLabels = { 'app.kubernetes.io/managed-by': 'quayside', ...own }
  const account = accountOf(userId)
  const labels = { ...spaceLabels, 'quayside.io/person': account }
  await ensureNamespace(connection, namespace, spaceLabels)
  const metadata = { name: account, namespace, labels }
  await connection.apply('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await bind(connection, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  })
  const token = await accountToken(transport, namespace, account)
  return { server, certificateAuthority, tlsServerName, namespace, token }
}

/** What a binding refers to cannot change: one with other rights is taken away first. */
async function bind(connection: Pick<ClusterConnection, 'get' | 'apply' | 'remove'>, binding: KubeObject) {
  const { name, namespace } = binding.metadata
  const found = await connection.get(bindings, namespace, name)
  const roleOf = (one: KubeObject) => (one.roleRef as { name?: unknown } | undefined)?.name
  if (found && roleOf(found) !== roleOf(binding)) await connection.remove(bindings, namespace, name)
  await connection.apply(bindings, binding)
}
