import { type AskedRight, withoutRepeats } from '@quayside/contract/clusters/asked-right'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Connections } from '../registry/connections.ts'
import type { ReleaseRef } from '../releases/release-ref.ts'
import type { ApprovalStore } from './approvals/approval-store.ts'
import type { RuleStore } from './approvals/rule-store.ts'
import { type Decision, decideOutside, isUsable } from './judging/decide-outside.ts'
import { type Judged, judgeOutside, type Surroundings } from './judging/judge-outside.ts'
import { judgeUnserved, onUnservedGroups } from './judging/unserved-groups.ts'
import { mustBeMade } from './not-made.ts'
import { keyOf, outsideOf, unclear } from './outside-objects.ts'
import { readSurroundings } from './read-surroundings.ts'
import { type HeldStore, placeOfRow } from './rights/held-store.ts'
import type { ApprovalRow, HeldRow } from './tables.ts'

const rbac = 'rbac.authorization.k8s.io'

/** A release as it is about to be deployed. */
export interface ReleaseToBe {
  clusterId: string
  spaceId: string
  appId: string
  namespace: string
  releaseName: string
  item: { id: string; publisherId: string | null; sourceId: string | null }
  objects: readonly ManifestObject[]
  resourceScopes: ReadonlyMap<string, boolean>
  /** The objects are those of a stored revision, which people of the space can change until it is locked. */
  isStored?: boolean
}

export interface OutsideVerdict {
  /** The catalog item that it was judged as. */
  item: ReleaseToBe['item']
  decisions: Decision[]
  /** Any of the objects gives rights outside of the space. */
  elevates: boolean
  /** The rights that deploying asks for by these objects: all of them. */
  asksFor: AskedRight[]
  /** Deployments that an approval in force was given for: those may be carried out by whoever asked. */
  fingerprints: string[]
  /** Facts about the cluster at the time of the judgement, and the objects that were judged. */
  around: Surroundings
  objects: readonly ManifestObject[]
  /** The newest request about the app that is not ended. */
  approvalId: string | null
}

interface OutsideDeps {
  connections: Connections
  rules: RuleStore
  approvals: ApprovalStore
  held: HeldStore
}

/** Says what a release needs outside of its space, and what becomes of it. */
export function createOutside({ connections, rules, approvals, held }: OutsideDeps) {
  /** Rights that are lent to a release; a group that came within the last minute is served, although discovery was read before. */
  async function unserved(tenantId: string, { clusterId, namespace, objects, resourceScopes }: ReleaseToBe) {
    if (onUnservedGroups(objects, { namespace, resourceScopes }).length === 0) return []
    const connection = await connections.to(tenantId, clusterId)
    const now = new Map((await connection.kinds('now')).map((one) => [`${one.apiVersion}/${one.kind}`, one.namespaced]))
    return judgeUnserved(onUnservedGroups(objects, { namespace, resourceScopes: now }), namespace)
  }

  return {
    async verdict(tenantId: string, release: ReleaseToBe): Promise<OutsideVerdict> {
      const { clusterId, namespace, releaseName, objects, appId, item } = release
      const outside = outsideOf(objects, release)
      const areOutside = new Set(outside.map(({ object }) => object))
      mustBeMade(objects.filter((object) => !areOutside.has(object)))
      const lent = await unserved(tenantId, release)
      const nothing = { namespace, namespaces: new Map(), existing: new Map(), roles: new Map() }
      if (outside.length + lent.length === 0) {
        const fingerprints = fingerprintsOf(await approvals.ofApp(tenantId, appId))
        return {
          ...{ decisions: [], elevates: false, asksFor: [], fingerprints, approvalId: null, objects, item },
          around: nothing,
        }
      }
      const strange = unclear(objects)[0]
      if (strange)
        throw fail('approval.refused', {
          message: `${strange.kind || 'An object'} ${strange.name} is written in a way that cannot be checked, and the chart makes objects outside of its space.`,
        })
      const place: ReleaseRef = { tenantId, clusterId, namespace, releaseName }
      const [row, connection, listed, asked, holds, atWork] = await Promise.all([
        connections.recent(tenantId, clusterId),
        connections.to(tenantId, clusterId),
        rules.all(tenantId, clusterId),
        approvals.ofApp(tenantId, appId),
        held.held(place),
        held.allRights(clusterId),
      ])
      const keys = new Set(holds.map((row) => keyOf(placeOfRow(row))))
      const around =
        outside.length > 0
          ? await readSurroundings(connection, outside, { namespace, releaseName, held: keys })
          : nothing
      const changing = atWork.flatMap((one) => one.objects.filter(({ isGoing }) => !isGoing).map(keyOf))
      const found = [...judgeOutside(outside, { ...around, changing: new Set(changing) }), ...lent]
      const judged = release.isStored ? found.map((one) => asStored(one, appId, holds)) : found
      const now = new Date()
      const decisions = decideOutside(judged, {
        isOn: row.cluster_scoped,
        rules: listed.map((rule) => ({ ...rule, group: rule.api_group })),
        item,
        approvals: asked,
        now,
      })
      return {
        decisions,
        elevates: judged.some((one) => one.elevates),
        asksFor: withoutRepeats(decisions.flatMap(({ asksFor }) => asksFor)),
        fingerprints: fingerprintsOf(asked),
        around,
        objects,
        item,
        approvalId: asked.find(({ state }) => state !== 'ended')?.id ?? null,
      }
    },
  }
}

/**
 * Roles and bindings of a stored revision that are what the app was let have bring nobody else's content: they are compared
 * whole. Of all other objects, parts that are not compared may be of whoever has written the revision.
 */
function asStored(one: Judged, appId: string, holds: readonly HeldRow[]): Judged {
  const has = (row: HeldRow) =>
    row.app_id === appId && row.digest === one.digest && keyOf(placeOfRow(row)) === keyOf(one)
  return { ...one, isStored: one.group !== rbac || !holds.some(has) }
}

function fingerprintsOf(asked: readonly Pick<ApprovalRow, 'state' | 'expires_at' | 'fingerprint'>[]): string[] {
  const now = new Date()
  return asked.filter((one) => isUsable(one, now)).map(({ fingerprint }) => fingerprint)
}
