import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'

export function spaceName(db: Db, tenantId: string, id: string): Promise<string | undefined> {
  return db.tenantOne<Tables, string | undefined>(tenantId, async (trx) => {
    const row = await trx.selectFrom('spaces').select('display_name').where('id', '=', id).executeTakeFirst()
    return row?.display_name
  })
}
