import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'spaces/001-freezes',
    async up(db) {
      await sql`create table space_freeze (
        space_id text primary key references spaces on delete cascade, tenant_id text not null, reason text not null,
        until timestamptz, exempt jsonb not null, begun_by text not null,
        begun_at timestamptz not null default now())`.execute(db)
      await isolateTenants(db, 'space_freeze')
    },
  },
]
