import type { Configuration, ConfigurationInput } from '@quayside/contract/dashboards/library'
import { dashboardLibrary as endpoints } from '@quayside/contract/dashboards/library'
import type { ConfigurationSort } from '@quayside/contract/dashboards/sorts'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Rights } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { filterValues, likePattern, listReply, mustKnowFilters, orderOf } from '../../../platform/http/listing.ts'
import type { ConfigurationRow, Tables } from '../tables.ts'
import { changeWithinLimits } from './entry-limits.ts'

interface Ports {
  rights: Pick<Rights, 'find' | 'condition'>
  changed(tenantId: string): void
}

/** Settings that panels of several dashboards refer to, for the tenant or for those who see a space. */
export function createConfigurations(db: Db, { rights, changed }: Ports) {
  async function seesSpace(actor: Actor, spaceId: string | null): Promise<boolean> {
    return spaceId === null || (await rights.find(actor, 'space', spaceId)) !== undefined
  }

  async function get(actor: Actor, id: string): Promise<Configuration> {
    const row = await db.tenantOne<Tables, ConfigurationRow | undefined>(actor.tenantId, (trx) =>
      trx.selectFrom('dashboard_configurations').selectAll().where('id', '=', id).executeTakeFirst(),
    )
    if (!row || !(await seesSpace(actor, row.space_id))) throw fail('configuration.not-found')
    return toConfiguration(row)
  }

  async function add({ tenantId, username }: Actor, input: ConfigurationInput): Promise<string> {
    const id = longId()
    await db.tenant<Tables, void>(tenantId, async (trx) => {
      const { kind, name, value, spaceId: space_id = null } = input
      const row = { id, tenant_id: tenantId, kind, name, value: JSON.stringify(value), space_id, updated_by: username }
      const insert = trx.insertInto('dashboard_configurations').values(row)
      await changeWithinLimits(trx, tenantId, 'dashboard_configurations', () => insert.execute())
    })
    return id
  }

  async function change(actor: Actor, id: string, input: ConfigurationInput): Promise<string> {
    const { revision, kind, updatedBy, updatedAt } = await get(actor, id)
    if (kind !== input.kind)
      throw fail('request.invalid', { field: 'kind', message: `kind: this configuration is one of ${kind}` })
    await db.tenant<Tables, void>(actor.tenantId, async (trx) => {
      const update = trx
        .updateTable('dashboard_configurations')
        .set({
          ...{ name: input.name, value: JSON.stringify(input.value), space_id: input.spaceId ?? null },
          ...{ revision: sql<number>`revision + 1`, updated_by: actor.username },
          updated_at: sql<Date>`clock_timestamp()`,
        })
        .where('id', '=', id)
        .where('revision', '=', input.baseRevision ?? revision)
      const { numUpdatedRows } = await changeWithinLimits(trx, actor.tenantId, 'dashboard_configurations', () =>
        update.executeTakeFirstOrThrow(),
      )
      if (numUpdatedRows === 0n)
        throw fail('configuration.revision-changed', {
          field: 'baseRevision',
          details: { revision, by: updatedBy, at: updatedAt },
        })
    })
    return id
  }

  return {
    get,

    list: createList(db, rights),

    async remove(actor: Actor, id: string): Promise<void> {
      await get(actor, id)
      await db.tenantOne<Tables, unknown>(actor.tenantId, (trx) =>
        trx.deleteFrom('dashboard_configurations').where('id', '=', id).execute(),
      )
      changed(actor.tenantId)
    },

    async save(actor: Actor, input: ConfigurationInput): Promise<Configuration> {
      if (!(await seesSpace(actor, input.spaceId ?? null))) throw fail('space.not-found', { field: 'spaceId' })
      const saved = input.id === undefined ? add(actor, input) : change(actor, input.id, input)
      const id = await saved.catch((error: unknown) => {
        const isTaken =
          error instanceof Error && 'constraint' in error && error.constraint === 'dashboard_configurations_name'
        throw isTaken ? fail('configuration.name-taken', { field: 'name' }) : error
      })
      changed(actor.tenantId)
      return get(actor, id)
    },
  }
}
export type Configurations = ReturnType<typeof createConfigurations>

/** A page of the configurations that the caller sees: those of the tenant, and of spaces that they see. */
function createList(db: Db, rights: Ports['rights']) {
  return async function list(actor: Actor, query: ListQuery): Promise<ListReply<Configuration>> {
    const { filters, search, page, sort } = query
    mustKnowFilters(filters, ['kind', 'spaceId'])
    const within = rights.condition(actor, 'space.view')
    return db.tenant<Tables, ListReply<Configuration>>(actor.tenantId, async (trx) => {
      let found = trx.selectFrom('dashboard_configurations')
      if (within) found = found.where((where) => where.or([where('space_id', 'is', null), within('space_id')]))
      if (search) found = found.where('name', 'ilike', likePattern(search))
      for (const [name, column] of [
        ['kind', 'kind'],
        ['spaceId', 'space_id'],
      ] as const) {
        const values = filterValues(filters, name)
        if (values.length > 0) found = found.where(column, '=', sql<never>`any(${values}::text[])`)
      }
      const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      let rows = found.selectAll()
      const columns = { name: 'name', updatedAt: 'updated_at' } as const satisfies Record<ConfigurationSort, string>
      for (const [column, direction] of orderOf(sort, columns, [['name', 'asc']]))
        rows = rows.orderBy(column === 'name' ? sql`lower(name)` : column, direction)
      const data = await rows.orderBy('id').limit(page.limit).offset(page.skip).execute()
      return listReply(data.map(toConfiguration), total, query, pathOf(endpoints.listConfigurations))
    })
  }
}

function toConfiguration(row: ConfigurationRow): Configuration {
  return {
    ...{ id: row.id, name: row.name, kind: row.kind, value: row.value, spaceId: row.space_id },
    ...{ revision: row.revision, updatedAt: row.updated_at.toISOString(), updatedBy: row.updated_by },
  }
}
