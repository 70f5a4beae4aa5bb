import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'notifications/001-inbox',
    async up(db) {
      await sql`create table app_outage (
        id text primary key default replace(gen_random_uuid()::text, '-', ''),
        tenant_id text not null references tenants, app_id text not null references apps on delete cascade,
        since timestamptz not null default now(), until timestamptz, says text,
        told_since boolean not null default false, told_until boolean not null default false)`.execute(db)
      await sql`create unique index app_outage_open on app_outage (app_id) where until is null`.execute(db)
      await sql`create index app_outage_newest on app_outage (tenant_id, since desc)`.execute(db)
      await isolateTenants(db, 'app_outage')
      await sql`create table notification_person (
        tenant_id text not null references tenants, user_id text not null, read_before timestamptz not null,
        muted text[] not null default '{}', primary key (tenant_id, user_id))`.execute(db)
      await isolateTenants(db, 'notification_person')
      await sql`create table notification_mark (
        tenant_id text not null references tenants, user_id text not null, notice_id text not null,
        is_read boolean not null, at timestamptz not null default now(),
        primary key (tenant_id, user_id, notice_id))`.execute(db)
      await sql`create index notification_mark_age on notification_mark (at)`.execute(db)
      await isolateTenants(db, 'notification_mark')
    },
  },
]
