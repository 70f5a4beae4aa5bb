import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import type { Tables } from './tables.ts'

interface WantedIcon {
  tenantId: string
  address: string
}

/** The icons that versions only name the address of. */
export function createIconStore(db: Db) {
  return {
    /** Takes so many addresses that are due, each for a day: no other replica takes them as well. */
    async wanted(most: number, mostOfTenant: number): Promise<WantedIcon[]> {
      const { rows } = await db.platform((trx) =>
        sql<WantedIcon>`
          with due as (
            select tenant_id, icon_uri, row_number() over (partition by tenant_id order by min(created_at)) as place
            from catalog_versions
            where icon_uri is not null and icon_embedded is null
              and (icon_tried_at is null or icon_tried_at < now() - interval '1 day')
            group by tenant_id, icon_uri
          ), taken as (
            update catalog_versions v set icon_tried_at = now()
            from (select * from due where place <= ${mostOfTenant} order by place limit ${most}) d
            where v.tenant_id = d.tenant_id and v.icon_uri = d.icon_uri and v.icon_embedded is null
            returning v.tenant_id, v.icon_uri
          )
          select distinct tenant_id as "tenantId", icon_uri as address from taken`.execute(trx),
      )
      return rows
    },

    async known(tenantId: string, address: string): Promise<string | undefined> {
      const row = await db.tenantOne<Tables, { icon_embedded: string | null } | undefined>(tenantId, (trx) =>
        trx
          .selectFrom('catalog_versions')
          .select('icon_embedded')
          .where('icon_uri', '=', address)
          .where('icon_embedded', 'is not', null)
          .limit(1)
          .executeTakeFirst(),
      )
      return row?.icon_embedded ?? undefined
    },

    async keep(tenantId: string, address: string, picture: string): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        for (const table of ['catalog_versions', 'catalog_items'] as const) {
          await trx
            .updateTable(table)
            .set({ icon_embedded: picture })
            .where('icon_uri', '=', address)
            .where('icon_embedded', 'is', null)
            .execute()
        }
      })
    },
  }
}
