import { type Kysely, sql } from 'kysely'
import type { SchemaStep } from '../../../platform/db/migrate.ts'
import { isolateTenants } from '../../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'catalog/004-sources',
    async up(db: Kysely<unknown>) {
      await sql`create table catalog_source (
        id text primary key, tenant_id text not null, name text not null, kind text not null, address text not null,
        sign_in text not null, username text not null, secret text, charts text[] not null, versions integer not null,
        prereleases boolean not null, adds_to_uploads boolean not null, every_hours integer, next_run_at timestamptz,
        created_at timestamptz not null default now(), created_by text not null,
        updated_at timestamptz not null default now())`.execute(db)
      await sql`create unique index catalog_source_name on catalog_source (tenant_id, lower(name))`.execute(db)
      await sql`create index catalog_source_due on catalog_source (next_run_at) where next_run_at is not null`.execute(
        db,
      )
      await sql`create table catalog_source_run (
        id text primary key, tenant_id text not null, source_id text not null references catalog_source on delete cascade,
        state text not null, asked_by text, created_at timestamptz not null default now(), started_at timestamptz,
        ended_at timestamptz, lease_owner text, lease_until timestamptz, fence integer not null default 0,
        total integer not null default 0, done integer not null default 0, taken integer not null default 0,
        known integer not null default 0, refused integer not null default 0, skipped integer not null default 0,
        current text, message text not null default '')`.execute(db)
      await sql`create unique index catalog_source_run_open on catalog_source_run (source_id) where ended_at is null`.execute(
        db,
      )
      await sql`create index catalog_source_run_newest on catalog_source_run (source_id, created_at desc)`.execute(db)
      await sql`create table catalog_source_line (
        tenant_id text not null, run_id text not null references catalog_source_run on delete cascade,
        chart text not null, version text not null, outcome text not null, message text not null, item_id text,
        at timestamptz not null default clock_timestamp(), primary key (run_id, chart, version))`.execute(db)
      await sql`create table catalog_source_package (
        tenant_id text not null, source_id text not null references catalog_source on delete cascade,
        chart text not null, version text not null, digest text,
        version_id text references catalog_versions on delete set null, refusal text, gone_at timestamptz,
        primary key (source_id, chart, version))`.execute(db)
      await sql`create index catalog_source_package_version on catalog_source_package (version_id)`.execute(db)
      // Items and versions outlive their source.
      await sql`alter table catalog_items add column new_version_at timestamptz,
        add column source_id text references catalog_source on delete set null`.execute(db)
      await sql`alter table catalog_versions
        add column source_id text references catalog_source on delete set null`.execute(db)
      await sql`create index catalog_items_source on catalog_items (source_id)`.execute(db)
      await sql`create index catalog_versions_source on catalog_versions (source_id)`.execute(db)
      const tables = ['catalog_source', 'catalog_source_run', 'catalog_source_line', 'catalog_source_package']
      for (const table of tables) await isolateTenants(db, table)
    },
  },
]
