import { type AskedRight, usualRight } from '@quayside/contract/clusters/asked-right'
import { type Approval, type ApprovalAnswer, mostOpenApprovals } from '@quayside/contract/clusters/rules'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { type Actor, holds } from '../../../../platform/auth/actor.ts'
import { mustEndBy } from '../../../../platform/auth/escalation.ts'
import type { SpaceCondition } from '../../../../platform/auth/rights.ts'
import { longId } from '../../../../platform/db/ids.ts'
import { storedJson } from '../../../../platform/db/stored-json.ts'
import { fail } from '../../../../platform/http/errors.ts'
import { listReply } from '../../../../platform/http/listing.ts'
import type { Decision } from '../judging/decide-outside.ts'
import { keyOf } from '../outside-objects.ts'
import type { ApprovalStore, ShownApproval } from './approval-store.ts'
import type { EditorNow } from './editor-now.ts'

/** The deployment that needs something, as it would be carried out. */
export interface Asked {
  clusterId: string
  spaceId: string
  appId: string
  item: { id: string; displayName: string }
  version: { id: string; version: string }
  fingerprint: string
  reason: string
  decisions: readonly Decision[]
}

interface ApprovalsDeps {
  store: ApprovalStore
  changed(tenantId: string, approvalId: string, spaceId: string, clusterId: string): void
  /** Tells whether there is such a role, of the realm or of a client with which people sign in. */
  isRole(realm: string, id: string): Promise<boolean>
  /** Roles that everybody in a realm holds. */
  commonRoles(realm: string): Promise<ReadonlySet<string>>
  editorNow: EditorNow
  /** Called when an approval has ended that running actions may rest on. */
  ended(): void
}

/** Somebody asks for what a chart needs outside of its space; who may edit the cluster answers. */
export function createApprovals({ store, changed, ended, ...asking }: ApprovalsDeps) {
  async function shown(tenantId: string, id: string, within?: SpaceCondition): Promise<ShownApproval> {
    const row = await store.find(tenantId, id, within)
    if (!row) throw fail('approval.not-found')
    return row
  }
  const tell = (row: ShownApproval) => changed(row.tenant_id, row.id, row.space_id, row.cluster_id)

  return {
    async ask(actor: Actor, asked: Asked): Promise<Approval> {
      const { tenantId, username, userId } = actor
      const { decisions, item, version } = asked
      mustNeedApproval(decisions)
      const objects = decisions.map(({ judged }) => {
        const { apiVersion, kind, name, namespace, elevates, grants, elsewhere, digest } = judged
        return { apiVersion, kind, name, namespace, elevates, grants, elsewhere, digest, key: keyOf(judged) }
      })
      const id = longId()
      const made = await store.insert(
        {
          ...{ id, tenant_id: tenantId, cluster_id: asked.clusterId, space_id: asked.spaceId, app_id: asked.appId },
          ...{ item_id: item.id, item_name: item.displayName, version_id: version.id, version: version.version },
          objects: storedJson(objects),
          elevates: objects.some(({ elevates }) => elevates),
          fingerprint: asked.fingerprint,
          reason: asked.reason,
          ...{ state: 'open', asked_by: username, asked_by_id: userId },
          ...{ answered_by: null, answered_at: null, note: null, expires_at: null },
        },
        mostOpenApprovals,
      )
      if (made === 'too-many') throw fail('approval.too-many')
      const row = await shown(tenantId, id)
      tell(row)
      return toApproval(row, actor)
    },

    async list(
      actor: Actor,
      query: ListQuery,
      within: SpaceCondition | undefined,
      path: string,
    ): Promise<ListReply<Approval>> {
      const { rows, total } = await store.list(actor.tenantId, query, within)
      return listReply(
        rows.map((row) => toApproval(row, actor)),
        total,
        query,
        path,
      )
    },

    get: async (actor: Actor, id: string, within: SpaceCondition | undefined) =>
      toApproval(await shown(actor.tenantId, id, within), actor),

    ...createAnswers({ store, ended, ...asking, shown, tell }),
  }
}

