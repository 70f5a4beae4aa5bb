import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SchemaStep } from '../../kernel/migrate.ts'
import { isolateTenants } from '../../kernel/tenancy.ts'

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
