import type { Preset } from '@quayside/contract/deployments/presets'
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../../platform/auth/places.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { PresetTable, Tables } from '../tables.ts'

type Row = Selectable<PresetTable>

/** Presets as things that lie in a space; everybody who deploys knows of those that are shared with the tenant. */
export const presetPlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, space_id, false as is_own, space_id is null as is_open
    from values_preset where id = any(${ids}::text[])`

/** Those of the spaces that somebody sees, left out of all, and those that are shared with the tenant. */
export function presetsOf(
  db: Db,
  tenantId: string,
  itemId: string,
  within: SpaceCondition | undefined,
): Promise<Preset[]> {
  return inTenant(db, tenantId, async (trx) => {
    const all = trx.selectFrom('values_preset').selectAll().where('catalog_item_id', '=', itemId)
    const seen = within ? all.where(sql<boolean>`(space_id is null or ${within('values_preset.space_id')})`) : all
    return (await seen.orderBy('name').orderBy('id').execute()).map(presetOf)
  })
}

/** Keeps a preset unless its name is taken (`undefined`) or there are as many as may be (`too-many`). */
export function insertPreset(
  db: Db,
  tenantId: string,
  row: Omit<Row, 'tenant_id' | 'updated_at'>,
  most: number,
): Promise<Preset | 'too-many' | undefined> {
  return inTenant(db, tenantId, async (trx) => {
    // Two at once must not both be the last.
    await sql`select pg_advisory_xact_lock(hashtext(${`presets ${tenantId} ${row.catalog_item_id}`}))`.execute(trx)
    const { count } = await trx
      .selectFrom('values_preset')
      .select((each) => each.fn.countAll<string>().as('count'))
      .where('catalog_item_id', '=', row.catalog_item_id)
      .where(sql<boolean>`space_id is not distinct from ${row.space_id}`)
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
  return inTenant(db, tenantId, async (trx) => {
    const row = await trx.selectFrom('values_preset').selectAll().where('id', '=', id).executeTakeFirst()
    return row && presetOf(row)
  })
}

/** Gives a preset another name; undefined when another of its item and space has it. */
export function renameRow(
  db: Db,
  tenantId: string,
  { id, catalogItemId, spaceId }: Preset,
  name: string,
): Promise<Preset | undefined> {
  return inTenant(db, tenantId, async (trx) => {
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
              .where(sql<boolean>`other.space_id is not distinct from ${spaceId}`)
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
  return inTenant(db, tenantId, async (trx) => {
    const gone = await trx.deleteFrom('values_preset').where('id', '=', id).executeTakeFirst()
    return gone.numDeletedRows > 0n
  })
}

/** In the transaction that deletes a space. */
export async function forgetPresets(within: UnitOfWork, spaceId: string): Promise<void> {
  const trx = tablesIn<Tables>(within)
  await trx.deleteFrom('values_preset').where('space_id', '=', spaceId).execute()
}

function inTenant<T>(db: Db, tenantId: string, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.tenant(tenantId, (trx) => work(tablesIn<Tables>(trx)))
}

function presetOf(row: Row): Preset {
  return {
    id: row.id,
    catalogItemId: row.catalog_item_id,
    spaceId: row.space_id,
    name: row.name,
    yaml: row.yaml,
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  }
}
