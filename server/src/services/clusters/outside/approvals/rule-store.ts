import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import type { OutsideTables, RuleRow } from '../tables.ts'

type Tables = OutsideTables

/** The lists of clusters: what charts may make outside of their space. */
export function createRuleStore(db: Db) {
  return {
    all(tenantId: string, clusterId: string): Promise<RuleRow[]> {
      return db.tenantOne<Tables, RuleRow[]>(tenantId, (trx) =>
        trx
          .selectFrom('cluster_rules')
          .selectAll()
          .where('cluster_id', '=', clusterId)
          .orderBy('api_group')
          .orderBy('kind')
          .orderBy('created_at')
          .orderBy('id')
          .execute(),
      )
    },
    /** Tells whether the list of any cluster trusts what this account uploads. */
    async trusts(tenantId: string, userId: string): Promise<boolean> {
      const found = await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx.selectFrom('cluster_rules').select('id').where('publisher_id', '=', userId).limit(1).executeTakeFirst(),
      )
      return found !== undefined
    },
    /** `exists` when the list says so already, `too-many` when it is full. */
    insert(row: Insertable<Tables['cluster_rules']>, most: number): Promise<RuleRow | 'exists' | 'too-many'> {
      return db.tenant<Tables, RuleRow | 'exists' | 'too-many'>(row.tenant_id, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtext(${`rules ${row.cluster_id}`}))`.execute(trx)
        const { count } = await trx
          .selectFrom('cluster_rules')
          .select(sql<number>`count(*)::int`.as('count'))
          .where('cluster_id', '=', row.cluster_id)
          .executeTakeFirstOrThrow()
        if (count >= most) return 'too-many'
        const made = await trx
          .insertInto('cluster_rules')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        return made ?? 'exists'
      })
    },
    async remove(tenantId: string, clusterId: string, id: string): Promise<boolean> {
      const gone = await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .deleteFrom('cluster_rules')
          .where('cluster_id', '=', clusterId)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst(),
      )
      return gone !== undefined
    },
  }
}
export type RuleStore = ReturnType<typeof createRuleStore>
