import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import type { ClusterConnection, KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import {
  managedBy,
  portalNamespace,
  type Remover,
  removeOwn,
} from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import { accountOfAction } from '../../../../adapters/kubernetes/space/space-identity.ts'
import type { PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { Connections } from '../../registry/connections.ts'
import { groupOf } from '../group-of.ts'
import { definedKinds, pluralOf, servedKinds } from '../judging/defined-kinds.ts'
import type { ActionRightsRow } from '../tables.ts'
import { actionRules, type BoundRole, type GrantedObject } from './action-rules.ts'
import type { HeldStore, ToHold } from './held-store.ts'
import { lockRevision, unlockRevision } from './locked-revisions.ts'
import type { RestsOn } from './rests-on.ts'

const rbac = 'rbac.authorization.k8s.io'
const actionLabel = 'quayside.io/action'
const nameOf = (actionId: string) => `quayside:action:${actionId}`
/** Beside the binding that lets the action into its space, which has the other name. */
const lentName = (actionId: string) => `${nameOf(actionId)}:lent`
const named = (resource: string) => `${rbac}/v1/${resource}`
/** The Secret first: the account's token dies with it. */
const ofAccounts = ['v1/secrets', 'v1/serviceaccounts']

/** An action that is about to run Helm, and what it may do outside of its space until it has. */
interface WantedRights {
  actionId: string
  tenantId: string
  clusterId: string
  spaceId: string
  namespace: string
  /** Objects that it makes, changes or deletes. */
  objects: readonly (Omit<GrantedObject, 'group' | 'plural'> & { apiVersion: string })[]
  /** Objects that the release may hold once the action has run. */
  held: readonly ToHold[]
  /** Tells whether it may give what its roles say, which has been judged. */
  mayGrant: boolean
  /** Roles that its judged bindings outside of the space refer to. */
  bound: readonly BoundRole[]
  /** Rights in the space that it has beside those of the space's account: Kubernetes lets it give no others. */
  lent: readonly PolicyRule[]
  /** Null for a deletion, which is let go whatever is approved. */
  restsOn: RestsOn | null
  /** The judged manifest that the release is to have: its definitions say which kinds there will be. */
  manifest: readonly ManifestObject[]
}

interface ActionRightsDeps {
  connections: Connections
  held: HeldStore
  /** Lowers the kubeconfigs of a space to reading, and waits for the cluster. */
  lowerKubeconfigs(place: { tenantId: string; clusterId: string; spaceId: string }): Promise<void>
}

/** Rights outside of a space that hold for one action. */
export function createActionRights({ connections, held, lowerKubeconfigs }: ActionRightsDeps) {
  async function revoke(row: ActionRightsRow): Promise<void> {
    const connection = await connections.to(row.tenant_id, row.cluster_id)
    await removeRights(connection, row)
    // Last: until then it could have read what others write.
    if (row.locked_secret !== null) await unlockRevision(connection, lockOf(row, row.locked_secret))
    await held.forgetRights(row.tenant_id, row.action_id)
  }

  return {
    /**
     * Kinds that a release defines are served once its definitions are there; the account may use them from the start.
     */
    async prepare(wanted: Pick<WantedRights, 'tenantId' | 'clusterId' | 'manifest'>): Promise<void> {
      const coming = [...new Set(definedKinds(wanted.manifest).map(({ apiVersion }) => groupOf(apiVersion)))]
      if (coming.length === 0) return
      const connection = await connections.to(wanted.tenantId, wanted.clusterId)
      await connection.ensurePortalNamespace(wanted, { coming })
    },

    /** Gives the rights to an account that this action alone has; a kubeconfig of it. */
    async grant(wanted: WantedRights): Promise<string> {
      const { actionId, tenantId, clusterId, spaceId, namespace } = wanted
      const connection = await connections.to(tenantId, clusterId)
      const [served, defined] = [await servedKinds(connection, wanted.objects), definedKinds(wanted.manifest)]
      const objects = wanted.objects.flatMap((one): GrantedObject[] => {
        const { plural, refused } = pluralOf(one, served, defined)
        if (refused) throw fail('cluster.refused', { message: `${one.kind} ${one.name} cannot be made: ${refused}.` })
        const { kind, name, namespace: at, isGoing, stays } = one
        return plural ? [{ group: groupOf(one.apiVersion), plural, kind, name, namespace: at, isGoing, stays }] : []
      })
      const row = {
        action_id: actionId,
        tenant_id: tenantId,
        cluster_id: clusterId,
        space_id: spaceId,
        namespace,
        objects,
        rests_on: wanted.restsOn,
      }
      await held.grant(row, wanted.held)
      // Pods of the space have these rights from the next call on, and so has everybody who can run one.
      if (await held.isElevated(tenantId, clusterId, spaceId)) await lowerKubeconfigs({ tenantId, clusterId, spaceId })
      await giveRights(connection, row, actionRules(objects, wanted))
      if (wanted.lent.length > 0) await bindOwn(connection, row, namespace, [...wanted.lent], lentName(actionId))
      const { name: binding, labels = {} } = metadataOf(row)
      const account = accountOfAction(spaceId, actionId)
      const kubeconfig = await connection.actionKubeconfig({ namespace, account, binding, labels })
      await mustStillCount(held, connection, row)
      return kubeconfig
    },

    /** Takes rights off the cluster while the action goes on; their record stays, so that nobody gives them anew. */
    async takeOff(row: ActionRightsRow): Promise<void> {
      await removeRights(await connections.to(row.tenant_id, row.cluster_id), row)
    },

    /** Why the rights of an action were taken back before its end; undefined: they were not. */
    withdrawn: async (tenantId: string, actionId: string): Promise<string | undefined> =>
      (await held.rightsOf(tenantId, actionId))?.withdrawn ?? undefined,

    /** When the action has ended, and when it is taken up again; nothing when it has none. */
    async end(tenantId: string, actionId: string): Promise<void> {
      const row = await held.rightsOf(tenantId, actionId)
      if (row) await revoke(row)
    },

    revoke,
    lock: createLocking({ connections, held }),

    sweep: createRightsSweep(held),
  }
}
export type ActionRights = ReturnType<typeof createActionRights>

/** A rollback that is about to lock what it reads. */
type Locking = Pick<WantedRights, 'actionId' | 'tenantId' | 'clusterId' | 'spaceId' | 'namespace'>

/**
 * Keeps everybody else from changing a Secret until the action has ended.
 * @returns the Secret as it stays; undefined when it is not there
 */
function createLocking({ connections, held }: Pick<ActionRightsDeps, 'connections' | 'held'>) {
  return async ({ tenantId, clusterId, ...wanted }: Locking, secret: string): Promise<KubeObject | undefined> => {
    const row = { action_id: wanted.actionId, space_id: wanted.spaceId, namespace: wanted.namespace }
    await held.lock({ ...row, tenant_id: tenantId, cluster_id: clusterId, locked_secret: secret })
    return lockRevision(await connections.to(tenantId, clusterId), lockOf(row, secret))
  }
}

function lockOf(
  { action_id, space_id, namespace }: Pick<ActionRightsRow, 'action_id' | 'space_id' | 'namespace'>,
  name: string,
) {
  return { namespace, name, account: accountOfAction(space_id, action_id) }
}

/** An approval that ends between the judgement and this moment may have been looked for before the rights were there. */
async function mustStillCount(held: HeldStore, connection: ClusterConnection, row: Rights): Promise<void> {
  const why = (await held.rightsOf(row.tenant_id, row.action_id))?.withdrawn
  if (!why) return
  await removeRights(connection, row)
  throw fail('approval.refused', { message: why })
}

/** Removes from a cluster what belongs to actions that have no rights any more, of whatever portal process. */
function createRightsSweep(held: HeldStore) {
  return async (
    connection: ClusterConnection,
    registration: { tenantId: string; clusterId: string },
  ): Promise<number> => {
    const known = new Set((await held.allRights(registration.clusterId)).map(({ action_id }) => action_id))
    const labelSelector = `${actionLabel},quayside.io/cluster=${registration.clusterId}`
    let count = 0
    const ofRoles = ['clusterrolebindings', 'rolebindings', 'clusterroles', 'roles'].map(named)
    // People of a space can put such labels on Secrets of their own.
    const where = [
      ...ofRoles.map((resource) => [resource, {}] as const),
      ...ofAccounts.map((resource) => [resource, { namespace: portalNamespace }] as const),
    ]
    for (const [resource, place] of where)
      for (const { metadata } of await connection.list(resource, { ...place, labelSelector, metadataOnly: true })) {
        const id = metadata.labels?.[actionLabel] ?? ''
        // One that was given between the two looks has its row by now.
        if (known.has(id) || (await held.rightsOf(registration.tenantId, id))) continue
        await removeOwn(connection, resource, metadata.namespace, metadata.name)
        count += 1
      }
    return count
  }
}

type Giving = Pick<ClusterConnection, 'apply'>
type Rights = Omit<ActionRightsRow, 'granted_at' | 'withdrawn' | 'locked_secret'>

async function giveRights(
  connection: Giving,
  row: Rights,
  { wide, inNamespaces }: ReturnType<typeof actionRules>,
): Promise<void> {
  if (wide.length > 0) await bindOwn(connection, row, undefined, wide)
  for (const [namespace, rules] of inNamespaces) await bindOwn(connection, row, namespace, rules)
}

/** Gives the account of an action a role with these rules. @param namespace undefined: in the whole cluster */
async function bindOwn(
  connection: Giving,
  row: Rights,
  namespace: string | undefined,
  rules: PolicyRule[],
  name = nameOf(row.action_id),
): Promise<void> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  const metadata = { ...metadataOf(row), name, ...(namespace === undefined ? {} : { namespace }) }
  await connection.apply(named(`${kind.toLowerCase()}s`), { apiVersion: `${rbac}/v1`, kind, metadata, rules })
  await connection.apply(named(`${kind.toLowerCase()}bindings`), {
    apiVersion: `${rbac}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: rbac, kind, name },
    subjects: [
      { kind: 'ServiceAccount', name: accountOfAction(row.space_id, row.action_id), namespace: portalNamespace },
    ],
  })
}

async function removeRights(
  connection: Remover,
  row: Pick<ActionRightsRow, 'action_id' | 'space_id' | 'namespace' | 'objects'>,
): Promise<void> {
  const name = nameOf(row.action_id)
  const namespaces = new Set([row.namespace, ...row.objects.flatMap(({ namespace }) => namespace ?? [])])
  for (const part of ['bindings', 's']) {
    await removeOwn(connection, named(`clusterrole${part}`), undefined, name)
    for (const namespace of namespaces) await removeOwn(connection, named(`role${part}`), namespace, name)
    await removeOwn(connection, named(`role${part}`), row.namespace, lentName(row.action_id))
  }
  const account = accountOfAction(row.space_id, row.action_id)
  for (const resource of ofAccounts) await removeOwn(connection, resource, portalNamespace, account)
}

function metadataOf(row: Rights): KubeObject['metadata'] {
  return {
    name: nameOf(row.action_id),
    labels: {
      ...managedBy,
      [actionLabel]: row.action_id,
      'quayside.io/tenant': row.tenant_id,
      'quayside.io/cluster': row.cluster_id,
      'quayside.io/space': row.space_id,
    },
  }
}