interface AnswersDeps extends Pick<ApprovalsDeps, 'store' | 'ended' | 'isRole' | 'commonRoles' | 'editorNow'> {
  shown(tenantId: string, id: string, within?: SpaceCondition): Promise<ShownApproval>
  tell(row: ShownApproval): void
}

/** Answers to requests, and their ends. */
function createAnswers({ store, ended, isRole, commonRoles, editorNow, shown, tell }: AnswersDeps) {
  /** A right that fewer hold than those who may deploy: a role that is there, and that not everybody has. */
  async function mustLimit(realm: string, { type, id }: AskedRight): Promise<void> {
    if (type !== 'role') return
    if (!(await isRole(realm, id))) throw fail('iam.role-not-found', { field: 'asksFor.id' })
    if ((await commonRoles(realm)).has(id))
      throw fail('request.invalid', {
        field: 'asksFor.id',
        message: `asksFor.id: everybody holds the role ${id}, so it keeps nobody from deploying; name one that fewer hold`,
      })
  }

  return {
    async answer(actor: Actor, id: string, answer: ApprovalAnswer): Promise<Approval> {
      const { tenantId, username } = actor
      await shown(tenantId, id)
      const isGranted = answer.decision === 'grant'
      const expires_at = isGranted && answer.hours !== null ? new Date(Date.now() + answer.hours * 3_600_000) : null
      const state = isGranted ? 'granted' : 'declined'
      const { asksFor } = answer
      if (isGranted) await mustLimit(actor.realm, asksFor)
      const until = await editorNow(actor)
      if (isGranted) mustEndBy(until, expires_at, 'hours')
      const asks_for = isGranted ? asksFor : null
      const change = { state, answered_by: username, note: answer.note || null, expires_at, asks_for } as const
      if (!(await store.change(tenantId, id, 'open', change))) throw fail('approval.answered')
      const row = await shown(tenantId, id)
      tell(row)
      return toApproval(row, actor)
    },

    async end(actor: Actor, id: string): Promise<Approval> {
      const { tenantId, username } = actor
      await shown(tenantId, id)
      const change = { state: 'ended', answered_by: username } as const
      if (!(await store.change(tenantId, id, 'granted', change))) throw fail('approval.answered')
      ended()
      const row = await shown(tenantId, id)
      tell(row)
      return toApproval(row, actor)
    },

    async withdraw({ tenantId, userId }: Actor, id: string, within: SpaceCondition | undefined): Promise<void> {
      const row = await shown(tenantId, id, within)
      if (row.asked_by_id !== userId) throw fail('approval.not-found')
      if (!(await store.withdraw(tenantId, id, userId))) throw fail('approval.answered')
      tell(row)
    },
  }
}

function mustNeedApproval(decisions: readonly Decision[]): void {
  const never = decisions.filter(({ need }) => need.verdict === 'never')
  if (never[0]) throw fail('approval.refused', { message: never[0].need.message })
  const needed = decisions.filter(({ need }) => need.verdict !== 'rule')
  if (needed.every(({ need }) => need.verdict === 'approved') && !decisions.some(({ judged }) => judged.elevates))
    throw fail('approval.not-needed')
}

/** Sentences that name what is in the namespaces of others are for readers who edit clusters. */
function toApproval(row: ShownApproval, reader: Actor): Approval {
  const seesAll = holds(reader, 'clusters', 'clusters.edit')
  return {
    id: row.id,
    state: row.state,
    cluster: { id: row.cluster_id, displayName: row.cluster_name },
    space: { id: row.space_id, displayName: row.space_name },
    app: { id: row.app_id, displayName: row.app_name },
    item: { id: row.item_id, displayName: row.item_name },
    version: row.version,
    objects: row.objects.map(({ key: _, digest: __, elsewhere = [], ...object }) => ({
      ...object,
      grants: seesAll ? [...elsewhere, ...object.grants] : object.grants,
    })),
    elevates: row.elevates,
    asksFor: row.asks_for ?? usualRight,
    otherApps: row.other_apps,
    reason: row.reason,
    askedBy: { id: row.asked_by_id, name: row.asked_by },
    askedAt: row.asked_at.toISOString(),
    answeredBy: row.answered_by,
    answeredAt: row.answered_at?.toISOString() ?? null,
    note: row.note,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}
