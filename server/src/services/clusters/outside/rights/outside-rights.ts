import { fileURLToPath } from 'node:url'
import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import type { Release } from '../../../../adapters/helm/release.ts'
import type { ClusterConnection, KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import { removeIfThere } from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import { policyKind, servesPolicies } from '../../../../adapters/kubernetes/space/space-policies.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { Connections } from '../../registry/connections.ts'
import { placed } from '../../releases/placed.ts'
import type { ReleaseRef } from '../../releases/release-ref.ts'
import { asRefusal, isReleaseSecret, releaseOf, secretOf } from '../../releases/releases.ts'
import { fieldsOf, textOf } from '../../workloads/fields.ts'
import { comparisonOf } from '../judging/compare.ts'
import type { Judged } from '../judging/judge-outside.ts'
import { makeDefinitions } from '../judging/make-definitions.ts'
import type { OutsideVerdict } from '../outside.ts'
import { isDefinitionFile, keyOf, type OutsideOfManifest, outsideOf } from '../outside-objects.ts'
import { readSurroundings } from '../read-surroundings.ts'
import type { HeldRow } from '../tables.ts'
import type { ActionRights } from './action-rights.ts'
import type { BoundRole } from './action-rules.ts'
import { definitionsThatStay, isDefinition } from './definitions-that-stay.ts'
import { formerLimits } from './former-limits.ts'
import { type HeldStore, placeOfRow, type ToHold } from './held-store.ts'
import { isPriorityClass } from './priority-classes.ts'
import type { RestsOn } from './rests-on.ts'

const rbac = 'rbac.authorization.k8s.io'

/** An action that is about to start Helm. */
export interface ActionWithRights extends ReleaseRef {
  actionId: string
  appId: string
  spaceId: string
  /** The judged release after the action; undefined when it is to be deleted. */
  toBe: OutsideVerdict | undefined
  /** Objects of the release before the action, hooks included. */
  asIs: readonly ManifestObject[]
  resourceScopes: ReadonlyMap<string, boolean>
  /** The release is not there: the definitions of its package are made. */
  isFirst: boolean
  /** Set where the starter may do this by an approval of just this deployment alone. */
  approvedAs?: string | undefined
  /** Helm applies a stored revision, which others could have written: the portal sets roles itself. */
  isStored: boolean
}

/** A rollback that is about to start Helm. */
export interface RollbackTo extends ReleaseRef {
  actionId: string
  spaceId: string
  revision: number
}

/** The program that compares Helm's rendering with the judged objects, and its input as JSON. */
interface Comparing {
  script: string
  data: string
}

/** Input of Helm that an action has by its reach. */
export interface GivenRights {
  /** Undefined when nothing has to be compared. */
  comparing?: Comparing
  /** Why Helm leaves all hooks of a deletion out; undefined where it starts them. */
  withoutHooks?: string
  /** Credentials of the account that has the action's rights outside of its space; undefined when it has none. */
  kubeconfig?: string
}

interface OutsideRightsDeps {
  connections: Connections
  held: HeldStore
  rights: ActionRights
}

const unlockable =
  'This revision has objects outside of the space, a rollback reads them from where others can change them, and this cluster, before Kubernetes 1.30, cannot keep them from it. Upgrade to the version and values of that revision instead.'
const hooksMakeOutside = 'those for a deletion would make objects outside of the space, and a deletion makes none there'

/** Lets pods of the space name the classes of priority that its release brings. */
async function nameOwnPriorities(
  connections: Connections,
  { tenantId, clusterId, namespace, spaceId }: ActionWithRights,
): Promise<void> {
  await connections.ensureSpace(await connections.recent(tenantId, clusterId), { namespace, spaceId })
}

/** Gives one action what it needs outside of its space, and takes it back. */
export function createOutsideRights({ connections, held, rights }: OutsideRightsDeps) {
  return {
    /**
     * Makes definitions, gives the action an account with its rights outside, and sets the roles of a rollback.
     * @throws `approval.refused` for a rollback that would make roles, or has an object that was approved with one content,
     * and for an action that would remove a definition of which others have objects
     * @throws `cluster.refused` where the cluster does not let the portal make or give these
     */
    async giveOutsideRights(action: ActionWithRights): Promise<GivenRights> {
      const { tenantId, clusterId, namespace, toBe, resourceScopes } = action
      const manifest = toBe?.objects ?? []
      const connection = await connections.to(tenantId, clusterId)
      await rights.prepare({ tenantId, clusterId, manifest })
      if (action.isFirst) await makeDefinitions(connection, definitionsOf(toBe))
      const own = await ownOutside(held, connection, action)
      const judged = (toBe?.decisions ?? []).map((one) => one.judged)
      const wanted = judged.filter(({ lent }) => !lent)
      const former = await formerLimits(connection, action, action.asIs)
      const lent = [...judged.flatMap((one) => one.lent ?? []), ...former]
      const kept = new Set(wanted.map(keyOf))
      const isOutside = own.length > 0 || wanted.length > 0
      const given: GivenRights = {}
      if (!toBe && outsideOf(action.asIs, action).some(isDeletionHook)) given.withoutHooks = hooksMakeOutside
      // Without rights outside, a chart that renders differently by now can only let others in, which the policy refuses.
      const isCompared = isOutside || !resourceScopes.has(policyKind)
      // An action that an approval alone lets run loses its own account with that, whatever the chart renders by now.
      const hasAccount = isOutside || lent.length > 0 || action.approvedAs !== undefined
      if (!isCompared && !hasAccount) return given
      if (action.isStored) mustBeOfList(toBe)
      const going = own.filter((one) => !kept.has(keyOf(one)))
      const staying = await definitionsThatStay(connection, action, { going, wanted })
      if (hasAccount)
        given.kubeconfig = await rights.grant({
          ...{ actionId: action.actionId, tenantId, clusterId, spaceId: action.spaceId, namespace },
          objects: [
            ...wanted
              .filter((one) => !one.isDefinitionFile)
              // Helm deletes nothing that the release goes on having, but for what a hook makes.
              .map((one) => ({ ...one, isGoing: false, stays: isDefinition(one) && !one.isHook })),
            // A deletion and a rollback read what was stored where others write: it makes nothing that was not judged.
            ...going.map((one) => ({ ...one, isGoing: true, stays: staying.has(keyOf(one)) })),
          ],
          held: wantedRows(action),
          mayGrant: toBe !== undefined && !action.isStored,
          bound: toBe ? boundRoles(judgedObjects(toBe, action)) : [],
          restsOn: toBe ? groundsOf(action, toBe) : null,
          manifest,
          lent,
        })
      if (wanted.some(isPriorityClass)) await nameOwnPriorities(connections, action)
      // Last, because an action that fails here leaves roles as they were: after it comes Helm alone.
      if (action.isStored && toBe) await setRoles(connection, action, toBe)
      if (!toBe || action.isStored || !isCompared) return given
      const script = fileURLToPath(new URL('../judging/compare-main.ts', import.meta.url))
      const data = JSON.stringify(comparisonOf(toBe.around, resourceScopes, wanted))
      return { ...given, comparing: { script, data } }
    },

    /** After Helm: takes the rights back, and forgets what the release does not hold. */
    async endOutsideRights(place: ReleaseRef & { actionId: string }): Promise<void> {
      await rights.end(place.tenantId, place.actionId)
      const rows = await held.held(place)
      if (rows.length === 0) return
      const connection = await connections.to(place.tenantId, place.clusterId)
      await Promise.all(rows.map((row) => forgetIfGone(connection, row)))
    },
    forgetIfGone,
    lockRevision: createRevisionLock({ connections, rights }),
  }

  async function forgetIfGone(connection: ClusterConnection, row: HeldRow): Promise<void> {
    const served = await connection.resourceOf(row.api_version, row.kind)
    const found = served && (await connection.get(served.resource, row.object_namespace || undefined, row.name))
    if (!found) await held.markGone(row)
  }
}
export type OutsideRights = ReturnType<typeof createOutsideRights>

/**
 * Keeps the revision that an action rolls back to as it is until `endOutsideRights`, and reads it. It is read by the name
 * by which Helm reads it: other Secrets of the release could say that they were that revision.
 * @throws `approval.refused` where the cluster cannot keep others from changing it
 */
function createRevisionLock({ connections, rights }: Pick<OutsideRightsDeps, 'connections' | 'rights'>) {
  return async (action: RollbackTo): Promise<Release> => {
    const connection = await connections.to(action.tenantId, action.clusterId)
    if (!servesPolicies(await connection.kinds())) throw fail('approval.refused', { message: unlockable })
    const secret = await rights.lock(action, secretOf(action.releaseName, action.revision))
    if (!secret || !isReleaseSecret(secret))
      throw fail('cluster.refused', { message: `Revision ${action.revision} of the release is not there any more.` })
    return releaseOf(secret).catch(asRefusal)
  }
}

/**
 * Objects of the release outside of its space that the cluster confirms as its own, and names of objects that it had and
 * that are gone: Helm asks for those as well. An object of somebody else under such a name is not among them.
 */
async function ownOutside(held: HeldStore, connection: ClusterConnection, action: ActionWithRights) {
  const rows = await held.everHeld(action)
  const known = new Set(rows.map((row) => keyOf(placeOfRow(row))))
  const present = new Set(rows.filter(({ is_gone }) => !is_gone).map((row) => keyOf(placeOfRow(row))))
  const stored = outsideOf(action.asIs, action)
  const named = new Set(stored.map(keyOfOutside))
  const beside = rows.map(asOutside).filter((one) => present.has(keyOfOutside(one)) && !named.has(keyOfOutside(one)))
  const all = [...stored, ...beside]
  const { existing } = await readSurroundings(connection, all, { ...action, held: present })
  return all.flatMap((one) => {
    const found = existing.get(keyOfOutside(one))
    if (found === undefined ? !known.has(keyOfOutside(one)) : found !== 'own') return []
    const { apiVersion, kind, name, body } = one.object
    const { annotations } = fieldsOf(body.metadata)
    const isKept = textOf(fieldsOf(annotations)['helm.sh/resource-policy']).trim().toLowerCase() === 'keep'
    return [{ apiVersion, group: one.group, kind, name, namespace: one.namespace, isLeft: one.isHook || isKept }]
  })
}

const keyOfOutside = ({ object: { kind, name }, group, namespace }: OutsideOfManifest) =>
  keyOf({ group, kind, namespace, name })

/** An object of which the record alone is known, such as one that a hook has made. */
function asOutside(row: HeldRow): OutsideOfManifest {
  const { group, kind, name, namespace } = placeOfRow(row)
  const object = { apiVersion: row.api_version, kind, name, namespace: namespace ?? undefined, body: {} }
  return { object, group, namespace, isDefinitionFile: false, isHook: true }
}

function groundsOf({ appId, approvedAs }: ActionWithRights, { decisions, item }: OutsideVerdict): RestsOn {
  const objects = decisions.map(({ judged: { group, kind, name, namespace, digest, never, isForAll, isStored } }) => ({
    ...{ group, kind, name, namespace, digest, never, isForAll, ...(isStored ? { isStored } : {}) },
  }))
  return { appId, item, objects, fingerprint: approvedAs ?? null }
}

/** Definitions that Helm would install once, of those that were allowed. */
function definitionsOf(toBe: OutsideVerdict | undefined): ManifestObject[] {
  const allowed = new Set(
    (toBe?.decisions ?? []).filter(({ judged }) => judged.isDefinitionFile).map(({ judged }) => judged.name),
  )
  return (toBe?.objects ?? []).filter(
    ({ kind, name, source }) => isDefinitionFile({ kind, source }) && allowed.has(name),
  )
}

/** An object outside of the space with what was said of it. */
interface JudgedObject {
  judged: Judged
  object: ManifestObject
}

/** Judged roles and bindings, each with its own object: one of the same name elsewhere is another. */
function judgedObjects({ decisions, objects }: OutsideVerdict, action: ActionWithRights): JudgedObject[] {
  const byKey = new Map(
    outsideOf(objects, action).map((one) => [keyOf({ ...one, kind: one.object.kind, name: one.object.name }), one]),
  )
  return decisions.flatMap(({ judged }): JudgedObject[] => {
    const one = judged.group === rbac ? byKey.get(keyOf(judged)) : undefined
    return one ? [{ judged, object: one.object }] : []
  })
}

/** Roles that judged bindings refer to. Those of bindings in the space are not among them: nobody has judged those. */
function boundRoles(judged: readonly JudgedObject[]): BoundRole[] {
  return judged.flatMap(({ judged: { namespace }, object }): BoundRole[] => {
    if (!object.kind.endsWith('Binding')) return []
    const { kind, name } = fieldsOf(object.body.roleRef)
    if (kind !== 'ClusterRole' && kind !== 'Role') return []
    return textOf(name) === '' ? [] : [{ kind, name: textOf(name), namespace }]
  })
}

/** Objects outside of the space that the release may hold, each with the rights that deploying asks for by it. */
const wantedRows = (action: ActionWithRights): ToHold[] =>
  (action.toBe?.decisions ?? []).filter(({ judged }) => !judged.lent).map((decision) => heldRow(action, decision))

function heldRow(action: ActionWithRights, { judged: one, asksFor }: OutsideVerdict['decisions'][number]): ToHold {
  return {
    ...{ tenant_id: action.tenantId, cluster_id: action.clusterId, space_id: action.spaceId, app_id: action.appId },
    ...{ namespace: action.namespace, release_name: action.releaseName, api_version: one.apiVersion },
    ...{ api_group: one.group, kind: one.kind, object_namespace: one.namespace ?? '', name: one.name },
    ...{ elevates: one.elevates, digest: one.digest, asks_for: asksFor.length > 0 ? JSON.stringify(asksFor) : null },
  }
}

/**
 * Sets the roles and bindings of a release to what was judged, as Helm would, so that Helm changes nothing of them and
 * needs no right to give what they say. All of them are set, or none: when one is refused, those before it become again
 * what they were.
 */
async function setRoles(connection: ClusterConnection, action: ActionWithRights, toBe: OutsideVerdict) {
  const roles = judgedObjects(toBe, action).filter(({ judged }) => !judged.isHook)
  mustBeInRelease(roles, action)
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const { judged, object } of roles.toSorted(
      (a, b) => Number(/Binding$/.test(a.judged.kind)) - Number(/Binding$/.test(b.judged.kind)),
    )) {
      const served = await connection.resourceOf(judged.apiVersion, judged.kind)
      if (!served) continue
      const namespace = judged.namespace ?? undefined
      const wanted = asOfRelease(placed(object, namespace), action)
      const found = await connection.get(served.resource, namespace, judged.name)
      if (found) {
        await connection.replace(served.resource, inPlaceOf(found, wanted))
        undo.unshift(async () => {
          const now = await connection.get(served.resource, namespace, judged.name)
          if (now) await connection.replace(served.resource, inPlaceOf(now, found))
        })
      } else {
        await connection.create(served.resource, wanted)
        undo.unshift(() => removeIfThere(connection, served.resource, namespace, judged.name))
      }
    }
  } catch (error) {
    for (const back of undo) await back()
    throw error
  }
}

