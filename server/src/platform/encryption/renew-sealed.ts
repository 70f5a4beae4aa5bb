import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Encryption } from './encryption.ts'

/** A column of a table with `tenant_id` and `id` that holds what is encrypted; null where there is nothing. */
export interface SealedColumn {
  table: string
  column: string
  /** The place that the text of a row is bound to. */
  place(id: string): string
}

interface Row {
  tenant_id: string
  id: string
  sealed: string
}

const atOnce = 100

/**
 * Encrypts by the key of today what another key has sealed, and gives how many rows it changed. Each is a change by itself, made only
 * where the row is still as it was read: it may be stopped at any moment and run again, and portals may write meanwhile.
 */
export async function renewSealed(db: Db, encryption: Encryption, columns: readonly SealedColumn[]): Promise<number> {
  let changed = 0
  for (const each of columns) changed += await renewColumn(db, encryption, each)
  return changed
}

async function renewColumn(db: Db, encryption: Encryption, { table, column, place }: SealedColumn): Promise<number> {
  const [from, field] = [sql.table(table), sql.ref(column)]
  let changed = 0
  let last = { tenant_id: '', id: '' }
  for (;;) {
    const after = last
    const { rows } = await db.platform((trx) =>
      sql<Row>`select tenant_id, id, ${field} as sealed from ${from}
        where ${field} is not null and (tenant_id, id) > (${after.tenant_id}, ${after.id})
        order by tenant_id, id limit ${atOnce}`.execute(trx),
    )
    for (const { tenant_id, id, sealed } of rows) {
      const renewed = renewedOf(encryption, { tenant_id, id, sealed }, place(id))
      if (renewed === undefined) continue
      await db.tenant(tenant_id, (trx) =>
        sql`update ${from} set ${field} = ${renewed} where tenant_id = ${tenant_id} and id = ${id} and ${field} = ${sealed}`.execute(
          trx,
        ),
      )
      changed += 1
    }
    const end = rows.at(-1)
    if (!end || rows.length < atOnce) return changed
    last = end
  }
}

function renewedOf(encryption: Encryption, { tenant_id, sealed }: Row, place: string): string | undefined {
  try {
    return encryption.renew(tenant_id, place, sealed)
  } catch (cause) {
    throw new Error(`${place} of the tenant ${tenant_id} opens by neither key`, { cause })
  }
}
