import { type ClusterRule, type ClusterRuleInput, mostClusterRules } from '@quayside/contract/clusters/rules'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { shortId } from '../../../../platform/db/ids.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { ClusterPorts } from '../../ports.ts'
import { isElevatingKind, isNeverListed } from '../judging/judge-outside.ts'
import { isPriorityClass } from '../rights/priority-classes.ts'
import type { RuleRow } from '../tables.ts'
import { type EditorNow, mustEditForGood } from './editor-now.ts'
import { firstRules } from './first-rules.ts'
import type { RuleStore } from './rule-store.ts'

interface RulesDeps {
  store: RuleStore
  itemOf: ClusterPorts['itemOf']
  /** Id of the account of this name that was the last to upload anything; undefined when none has. */
  publisherNamed(tenantId: string, name: string): Promise<string | undefined>
  editorNow: EditorNow
  changed(tenantId: string, clusterId: string): void
  /** Called when an entry is gone that running actions may rest on. */
  ended(): void
  /** Called when pods of the cluster may name other classes of priority than before. */
  prioritiesChanged(tenantId: string, clusterId: string): Promise<void>
}

/** Rules for the objects that charts may make on a cluster outside of their space, edited by the cluster's editors. */
export function createRules({ store, ...deps }: RulesDeps) {
  const { itemOf, publisherNamed, editorNow, changed, ended, prioritiesChanged } = deps
  return {
    list: async (tenantId: string, clusterId: string) => (await store.all(tenantId, clusterId)).map(toRule),

    /** Tells whether charts that this account uploads may make something that others may not. */
    trusts: store.trusts,

    async add(actor: Actor, clusterId: string, input: ClusterRuleInput): Promise<ClusterRule> {
      const { tenantId, username } = actor
      const { group, kind, name, itemId, publisher, note } = input
      if (isNeverListed({ group, kind })) throw fail('cluster.rule-refused', { field: 'kind' })
      const item = itemId === null ? null : await itemOf(tenantId, itemId)
      if (item === undefined) throw fail('catalog.item-not-found', { field: 'itemId' })
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
        ...{ item_id: itemId, item_name: item?.displayName ?? null, item_source_id: item?.sourceId ?? null },
        created_by: username,
      }
      mustEditForGood(await editorNow(actor), 'an entry of this list has no end. Approve what is asked for instead.')
      const made = await store.insert(row, mostClusterRules)
      if (made === 'exists') throw fail('cluster.rule-exists', { field: 'kind' })
      if (made === 'too-many') throw fail('cluster.rules-too-many')
      if (isPriorityClass(input)) await prioritiesChanged(tenantId, clusterId)
      changed(tenantId, clusterId)
      return toRule(made)
    },

    async remove(tenantId: string, clusterId: string, id: string): Promise<void> {
      const gone = await store.remove(tenantId, clusterId, id)
      if (!gone) throw fail('cluster.rule-not-found')
      if (isPriorityClass({ group: gone.api_group, kind: gone.kind })) await prioritiesChanged(tenantId, clusterId)
      changed(tenantId, clusterId)
      ended()
    },

    /** The list of a cluster that was just registered. */
    async begin(tenantId: string, clusterId: string): Promise<void> {
      for (const [api_group, kind] of firstRules) {
        const unnamed = { name: null, item_id: null, item_name: null, item_source_id: null }
        const anybody = { publisher: null, publisher_id: null, note: '' }
        const row = {
          id: shortId(12),
          tenant_id: tenantId,
          cluster_id: clusterId,
          api_group,
          kind,
          ...unnamed,
          ...anybody,
        }
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
