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
  {
    name: 'cluster/002-handed-out-kubeconfigs',
    async up(db: Kysely<unknown>) {
      await sql`create table handed_out_kubeconfig (
        id text primary key, tenant_id text not null, user_id text not null, username text not null,
        space_id text not null, space_name text not null, cluster_id text not null, cluster_name text not null,
        namespace text not null, role text not null, ready_at timestamptz,
        issued_at timestamptz not null default clock_timestamp(), expires_at timestamptz not null,
        ended_at timestamptz, ended_because text, ended_by text, removed_at timestamptz)`.execute(db)
      await sql`create index handed_out_kubeconfig_open on handed_out_kubeconfig (issued_at) where removed_at is null`.execute(
        db,
      )
      await sql`create index handed_out_kubeconfig_of_person on handed_out_kubeconfig (tenant_id, user_id, issued_at desc)`.execute(
        db,
      )
      await isolateTenants(db, 'handed_out_kubeconfig')
    },
  },
]
