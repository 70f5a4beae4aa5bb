import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

/** The name says which service the side bar was part of. */
export const steps: SchemaStep[] = [
  {
    name: 'portal-api/002-menu',
    async up(db: Kysely<unknown>) {
      await sql`create table menu_groups (
        id text primary key, tenant_id text not null references tenants, person_id text not null, title text not null,
        created_at timestamptz not null default clock_timestamp())`.execute(db)
      await sql`create table menu_entries (
        id text primary key, tenant_id text not null references tenants, person_id text not null,
        group_id text not null references menu_groups on delete cascade, name text not null, icon text not null,
        link text not null, selected_entry_id text, type text not null, position integer not null)`.execute(db)
      await sql`create index menu_groups_by_person on menu_groups (tenant_id, person_id)`.execute(db)
      // One pin of a thing in a group is enough. An address may be longer than what an index holds.
      await sql`create unique index menu_entries_once on menu_entries (group_id, type, md5(coalesce(selected_entry_id, link)))`.execute(
        db,
      )
      await sql`create index menu_entries_by_item on menu_entries (tenant_id, type, selected_entry_id)`.execute(db)
      for (const table of ['menu_groups', 'menu_entries']) await isolateTenants(db, table)
    },
  },
]
