import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import { NamedPrincipal, Permission, PermissionChange, PermissionInput, ScopeName } from './permission-entry.ts'
import { scopes } from './scopes.ts'

const endpoint = endpointsOf('portal-api')

export const PermissionEvent = z.object({
  id: z.string(),
  at: z.string(),
  /** User name of the person who changed it; null when the permission expired. */
  by: z.string().nullable(),
  /** Display name of the same person. */
  byName: z.string().nullable(),
  what: z.enum(['granted', 'changed', 'removed', 'expired', 'requested', 'declined', 'withdrawn']),
  principal: NamedPrincipal.omit({ isGone: true }),
  role: z.string(),
  owner: z.boolean(),
  expiresAt: z.string().nullable(),
  note: z.string().nullable(),
})
export type PermissionEvent = z.infer<typeof PermissionEvent>

/** One step of the way from a person to what they may do. */
export const Step = z.object({
  kind: z.enum(['user', 'group', 'role', 'space-role', 'owner']),
  id: z.string(),
  name: z.string(),
})
export type Step = z.infer<typeof Step>

/** How somebody comes to scopes in a space: person, group, role of the tenant, role in the space. */
export const Way = z.object({
  steps: z.array(Step),
  scopes: z.array(ScopeName),
  /** When this way ends by itself. */
  expiresAt: z.string().nullable(),
  /** The entry of the space's list that it goes through; null: a role of the tenant, which reaches every space. */
  permissionId: z.string().nullable(),
})
export type Way = z.infer<typeof Way>

export const SpaceMember = z.object({
  person: z.object({ id: z.string(), username: z.string(), name: z.string() }),
  scopes: z.array(ScopeName),
  owner: z.boolean(),
  ways: z.array(Way),
})
export type SpaceMember = z.infer<typeof SpaceMember>

export const SpaceRole = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  scopes: z.array(ScopeName),
  /** Every tenant has it, and nobody changes it. */
  builtIn: z.boolean(),
})
export type SpaceRole = z.infer<typeof SpaceRole>

export const SpaceRoleInput = z.strictObject({
  name: nameOf(longest.roleName),
  description: z.string().trim().max(longest.description, `at most ${longest.description} characters`).default(''),
  scopes: z.array(ScopeName).min(1, 'at least one scope').max(scopes.length),
})
export type SpaceRoleInput = z.infer<typeof SpaceRoleInput>

/** Scopes that the lists of spaces give the caller. Roles of the tenant, valid in every space, are in the token. */
export const MyScopes = z.object({ data: z.array(z.object({ spaceId: z.string(), scopes: z.array(ScopeName) })) })
export type MyScopes = z.infer<typeof MyScopes>

/** How many roles a tenant defines at most. */
export const mostSpaceRoles = 50

const PrincipalQuery = z.object({
  search: z.string().trim().min(2, 'at least 2 characters').max(100, 'at most 100 characters'),
})
const OfEntry = z.object({ id: Id, pid: Id })

export const permissions = {
  scopes: endpoint('GET', '/v2/authz/scopes', {
    summary: 'The scopes that spaces and apps know',
    reply: z.object({ data: z.array(z.string()) }),
  }),
  myScopes: endpoint('GET', '/v3/scopes/mine', {
    summary:
      'What the permission lists of spaces give the caller, by space; roles that reach every space are not in it',
    reply: MyScopes,
  }),
  listPermissions: endpoint('GET', '/v3/spaces/:id/permissions', {
    summary: 'Who may do what in a space: its permission list',
    params: ById,
    reply: z.object({ data: z.array(Permission) }),
  }),
  addPermission: endpoint('POST', '/v3/spaces/:id/permissions', {
    summary: 'Give a user, a group or everybody with a role a role in the space',
    params: ById,
    body: PermissionInput,
    reply: Permission,
    status: 201,
  }),
  changePermission: endpoint('PUT', '/v3/spaces/:id/permissions', {
    summary: 'Change the role of a member of a space; the body names the entry',
    params: ById,
    body: PermissionChange,
    reply: Permission,
  }),
  deletePermission: endpoint('DELETE', '/v3/spaces/:id/permissions/:pid', {
    summary: 'Take a member off a space',
    params: OfEntry,
    status: 204,
  }),
  permissionHistory: endpoint('GET', '/v3/spaces/:id/permissions/history', {
    summary: 'Who granted what to whom, newest first',
    params: ById,
    query: ListQuery,
    reply: listOf(PermissionEvent),
  }),
  listMembers: endpoint('GET', '/v3/spaces/:id/members', {
    summary: 'Everybody who may do something in a space, and by which ways',
    params: ById,
    reply: z.object({ data: z.array(SpaceMember), isCut: z.boolean() }),
  }),
  findPrincipals: endpoint('GET', '/v3/spaces/:id/principals', {
    summary: 'Users and groups by name, for the permission list; 20 at most',
    params: ById,
    query: PrincipalQuery,
    reply: z.object({ data: z.array(NamedPrincipal) }),
  }),
  findFirstMembers: endpoint('GET', '/v3/principals', {
    summary: 'Users and groups by name, for a space that is yet to be made; 20 at most',
    query: PrincipalQuery,
    reply: z.object({ data: z.array(NamedPrincipal) }),
  }),
  listSpaceRoles: endpoint('GET', '/v3/space-roles', {
    summary: 'The roles that can be given in spaces, built-in ones first',
    reply: z.object({ data: z.array(SpaceRole) }),
  }),
  createSpaceRole: endpoint('POST', '/v3/space-roles', {
    summary: 'Define a role for spaces from scopes',
    body: SpaceRoleInput,
    reply: SpaceRole,
    status: 201,
  }),
  updateSpaceRole: endpoint('PUT', '/v3/space-roles/:id', {
    summary: 'Change a role that the tenant has defined; it changes wherever it was given',
    params: ById,
    body: SpaceRoleInput,
    reply: SpaceRole,
  }),
  deleteSpaceRole: endpoint('DELETE', '/v3/space-roles/:id', {
    summary: 'Delete a role that nobody holds',
    params: ById,
    status: 204,
  }),
}
