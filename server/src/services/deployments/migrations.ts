import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'

export const steps: SchemaStep[] = [
  {
    name: 'deployment/001-ledger',
    async up(db) {
      await sql`create table action (
        id text primary key,
        tenant_id text not null,
        kind text not null,
        state text not null,
        app_id text,
        app_name text not null,
        release_key text,
        release_name text,
        namespace text,
        cluster_id text,
        cluster_name text,
        space_id text,
        space_name text,
        catalog_item_id text,
        version_id text,
        version text,
        revision int,
        started_by text not null,
        started_by_id text not null,
        socket_id text,
        idem_key text,
        digest text not null,
        input text not null,
        fence bigint not null default 0,
        lease_owner text,
        lease_until timestamptz,
        attempt int not null default 0,
        base_revision int,
        unreachable_since timestamptz,
        iam_result jsonb,
        result jsonb,
        prepared text,
        waiting jsonb,
        last_seq int not null default 0,
        accepted_at timestamptz not null default clock_timestamp(),
        final_at timestamptz
      )`.execute(db)
      await sql`create unique index action_idempotent on action (tenant_id, idem_key) where idem_key is not null`.execute(
        db,
      )
      await sql`create unique index action_one_per_release on action (release_key) where final_at is null and release_key is not null`.execute(
        db,
      )
      await sql`create unique index action_one_per_app on action (app_id)
        where final_at is null and kind in ('Deploy', 'Upgrade', 'Rollback', 'Delete')`.execute(db)
      await sql`create index action_newest on action (tenant_id, accepted_at desc)`.execute(db)
      await sql`create index action_of_app on action (app_id, accepted_at desc)`.execute(db)
      await sql`create index action_open on action (lease_until) where final_at is null`.execute(db)
      await sql`create table action_event (
        tenant_id text not null,
        action_id text not null references action (id) on delete cascade,
        seq int not null,
        at timestamptz not null default clock_timestamp(),
        event text not null,
        payload jsonb not null,
        primary key (action_id, seq)
      )`.execute(db)
      await sql`create table action_audit (
        id bigint generated always as identity primary key,
        tenant_id text not null,
        at timestamptz not null default clock_timestamp(),
        action_id text not null,
        moment text not null check (moment in ('accept', 'final')),
        kind text not null,
        app_id text,
        app_name text not null,
        who text not null,
        outcome text not null,
        unique (action_id, moment)
      )`.execute(db)
      for (const table of ['action', 'action_event', 'action_audit']) await isolateTenants(db, table)
    },
  },
  {
    name: 'deployment/002-presets',
    async up(db) {
      await sql`create table values_preset (
        id text primary key,
        tenant_id text not null,
        catalog_item_id text not null,
        name text not null,
        yaml text not null,
        created_by text not null,
        updated_at timestamptz not null default clock_timestamp(),
        unique (tenant_id, catalog_item_id, name)
      )`.execute(db)
      await isolateTenants(db, 'values_preset')
    },
  },
  {
    name: 'deployment/003-revision-access',
    async up(db) {
      await sql`create table revision_access (
        tenant_id text not null,
        app_id text not null,
        revision int not null,
        groups jsonb not null,
        primary key (app_id, revision)
      )`.execute(db)
      await isolateTenants(db, 'revision_access')
    },
  },
  {
    name: 'deployment/004-helm-places',
    async up(db) {
      await sql`alter table action add column helm_place boolean not null default false`.execute(db)
    },
  },
  {
    name: 'deployment/005-app-before',
    async up(db) {
      await sql`alter table action add column app_before jsonb`.execute(db)
    },
  },
  {
    name: 'deployment/006-cancelled-by',
    async up(db) {
      await sql`alter table action add column cancelled_by text`.execute(db)
    },
  },
  {
    name: 'deployment/007-release-objects',
    async up(db) {
      await sql`alter table action add column release_objects jsonb`.execute(db)
    },
  },
  {
    name: 'deployment/008-keys-of-persons',
    /** Nobody learns from a key that it was used by somebody else. */
    async up(db) {
      await sql`drop index action_idempotent`.execute(db)
      await sql`create unique index action_idempotent on action (tenant_id, started_by_id, idem_key)
        where idem_key is not null`.execute(db)
    },
  },
  {
    name: 'deployment/009-presets-of-spaces',
    async up(db) {
      await sql`alter table values_preset add column space_id text`.execute(db)
      await sql`alter table values_preset
        drop constraint values_preset_tenant_id_catalog_item_id_name_key`.execute(db)
      await sql`create unique index values_preset_by_name
        on values_preset (tenant_id, catalog_item_id, coalesce(space_id, ''), name)`.execute(db)
    },
  },
  {
    name: 'deployment/010-aborted-by',
    async up(db) {
      await sql`alter table action add column aborted_by text, add column left_behind jsonb`.execute(db)
    },
  },
  {
    name: 'deployment/011-failures',
    async up(db) {
      await sql`create index action_failed on action (tenant_id, final_at desc) where state = 'Failed'`.execute(db)
    },
  },
  {
    name: 'deployment/012-ended',
    async up(db) {
      await sql`create index action_ended on action (tenant_id, final_at) where final_at is not null`.execute(db)
    },
  },
  {
    name: 'deployment/013-cost-reason',
    async up(db) {
      await sql`alter table action add column cost_reason text`.execute(db)
    },
  },
]
