import type { ClusterAccess } from '../kubeconfig.ts'
import type { ClusterConnection, KubeObject } from '../kubernetes.ts'
import type { Transport } from '../transport.ts'
import { accountToken } from './account-token.ts'
import { managedBy, portalNamespace, type Remover, removeOwn } from './portal-namespace.ts'
import { isInForce } from './same-object.ts'
import { type PersonRole, roleNames } from './space-rules.ts'

/** A kubeconfig that is handed out, for the namespace of one space. */
export interface PersonInSpace {
  /** Id of the kubeconfig; its account, Secret and binding are named by it. */
  id: string
  namespace: string
  role: PersonRole
  tenantId: string
  spaceId: string
  clusterId: string
}

type Writer = Remover & Pick<ClusterConnection, 'apply'>

const rbac = 'rbac.authorization.k8s.io'
const bindings = `${rbac}/v1/rolebindings`
const accounts = 'v1/serviceaccounts'
const secrets = 'v1/secrets'
const kubeconfigLabel = 'quayside.io/kubeconfig'
/** On what versions before this one made for people in the namespaces of spaces. */
const personLabel = 'quayside.io/person'
const prefix = 'kubeconfig-'
const nameOf = (id: string) => `${prefix}${id}`

/**
 * Makes an account of its own for a kubeconfig, in the portal's namespace, which no person can enter, and binds it in
 * that of the space. Its token dies with a Secret beside it. Both namespaces must be there.
 */
export async function makePersonAccess(
  connection: Writer,
  transport: Transport,
  { server, certificateAuthority, tlsServerName }: ClusterAccess,
  person: PersonInSpace,
): Promise<Omit<ClusterAccess, 'name'>> {
  const { namespace } = person
  const name = nameOf(person.id)
  const metadata = { name, namespace: portalNamespace, labels: labelsOf(person) }
  const [, secret] = await Promise.all([
    connection.apply(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    connection.apply(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }),
  ])
  const token = await accountToken(transport, portalNamespace, name, { kind: 'Secret', name, uid: secret.metadata.uid })
  await bindPerson(connection, person)
  return { server, certificateAuthority, tlsServerName, namespace, token }
}

/**
 * Gives a kubeconfig a role. What a binding refers to cannot change: one of another role is taken away first, and so is
 * one that is just being deleted, which gives its rights for as long as somebody holds it.
 */
export async function bindPerson(connection: Writer, person: PersonInSpace): Promise<void> {
  const { namespace } = person
  const binding = bindingOf(person)
  const found = await connection.get(bindings, namespace, binding.metadata.name)
  if (found && isInForce(found, binding)) return
  if (found) await removeOwn(connection, bindings, namespace, binding.metadata.name)
  await connection.apply(bindings, binding)
}

/** First what it may do, because a cluster may remember for seconds that a token was good, but no right. */
export async function endPersonAccess(
  connection: Remover,
  { id, namespace }: Pick<PersonInSpace, 'id' | 'namespace'>,
): Promise<void> {
  const name = nameOf(id)
  await removeOwn(connection, bindings, namespace, name)
  await removeOwn(connection, secrets, portalNamespace, name)
  await removeOwn(connection, accounts, portalNamespace, name)
}

/** Kubeconfigs of a registration that have anything on its cluster. */
export async function personAccesses(
  connection: Pick<ClusterConnection, 'list'>,
  { tenantId, clusterId }: Pick<PersonInSpace, 'tenantId' | 'clusterId'>,
): Promise<{ id: string; namespace: string }[]> {
  const labelSelector = `${kubeconfigLabel},quayside.io/tenant=${tenantId},quayside.io/cluster=${clusterId}`
  // Accounts and Secrets in spaces are not the portal's, whatever somebody has written on them.
  const places = [
    [bindings, undefined],
    [accounts, portalNamespace],
    [secrets, portalNamespace],
  ] as const
  const found = await Promise.all(
    places.map(([resource, namespace]) =>
      connection.list(resource, {
        labelSelector,
        metadataOnly: true,
        ...(namespace === undefined ? {} : { namespace }),
      }),
    ),
  )
  const each = found.flat().map(({ metadata }) => {
    const id = metadata.labels?.[kubeconfigLabel] ?? ''
    return [id, metadata.namespace === portalNamespace ? undefined : metadata.namespace] as const
  })
  const byId = Map.groupBy(each, ([id]) => id)
  return [...byId].map(([id, places]) => ({
    id,
    namespace: places.find(([, namespace]) => namespace !== undefined)?.[1] ?? portalNamespace,
  }))
}

/** Removes the accounts that versions before this one made for people in the namespaces of spaces. */
export async function removeFormerAccounts(
  connection: Remover & Pick<ClusterConnection, 'list'>,
  tenantId: string,
): Promise<number> {
  const labelSelector = `${personLabel},quayside.io/tenant=${tenantId}`
  let count = 0
  for (const resource of [bindings, accounts])
    for (const { metadata } of await connection.list(resource, { labelSelector, metadataOnly: true })) {
      await removeOwn(connection, resource, metadata.namespace, metadata.name)
      count += 1
    }
  return count
}

function bindingOf(person: PersonInSpace): KubeObject {
  const name = nameOf(person.id)
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace: person.namespace, labels: labelsOf(person) },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleNames[person.role] },
    subjects: [{ kind: 'ServiceAccount', name, namespace: portalNamespace }],
  }
}

function labelsOf({ id, tenantId, spaceId, clusterId }: PersonInSpace): Record<string, string> {
  return {
    ...managedBy,
    [kubeconfigLabel]: id,
    'quayside.io/tenant': tenantId,
    'quayside.io/space': spaceId,
    'quayside.io/cluster': clusterId,
  }
}