/** Helm makes what the present revision lacks, and without the right to give what a role says it cannot make that role. */
function mustBeInRelease(roles: readonly JudgedObject[], action: ActionWithRights): void {
  const present = new Set(
    outsideOf(action.asIs, action).map((one) => keyOf({ ...one, kind: one.object.kind, name: one.object.name })),
  )
  const lacking = roles.find(({ judged }) => !present.has(keyOf(judged)))?.judged
  if (!lacking) return
  throw fail('approval.refused', {
    message: `${lacking.kind} ${lacking.name} is not in the present revision, and a rollback makes no roles or bindings outside of the space. Upgrade to the version and values of that revision instead.`,
  })
}

/** An object that Helm makes while it deletes a release. */
function isDeletionHook({ object }: OutsideOfManifest): boolean {
  const annotations = fieldsOf(fieldsOf(object.body.metadata).annotations)
  return /\b(?:pre|post)-delete\b/.test(textOf(annotations['helm.sh/hook']))
}

/**
 * A rollback applies what is stored, which others may have written before it was judged. Of what the list has for everybody
 * any content may be, and roles and bindings are compared whole. Of anything else one content was approved, and what a chart
 * makes anew each time, such as the certificate of a webhook, is not compared: here it could be somebody else's.
 */
function mustBeOfList(toBe: OutsideVerdict | undefined): void {
  const one = toBe?.decisions.find(({ judged, need }) => need.verdict === 'approved' && judged.group !== rbac)?.judged
  if (!one) return
  throw fail('approval.refused', {
    message: `${one.kind} ${one.name} was approved with one content, and a rollback reads it from where others can change it. Upgrade to the version and values of that revision instead.`,
  })
}

/** An object with the marks by which Helm tells the objects of a release. */
function asOfRelease(whole: KubeObject, { releaseName, namespace }: ActionWithRights): KubeObject {
  const { labels, annotations } = whole.metadata
  return {
    ...whole,
    metadata: {
      ...whole.metadata,
      labels: { ...labels, 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: {
        ...annotations,
        'meta.helm.sh/release-name': releaseName,
        'meta.helm.sh/release-namespace': namespace,
      },
    },
  }
}

function inPlaceOf({ metadata: { resourceVersion, uid } }: KubeObject, wanted: KubeObject): KubeObject {
  return { ...wanted, metadata: { ...wanted.metadata, resourceVersion, uid } as KubeObject['metadata'] }
}
