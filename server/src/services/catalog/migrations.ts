import { type Kysely, sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'
import { steps as sourceSteps } from './sources/migrations.ts'

export const steps: SchemaStep[] = [
  {
    name: 'catalog/001-items-versions-packages',
    async up(db: Kysely<unknown>) {
      await sql`create table catalog_packages (
        tenant_id text not null, digest text not null, bytes bytea not null, size_bytes integer not null,
        created_at timestamptz not null default now(), primary key (tenant_id, digest))`.execute(db)
      // Packages are compressed already.
      await sql`alter table catalog_packages alter column bytes set storage external`.execute(db)
      await sql`create table catalog_items (
        id text primary key, tenant_id text not null, name text not null, type text not null, app_kind text not null,
        app_type text not null, category text not null, tags text[] not null, keywords text[] not null,
        icon_uri text, icon_embedded text, color text not null, manufacturer_id text not null,
        manufacturer_name text not null, display_name text not null, description text not null,
        short_description text not null, featured boolean not null, visible boolean not null default true,
        enabled boolean not null default true, latest_version text not null, latest_version_id text not null,
        version_count integer not null, created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(), unique (tenant_id, name))`.execute(db)
      await sql`create table catalog_versions (
        id text primary key, tenant_id text not null, item_id text not null references catalog_items on delete cascade,
        version text not null, digest text not null, size_bytes integer not null, app_version text, kube_version text,
        deprecated boolean not null, icon_uri text, icon_embedded text, metadata jsonb not null, chart jsonb not null,
        readme text not null, values_yaml text not null, values_schema text,
        created_at timestamptz not null default now(), unique (item_id, version),
        foreign key (tenant_id, digest) references catalog_packages)`.execute(db)
      await sql`create index catalog_items_by_name on catalog_items (tenant_id, featured desc, lower(display_name), id)`.execute(
        db,
      )
      await sql`create index catalog_versions_by_item on catalog_versions (tenant_id, item_id)`.execute(db)
      await sql`create index catalog_versions_by_digest on catalog_versions (tenant_id, digest)`.execute(db)
      for (const table of ['catalog_packages', 'catalog_items', 'catalog_versions']) await isolateTenants(db, table)
    },
  },
  {
    name: 'catalog/002-icons-from-elsewhere',
    async up(db: Kysely<unknown>) {
      await sql`alter table catalog_versions add column icon_tried_at timestamptz`.execute(db)
      await sql`create index catalog_versions_without_icon on catalog_versions (tenant_id, icon_uri)
        where icon_uri is not null and icon_embedded is null`.execute(db)
    },
  },
  {
    name: 'catalog/003-publishers',
    async up(db: Kysely<unknown>) {
      await sql`alter table catalog_versions add column published_by text, add column published_by_id text`.execute(db)
    },
  },
  ...sourceSteps,
  {
    name: 'catalog/005-origins',
    /** Known for good, also when the source is gone: such a version was uploaded by nobody. */
    async up(db: Kysely<unknown>) {
      await sql`alter table catalog_versions add column brought_by text`.execute(db)
      await sql`update catalog_versions set brought_by = source_id`.execute(db)
    },
  },
]
