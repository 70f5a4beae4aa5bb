import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'cost/001-prices',
    async up(db) {
      // Prices outlive their cluster: what was spent there keeps its price.
      await sql`create table price_sheets (
        tenant_id text not null references tenants, cluster_id text not null, valid_from timestamptz not null,
        currency text not null, core_hour numeric not null, memory_gib_hour numeric not null,
        storage jsonb not null, load_balancer_hour numeric, overhead_hour numeric,
        created_at timestamptz not null default now(), created_by text not null,
        primary key (tenant_id, cluster_id, valid_from))`.execute(db)
      await sql`create table exchange_rates (
        tenant_id text not null references tenants, source text not null, currency text not null,
        per_euro numeric not null, as_of text not null, primary key (tenant_id, currency, source))`.execute(db)
      await isolateTenants(db, 'price_sheets')
      await isolateTenants(db, 'exchange_rates')
    },
  },
  {
    name: 'cost/002-hours',
    async up(db) {
      await sql`create table cost_clocks (
        tenant_id text not null references tenants, cluster_id text not null, at timestamptz not null,
        primary key (tenant_id, cluster_id))`.execute(db)
      await sql`create table cost_hours (
        tenant_id text not null references tenants, cluster_id text not null, begun timestamptz not null,
        space_id text not null, app_id text not null, resource text not null, storage_class text not null,
        amount float8 not null, requested float8 not null, used float8 not null,
        primary key (tenant_id, cluster_id, begun, space_id, app_id, resource, storage_class))`.execute(db)
      await sql`create index cost_hours_by_time on cost_hours (tenant_id, begun)`.execute(db)
      await isolateTenants(db, 'cost_clocks')
      await isolateTenants(db, 'cost_hours')
    },
  },
  {
    name: 'cost/003-budgets',
    async up(db) {
      await sql`create table space_budgets (
        tenant_id text not null references tenants, space_id text primary key references spaces on delete cascade,
        amount numeric not null, currency text not null, set_by text not null,
        set_at timestamptz not null default now())`.execute(db)
      await isolateTenants(db, 'space_budgets')
    },
  },
]
