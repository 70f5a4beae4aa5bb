import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'metrics/001-collections',
    async up(db: Kysely<unknown>) {
      await sql`create table metrics_collections (
        cluster_id text primary key references clusters on delete cascade, tenant_id text not null,
        due_at timestamptz not null, collected_at timestamptz, problem text)`.execute(db)
      await isolateTenants(db, 'metrics_collections')
    },
  },
]
