import { type Kysely, sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'
import { firstRules } from './outside/approvals/first-rules.ts'

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
    name: 'cluster/002-outside-of-spaces',
    /** Clusters keep their switch; what it let everybody do is now a list, which begins with what harms nobody. */
    async up(db: Kysely<unknown>) {
      await sql`alter table clusters add column ingress_namespaces text[] not null default '{ingress-nginx}'`.execute(
        db,
      )
      await sql`create table cluster_rules (
        id text primary key, tenant_id text not null, cluster_id text not null references clusters on delete cascade,
        api_group text not null, kind text not null, name text, item_id text, item_name text, publisher text,
        note text not null, created_by text not null, created_at timestamptz not null default clock_timestamp())`.execute(
        db,
      )
      await sql`create unique index cluster_rules_once on cluster_rules
        (cluster_id, api_group, kind, coalesce(name, ''), coalesce(item_id, ''), coalesce(publisher, ''))`.execute(db)
      await sql`create table cluster_approvals (
        id text primary key, tenant_id text not null, cluster_id text not null references clusters on delete cascade,
        space_id text not null references spaces on delete cascade, app_id text not null references apps on delete cascade,
        item_id text not null, item_name text not null, version_id text not null, version text not null,
        objects jsonb not null, elevates boolean not null, fingerprint text not null, reason text not null,
        state text not null, asked_by text not null, asked_by_id text not null,
        asked_at timestamptz not null default clock_timestamp(), answered_by text, answered_at timestamptz, note text,
        expires_at timestamptz)`.execute(db)
      await sql`create index cluster_approvals_of_app on cluster_approvals (app_id, asked_at desc)`.execute(db)
      await sql`create unique index cluster_approvals_open on cluster_approvals (app_id) where state = 'open'`.execute(
        db,
      )
      await sql`create table space_walls (
        tenant_id text not null, cluster_id text not null references clusters on delete cascade,
        space_id text not null references spaces on delete cascade, pod_security text not null, network text not null,
        applied boolean, message text, primary key (cluster_id, space_id))`.execute(db)
      await sql`create table held_outside (
        tenant_id text not null, cluster_id text not null references clusters on delete cascade, space_id text not null,
        app_id text not null, namespace text not null, release_name text not null, api_version text not null,
        api_group text not null, kind text not null, object_namespace text not null, name text not null,
        elevates boolean not null, digest text not null, since timestamptz not null default clock_timestamp(),
        primary key (cluster_id, namespace, release_name, api_group, kind, object_namespace, name))`.execute(db)
      await sql`create index held_outside_by_space on held_outside (space_id, cluster_id) where elevates`.execute(db)
      await sql`create table action_rights (
        action_id text primary key, tenant_id text not null, cluster_id text not null references clusters on delete cascade,
        space_id text not null, namespace text not null, objects jsonb not null,
        granted_at timestamptz not null default clock_timestamp())`.execute(db)
      for (const table of ['cluster_rules', 'cluster_approvals', 'space_walls', 'held_outside', 'action_rights'])
        await isolateTenants(db, table)
      for (const [group, kind] of firstRules)
        await sql`insert into cluster_rules (id, tenant_id, cluster_id, api_group, kind, note, created_by)
          select md5(id || ${kind}), tenant_id, id, ${group}, ${kind}, '', 'quayside' from clusters`.execute(db)
    },
  },
  {
    name: 'cluster/003-handed-out-kubeconfigs',
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
  {
    name: 'cluster/004-storage-by-approval',
    /** A class of storage says where on a node its volumes are: lists of clusters begin without it. */
    async up(db: Kysely<unknown>) {
      await sql`alter table held_outside add column is_gone boolean not null default false`.execute(db)
      await sql`delete from cluster_rules where created_by = 'quayside' and api_group = 'storage.k8s.io'
        and kind = 'StorageClass' and name is null`.execute(db)
    },
  },
  {
    name: 'cluster/005-space-isolation',
    async up(db: Kysely<unknown>) {
      await sql`alter table space_walls rename to space_isolation`.execute(db)
    },
  },
  {
    name: 'cluster/006-withdrawn-rights',
    async up(db: Kysely<unknown>) {
      await sql`alter table action_rights add column rests_on jsonb, add column withdrawn text`.execute(db)
    },
  },
  {
    name: 'cluster/007-asked-rights',
    async up(db: Kysely<unknown>) {
      await sql`alter table cluster_approvals add column asks_for jsonb`.execute(db)
      await sql`alter table held_outside add column asks_for jsonb`.execute(db)
    },
  },
  {
    name: 'cluster/008-publishers',
    async up(db: Kysely<unknown>) {
      await sql`alter table cluster_rules add column publisher_id text`.execute(db)
    },
  },
  {
    name: 'cluster/009-network-reach',
    /** Spaces that are there go on reaching what all of them reached until now; new ones begin without it. */
    async up(db: Kysely<unknown>) {
      await sql`alter table space_isolation add column reaches jsonb not null
        default '{"internet": false, "apiServer": false, "namespaces": [], "addresses": []}'`.execute(db)
      await sql`insert into space_isolation (tenant_id, cluster_id, space_id, pod_security, network)
        select tenant_id, cluster_id, space_id, 'baseline', 'standard' from space_clusters on conflict do nothing`.execute(
        db,
      )
      await sql`update space_isolation set reaches = reaches || '{"internet": true, "apiServer": true}'
        where network = 'standard'`.execute(db)
    },
  },
  {
    name: 'cluster/010-rights-of-held-objects',
    /** Approvals of one object that follow each other may each name a right, and all of them are needed. */
    async up(db: Kysely<unknown>) {
      await sql`update held_outside set asks_for = jsonb_build_array(asks_for)
        where jsonb_typeof(asks_for) = 'object'`.execute(db)
    },
  },
  {
    name: 'cluster/011-locked-revisions',
    async up(db: Kysely<unknown>) {
      await sql`alter table action_rights add column locked_secret text`.execute(db)
    },
  },
  {
    name: 'cluster/012-network-policies-of-charts',
    /** Releases that are there keep the network policies they brought, and can be upgraded; new spaces begin without. */
    async up(db: Kysely<unknown>) {
      await sql`alter table space_isolation alter column reaches set default
        '{"internet": false, "apiServer": false, "namespaces": [], "addresses": [], "chartPolicies": false}'`.execute(
        db,
      )
      await sql`insert into space_isolation (tenant_id, cluster_id, space_id, pod_security, network)
        select tenant_id, cluster_id, space_id, 'baseline', 'standard' from space_clusters on conflict do nothing`.execute(
        db,
      )
      await sql`update space_isolation set reaches = reaches || '{"chartPolicies": true}'`.execute(db)
    },
  },
  {
    name: 'cluster/013-origins-of-items',
    /** Entries that are there trust the source that their item has by now. */
    async up(db: Kysely<unknown>) {
      await sql`alter table cluster_rules add column item_source_id text`.execute(db)
      await sql`update cluster_rules set item_source_id = i.source_id from catalog_items i where i.id = item_id`.execute(
        db,
      )
    },
  },
]
