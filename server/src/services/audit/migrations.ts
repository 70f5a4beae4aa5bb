import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'audit/001-entries',
    async up(db) {
      await sql`create table audit_entry (
        id text primary key, tenant_id text not null references tenants, at timestamptz not null,
        user_id text not null, username text not null, client text not null, ip_address text not null,
        call text not null, about jsonb not null, status int, code text, request_id text not null,
        sent boolean not null)`.execute(db)
      await sql`create index audit_entry_newest on audit_entry (tenant_id, id desc)`.execute(db)
      await sql`create index audit_entry_about on audit_entry (tenant_id, (about ->> 'id'), id desc)`.execute(db)
      await sql`create index audit_entry_unsent on audit_entry (id) where not sent`.execute(db)
      await sql`create index audit_entry_age on audit_entry (at)`.execute(db)
      await isolateTenants(db, 'audit_entry')
    },
  },
  {
    name: 'audit/002-tokens',
    async up(db) {
      await sql`alter table audit_entry add column token_id text, add column token_name text`.execute(db)
    },
  },
]
