import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'app-links/001-app-links',
    async up(db) {
      await sql`create table app_links (
        id text primary key, tenant_id text not null references tenants, name text not null, name_key text not null,
        url text not null, description text not null, color text, tags text[] not null,
        created_at timestamptz not null default now(), created_by text not null,
        updated_at timestamptz not null default now(), updated_by text not null,
        constraint app_links_name unique (tenant_id, name_key))`.execute(db)
      await sql`create index app_links_by_name on app_links (tenant_id, lower(name), id)`.execute(db)
      await isolateTenants(db, 'app_links')
    },
  },
]
