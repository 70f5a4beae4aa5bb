import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'dashboards/001-dashboards',
    async up(db) {
      await sql`create table dashboards (
        id text primary key, tenant_id text not null references tenants, display_name text not null,
        description text not null, tags text[] not null, spec jsonb not null, panels integer not null,
        space_ids text[] not null, widget_ids text[] not null, owner_id text not null, owner text not null,
        revision integer not null default 1, created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(), updated_by text not null,
        deleted_at timestamptz)`.execute(db)
      await sql`create index dashboards_by_name on dashboards (tenant_id, lower(display_name), id)`.execute(db)
      await sql`create index dashboards_by_owner on dashboards (tenant_id, owner_id)`.execute(db)
      await sql`create table dashboard_permissions (
        id text primary key, tenant_id text not null references tenants,
        dashboard_id text not null references dashboards on delete cascade, principal_type text not null,
        principal_id text not null, scopes text[] not null, granted_by text not null,
        granted_at timestamptz not null default clock_timestamp(),
        constraint dashboard_permissions_once unique (dashboard_id, principal_type, principal_id))`.execute(db)
      await sql`create index dashboard_permissions_by_principal
        on dashboard_permissions (tenant_id, principal_type, principal_id)`.execute(db)
      await sql`create table dashboard_stars (
        tenant_id text not null references tenants, dashboard_id text not null references dashboards on delete cascade,
        person_id text not null, primary key (dashboard_id, person_id))`.execute(db)
      await sql`create table dashboard_homes (
        tenant_id text not null references tenants, person_id text not null,
        dashboard_id text references dashboards on delete cascade, primary key (tenant_id, person_id))`.execute(db)
      await sql`create table dashboard_widgets (
        id text primary key, tenant_id text not null references tenants, source text not null, name text not null,
        version text not null, kind text not null, title text not null, description text not null,
        category text not null, settings_schema jsonb not null, bindings jsonb not null, defaults jsonb not null,
        created_at timestamptz not null default clock_timestamp(), created_by text not null,
        constraint dashboard_widgets_once unique (tenant_id, source, name, version))`.execute(db)
      await sql`create table dashboard_configurations (
        id text primary key, tenant_id text not null references tenants, name text not null, kind text not null,
        value jsonb not null, space_id text references spaces on delete cascade,
        revision integer not null default 1, updated_at timestamptz not null default clock_timestamp(),
        updated_by text not null, constraint dashboard_configurations_name unique (tenant_id, kind, name))`.execute(db)
      for (const table of tables) await isolateTenants(db, table)
    },
  },
  {
    name: 'dashboards/002-home-since',
    // A save of the dashboard that was Home before must not make it the newest.
    async up(db) {
      await sql`alter table dashboards add column home_since timestamptz`.execute(db)
      await sql`update dashboards set home_since = updated_at
        where tags && array['default-home', 'recommended-home']`.execute(db)
    },
  },
]

const tables = [
  'dashboards',
  'dashboard_permissions',
  'dashboard_stars',
  'dashboard_homes',
  'dashboard_widgets',
  'dashboard_configurations',
]
