import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'users/001-unlockings',
    async up(db) {
      await sql`create table unlocking (
        id bigint generated always as identity primary key, tenant_id text not null references tenants,
        at timestamptz not null default clock_timestamp(), by_name text not null, by_id text not null,
        what text not null, about text not null, name text not null)`.execute(db)
      await sql`create index unlocking_of_tenant on unlocking (tenant_id, id desc)`.execute(db)
      await isolateTenants(db, 'unlocking')
    },
  },
]
