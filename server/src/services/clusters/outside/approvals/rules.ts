import { type ClusterRule, type ClusterRuleInput, mostClusterRules } from '@quayside/contract/clusters/rules'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { shortId } from '../../../../platform/db/ids.ts'
import { fail } from '../../../../platform/http/errors.ts'
import { isElevatingKind, isNeverListed } from '../judging/judge-outside.ts'
import type { RuleRow } from '../tables.ts'
import { type EditorNow, mustEditForGood } from './editor-now.ts'
import { firstRules } from './first-rules.ts'
import type { RuleStore } from './rule-store.ts'

interface RulesDeps {
  store: RuleStore
  /** The name of a catalog item; undefined when there is none. */
  itemName(tenantId: string, itemId: string): Promise<string | undefined>
  /** Id of the account of this name that was the last to upload anything; undefined when none has. */
  publisherNamed(tenantId: string, name: string): Promise<string | undefined>
  editorNow: EditorNow
  changed(tenantId: string, clusterId: string): void
  /** Called when an entry is gone that running actions may rest on. */
  ended(): void
}

/** Rules for the objects that charts may make on a cluster outside of their space, edited by the cluster's editors. */
export function createRules({ store, itemName, publisherNamed, editorNow, changed, ended }: RulesDeps) {
  return {
    list: async (tenantId: string, clusterId: string) => (await store.all(tenantId, clusterId)).map(toRule),

    /** Tells whether charts that this account uploads may make something that others may not. */
    trusts: store.trusts,

    async add(actor: Actor, clusterId: string, input: ClusterRuleInput): Promise<ClusterRule> {
      const { tenantId, username } = actor
      const { group, kind, name, itemId, publisher, note } = input
      if (isNeverListed({ group, kind })) throw fail('cluster.rule-refused', { field: 'kind' })
      const itemDisplayName = itemId === null ? null : await itemName(tenantId, itemId)
      if (itemDisplayName === undefined) throw fail('catalog.item-not-found', { field: 'itemId' })
      const publisher_id = publisher === null ? null : await publisherNamed(tenantId, publisher)
      if (publisher_id === undefined) throw fail('catalog.publisher-not-found', { field: 'publisher' })
      const row = {
        ...{
          id: shortId(12),
          tenant_id: tenantId,
          cluster_id: clusterId,
          api_group: group,
          kind,
          name,
          publisher,
          publisher_id,
          note,
        },
        ...{ item_id: itemId, item_name: itemDisplayName, created_by: username },
      }
      mustEditForGood(await editorNow(actor), 'an entry of this list has no end. Approve what is asked for instead.')
      const made = await store.insert(row, mostClusterRules)
      if (made === 'exists') throw fail('cluster.rule-exists', { field: 'kind' })
      if (made === 'too-many') throw fail('cluster.rules-too-many')
      changed(tenantId, clusterId)
      return toRule(made)
    },

    async remove(tenantId: string, clusterId: string, id: string): Promise<void> {
      if (!(await store.remove(tenantId, clusterId, id))) throw fail('cluster.rule-not-found')
      changed(tenantId, clusterId)
      ended()
    },

    /** The list of a cluster that was just registered. */
    async begin(tenantId: string, clusterId: string): Promise<void> {
      for (const [api_group, kind] of firstRules) {
        const unnamed = { name: null, item_id: null, item_name: null, publisher: null, publisher_id: null, note: '' }
        const row = { id: shortId(12), tenant_id: tenantId, cluster_id: clusterId, api_group, kind, ...unnamed }
        await store.insert({ ...row, created_by: 'quayside' }, mostClusterRules)
      }
    },
  }
}
function toRule(row: RuleRow): ClusterRule {
  const { id, api_group: group, kind, name, publisher, note } = row
  return {
    ...{ id, group, kind, name, publisher, note },
    item: row.item_id === null ? null : { id: row.item_id, displayName: row.item_name ?? row.item_id },
    elevates: isElevatingKind({ group, kind }),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  }
}
