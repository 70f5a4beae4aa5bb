import type { Preset } from '@quayside/contract/presets'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '../../kernel/db.ts'
import type { PresetTable, Tables } from './tables.ts'

type Row = Selectable<PresetTable>

export function presetsOf(db: Db, tenantId: string, itemId: string): Promise<Preset[]> {
  return within(db, tenantId, async (trx) => {
    const all = trx.selectFrom('values_preset').selectAll().where('catalog_item_id', '=', itemId)
    return (await all.orderBy('name').execute()).map(presetOf)
  })
}

/** Keeps a preset unless its name is taken (`undefined`) or there are as many as may be (`too-many`). */
export function insertPreset(
  db: Db,
  tenantId: string,
  row: Omit<Row, 'tenant_id' | 'updated_at'>,
  most: number,
): Promise<Preset | 'too-many' | undefined> {
  return within(db, tenantId, async (trx) => {
    // Two at once must not both be the last.
    await sql`select pg_advisory_xact_lock(hashtext(${`presets ${tenantId} ${row.catalog_item_id}`}))`.execute(trx)
    const { count } = await trx
      .selectFrom('values_preset')
      .select((each) => each.fn.countAll<string>().as('count'))
      .where('catalog_item_id', '=', row.catalog_item_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return 'too-many'
    const made = await trx
      .insertInto('values_preset')
      .values({ ...row, tenant_id: tenantId })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    return made && presetOf(made)
  })
}

export function findPreset(db: Db, tenantId: string, id: string): Promise<Preset | undefined> {
  return within(db, tenantId, async (trx) => {
    const row = await trx.selectFrom('values_preset').selectAll().where('id', '=', id).executeTakeFirst()
    return row && presetOf(row)
  })
}

/** Gives a preset another name; undefined when another of its item has it. */
export function renameRow(
  db: Db,
  tenantId: string,
  { id, catalogItemId }: Preset,
  name: string,
): Promise<Preset | undefined> {
  return within(db, tenantId, async (trx) => {
    const row = await trx
      .updateTable('values_preset')
      .set({ name, updated_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('values_preset as other')
              .select('other.id')
              .where('other.catalog_item_id', '=', catalogItemId)
              .where('other.name', '=', name)
              .where('other.id', '!=', id),
          ),
        ),
      )
      .returningAll()
      .executeTakeFirst()
    return row && presetOf(row)
  })
}

export function deleteRow(db: Db, tenantId: string, id: string): Promise<boolean> {
  return within(db, tenantId, async (trx) => {
    const gone = await trx.deleteFrom('values_preset').where('id', '=', id).executeTakeFirst()
    return gone.numDeletedRows > 0n
  })
}

function within<T>(db: Db, tenantId: string, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.tenant(tenantId, (trx) => work(trx as unknown as Transaction<Tables>))
}

function presetOf(row: Row): Preset {
  return {
    id: row.id,
    catalogItemId: row.catalog_item_id,
    name: row.name,
    yaml: row.yaml,
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  }
}
