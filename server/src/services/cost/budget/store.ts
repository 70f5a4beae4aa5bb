import type { Budget } from '@quayside/contract/cost/budget'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'

/** Budgets of spaces. */
export function createBudgetStore(db: Db) {
  return {
    of: (tenantId: string, spaceId: string): Promise<Budget | null> =>
      db.tenantOne<Tables, Budget | null>(tenantId, async (trx) => {
        const row = await trx.selectFrom('space_budgets').selectAll().where('space_id', '=', spaceId).executeTakeFirst()
        if (!row) return null
        const { amount, currency, set_by, set_at } = row
        return { amount: Number(amount), currency, setBy: set_by, setAt: set_at.toISOString() }
      }),

    set: (
      { tenantId, username }: { tenantId: string; username: string },
      spaceId: string,
      budget: Pick<Budget, 'amount' | 'currency'> | null,
    ): Promise<void> =>
      db.tenantOne<Tables, void>(tenantId, async (trx) => {
        if (budget === null)
          return void (await trx.deleteFrom('space_budgets').where('space_id', '=', spaceId).execute())
        const values = { ...budget, set_by: username, set_at: sql<Date>`clock_timestamp()` }
        await trx
          .insertInto('space_budgets')
          .values({ tenant_id: tenantId, space_id: spaceId, ...values })
          .onConflict((conflict) => conflict.column('space_id').doUpdateSet(values))
          .execute()
      }),
  }
}
export type BudgetStore = ReturnType<typeof createBudgetStore>
