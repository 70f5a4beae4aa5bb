import { type Kysely, sql } from 'kysely'
import type { SchemaStep } from '../../kernel/migrate.ts'
import { isolateTenants } from '../../kernel/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'cluster/001-clusters',
    async up(db: Kysely<unknown>) {
      await sql`create table clusters (
        id text primary key, tenant_id text not null, name text not null, display_name text not null,
        provider text not null, server text not null, kubeconfig text not null, generation integer not null default 1,
        cluster_scoped boolean not null, by_operator boolean not null, version text, health text not null,
        health_message text, facts jsonb not null, checked_at timestamptz, created_at timestamptz not null default now(),
        unique (tenant_id, name))`.execute(db)
      await isolateTenants(db, 'clusters')
    },
  },
]
