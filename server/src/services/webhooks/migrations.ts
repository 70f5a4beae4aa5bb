import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'webhooks/001-webhooks',
    async up(db) {
      await sql`create table webhook (
        id text primary key, tenant_id text not null references tenants, name text not null, address text not null,
        secret text, events text[] not null, space_ids text[], enabled boolean not null, off_reason text,
        collected_at timestamptz not null, since timestamptz not null, given_up int not null default 0,
        dropped int not null default 0, tried_at timestamptz, last_worked boolean, lease text, lease_until timestamptz,
        created_at timestamptz not null default now(), created_by text not null)`.execute(db)
      await sql`create unique index webhook_name on webhook (tenant_id, lower(name))`.execute(db)
      await isolateTenants(db, 'webhook')
      await sql`create table webhook_delivery (
        tenant_id text not null references tenants, webhook_id text not null references webhook on delete cascade,
        event_id text not null, type text not null, about text not null, at timestamptz not null, body text not null,
        state text not null, attempts int not null default 0, next_at timestamptz, status int,
        says text not null default '', made_at timestamptz not null default clock_timestamp(),
        primary key (webhook_id, event_id))`.execute(db)
      await sql`create index webhook_delivery_waiting on webhook_delivery (webhook_id, next_at) where state = 'waiting'`.execute(
        db,
      )
      await sql`create index webhook_delivery_newest on webhook_delivery (webhook_id, made_at desc)`.execute(db)
      await sql`create index webhook_delivery_age on webhook_delivery (made_at)`.execute(db)
      await isolateTenants(db, 'webhook_delivery')
    },
  },
  {
    name: 'webhooks/002-space-of-a-delivery',
    async up(db) {
      await sql`alter table webhook_delivery add column space_id text`.execute(db)
      await sql`update webhook_delivery set space_id = body::jsonb #>> '{data,space,id}' where body <> ''`.execute(db)
    },
  },
]
