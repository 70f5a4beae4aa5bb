import { clientOf } from '@quayside/contract/permissions/roles'
import { spaceRoles } from '@quayside/contract/permissions/scopes'
import { sql } from 'kysely'
import type { SchemaStep } from '../../platform/db/migrate.ts'
import { isolateTenants } from '../../platform/db/tenancy.ts'
import { deletedRole } from './roles/role-names.ts'

export const steps: SchemaStep[] = [
  {
    name: 'permissions/001-permission-lists',
    async up(db) {
      await sql`create table space_role (
        id text primary key, tenant_id text not null references tenants, name text not null, description text not null,
        scopes text[] not null, created_at timestamptz not null default clock_timestamp())`.execute(db)
      await sql`create unique index space_role_by_name on space_role (tenant_id, lower(name))`.execute(db)
      await sql`create table space_permission (
        id text primary key, tenant_id text not null references tenants,
        space_id text not null references spaces on delete cascade, principal text not null,
        principal_name text not null, principal_detail text, role text not null, owner boolean not null,
        expires_at timestamptz, granted_by text not null, granted_by_id text,
        granted_at timestamptz not null default clock_timestamp(), unique (space_id, principal, role))`.execute(db)
      await sql`create index space_permission_by_principal on space_permission (principal, tenant_id)`.execute(db)
      await sql`create index space_permission_by_role on space_permission (role)`.execute(db)
      await sql`create index space_permission_by_end on space_permission (expires_at) where expires_at is not null`.execute(
        db,
      )
      await sql`create table permission_event (
        id bigint generated always as identity primary key, tenant_id text not null references tenants,
        space_id text not null, at timestamptz not null default clock_timestamp(), by_name text, by_id text,
        what text not null, principal text not null, principal_name text not null, role text not null,
        owner boolean not null, expires_at timestamptz, note text)`.execute(db)
      await sql`create index permission_event_of_space on permission_event (space_id, id desc)`.execute(db)
      await sql`create table access_request (
        id text primary key, tenant_id text not null references tenants,
        space_id text not null references spaces on delete cascade, person_id text not null, person_name text not null,
        role text not null, reason text not null, hours integer, state text not null, answered_by text, note text,
        created_at timestamptz not null default clock_timestamp(), answered_at timestamptz)`.execute(db)
      await sql`create index access_request_of_person on access_request (tenant_id, person_id, created_at desc)`.execute(
        db,
      )
      await sql`create unique index access_request_once on access_request (space_id, person_id, role) where state = 'open'`.execute(
        db,
      )
      for (const table of ['space_role', 'space_permission', 'permission_event', 'access_request'])
        await isolateTenants(db, table)
    },
  },
  {
    name: 'permissions/002-existing-spaces',
    /** Spaces that were made before they had lists stay open to those who could see them and change them until then. */
    async up(db) {
      for (const [role, name, isOwner] of [
        [`${clientOf('spaces')}:access`, 'Everybody who may open Spaces', false],
        [`${clientOf('apps')}:apps.create`, 'Everybody who may make spaces', true],
      ] as const) {
        await sql`insert into space_permission
          (id, tenant_id, space_id, principal, principal_name, role, owner, granted_by)
          select md5(id || ${role}), tenant_id, id, ${`role:${role}`}, ${name}, 'viewer', ${isOwner}, 'quayside'
          from spaces`.execute(db)
        await sql`insert into permission_event
          (tenant_id, space_id, what, principal, principal_name, role, owner, note)
          select tenant_id, id, 'granted', ${`role:${role}`}, ${name}, 'Viewer', ${isOwner},
            'As it was before spaces had permission lists' from spaces`.execute(db)
      }
    },
  },
  {
    name: 'permissions/003-names',
    /** Requests that were taken back had been written down with the id of their role. */
    async up(db) {
      await sql`alter table access_request add column answered_by_id text`.execute(db)
      await sql`update permission_event event
        set role = coalesce((select name from space_role where id = event.role), ${deletedRole})
        where what = 'withdrawn' and role <> all(${Object.keys(spaceRoles)}::text[])`.execute(db)
    },
  },
  {
    name: 'permissions/004-roles-of-the-tenant',
    async up(db) {
      await sql`alter table access_request alter column space_id drop not null`.execute(db)
      await sql`create unique index access_request_once_of_tenant on access_request (tenant_id, person_id, role)
        where state = 'open' and space_id is null`.execute(db)
      await sql`create table role_grant (
        id text primary key, tenant_id text not null references tenants, person_id text not null,
        person_name text not null, role text not null, is_final boolean not null, expires_at timestamptz,
        granted_by text not null, granted_by_id text not null,
        granted_at timestamptz not null default clock_timestamp(), unique (tenant_id, person_id, role))`.execute(db)
      await sql`create index role_grant_by_end on role_grant (expires_at) where expires_at is not null`.execute(db)
      await isolateTenants(db, 'role_grant')
    },
  },
]
