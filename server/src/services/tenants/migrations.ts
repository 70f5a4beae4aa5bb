import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

/** Tenants, spaces and apps were made in one step, under the name of the service that they were part of. */
export const steps: SchemaStep[] = [
  {
    name: 'portal-api/001-tenants-spaces-apps',
    async up(db: Kysely<unknown>) {
      await sql`create table tenants (
        id text primary key, identifier text not null unique, realm text not null unique,
        display_name text not null, created_at timestamptz not null default now())`.execute(db)
      await sql`create table spaces (
        id text primary key, tenant_id text not null references tenants, name text not null, display_name text not null,
        description text not null, created_at timestamptz not null default now(), unique (tenant_id, name))`.execute(db)
      await sql`create table space_clusters (
        tenant_id text not null, space_id text not null references spaces on delete cascade, cluster_id text not null,
        position integer not null, primary key (space_id, cluster_id))`.execute(db)
      await sql`create table apps (
        id text primary key, tenant_id text not null references tenants, space_id text not null references spaces,
        cluster_id text not null, name text not null, display_name text not null, description text not null,
        short_description text not null, color text not null, icon_uri text, icon_embedded text, tags text[] not null,
        resource_roles text[] not null, item_type text not null, app_type text not null, catalog_item_id text not null,
        catalog_item_name text not null, catalog_version_id text not null, version text not null, release_name text,
        namespace text not null, revision integer, state text not null, state_message text,
        created_at timestamptz not null default now(), created_by text not null, updated_at timestamptz not null default now())`.execute(
        db,
      )
      await sql`create index apps_by_tenant on apps (tenant_id, updated_at desc)`.execute(db)
      await sql`create index apps_by_space on apps (space_id)`.execute(db)
      await sql`create index apps_by_cluster on apps (tenant_id, cluster_id)`.execute(db)
      for (const table of ['spaces', 'space_clusters', 'apps']) await isolateTenants(db, table)
    },
  },
]
