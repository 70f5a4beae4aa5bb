import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id, textOf } from '../http/primitives.ts'
import { Attributes, User } from '../users/endpoints.ts'
import { roleSorts } from './sorts.ts'

const endpoint = endpointsOf('iam')

export const Role = z.object({ id: z.string(), name: z.string(), description: z.string(), composite: z.boolean() })
export type Role = z.infer<typeof Role>

/** A role inside of another one. */
export const RolePart = Role.extend({
  /** Client id of the client whose role it is; null for a role of the realm. */
  client: z.string().nullable(),
})
export type RolePart = z.infer<typeof RolePart>

export const RoleDetail = Role.extend({
  /** Roles inside of it, without those inside of these. */
  parts: z.array(RolePart),
  /** The portal or the identity server needs it: it is neither renamed nor deleted nor emptied. */
  builtIn: z.boolean(),
  /** Null for who lacks roles.attributes.view. */
  attributes: z.record(z.string(), z.array(z.string())).nullable(),
})
export type RoleDetail = z.infer<typeof RoleDetail>

const RoleName = z
  .string()
  .trim()
  .min(1, 'Name required')
  .max(longest.roleName, `at most ${longest.roleName} characters`)
  // Tokens and lists write roles of clients as client:role, and names stand in addresses.
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'letters, digits, spaces, dots, dashes and underscores')

export const RoleInput = z.strictObject({
  name: RoleName,
  description: textOf(longest.shortDescription).default(''),
  attributes: Attributes.default({}),
})
export type RoleInput = z.infer<typeof RoleInput>

/** A field that is left out stays as it is. */
export const RoleChange = z.strictObject({
  name: RoleName.optional(),
  description: textOf(longest.shortDescription).optional(),
  attributes: Attributes.optional(),
})
export type RoleChange = z.infer<typeof RoleChange>

/** Text that was read and is sent back, which counts for nothing. */
const sentBack = z.string().max(10_000).optional()
/** Roles as they were read; the ids count. */
export const ChosenRoles = z
  .array(
    z.strictObject({
      ...{ id: Id, name: sentBack, description: sentBack, composite: z.boolean().optional() },
      client: sentBack.nullable(),
    }),
  )
  .min(1, 'at least one role')
  .max(100, 'at most 100 roles at once')

const roleList = z.object({ data: z.array(Role) })
const ByName = z.object({ name: z.string().min(1).max(255) })

export const roles = {
  listRoles: endpoint('GET', '/v2/roles', { summary: 'Realm roles', reply: roleList }),
  findRoles: endpoint('GET', '/v3/roles', {
    summary: `Realm roles, searched and paged; sort: ${roleSorts.join(', ')}`,
    query: ListQuery,
    reply: listOf(Role),
  }),
  getRole: endpoint('GET', '/v2/roles/:id', {
    summary: 'One role, with the roles inside of it',
    params: ById,
    reply: RoleDetail,
  }),
  createRole: endpoint('POST', '/v2/roles', {
    summary: 'Create a role of the realm',
    body: RoleInput,
    reply: RoleDetail,
    status: 201,
  }),
  updateRole: endpoint('PUT', '/v2/roles/:id', {
    summary: 'Change a role; a field that is left out stays as it is',
    params: ById,
    body: RoleChange,
    reply: RoleDetail,
  }),
  deleteRole: endpoint('DELETE', '/v2/roles/:id', { summary: 'Delete a role', params: ById, status: 204 }),
  addParts: endpoint('POST', '/v3/roles/:id/parts', {
    summary: 'Put roles into a role: who holds it holds them too',
    params: ById,
    body: ChosenRoles,
    status: 204,
  }),
  removeParts: endpoint('DELETE', '/v3/roles/:id/parts', {
    summary: 'Take roles out of a role',
    params: ById,
    body: ChosenRoles,
    status: 204,
  }),
  roleUsers: endpoint('GET', '/v2/roles/:name/users', {
    summary: 'Users to whom a role is assigned itself (first 1000)',
    params: ByName,
    reply: z.object({ data: z.array(User) }),
  }),
  findRoleUsers: endpoint('GET', '/v3/roles/:name/users', {
    summary: 'Users to whom a role is assigned itself, searched and paged, by user name',
    params: ByName,
    query: ListQuery,
    reply: listOf(User),
  }),
}

const InRealm = z.object({ realm: z.string().min(1).max(255) })
const OfClient = ById.extend({ realm: z.string().min(1).max(255) })

/** Roles that every user has, as parts of the realm's default role, and the roles of clients. */
export const defaultRoles = {
  listDefaultRoles: endpoint('GET', '/v2/realms/default-roles/assigned/:realm', {
    summary: 'Roles of the realm that every user has',
    params: InRealm,
    reply: roleList,
  }),
  listOtherRoles: endpoint('GET', '/v2/realms/default-roles/available/:realm', {
    summary: 'Roles of the realm that not every user has',
    params: InRealm,
    reply: roleList,
  }),
  addDefaultRoles: endpoint('POST', '/v2/realms/default-roles/assigned/:realm', {
    summary: 'Give roles of the realm to every user',
    params: InRealm,
    body: ChosenRoles,
    status: 204,
  }),
  removeDefaultRoles: endpoint('DELETE', '/v2/realms/default-roles/assigned/:realm', {
    summary: 'Give roles of the realm to every user no longer',
    params: InRealm,
    body: ChosenRoles,
    status: 204,
  }),
  listClientRoles: endpoint('GET', '/v3/clients/:id/roles', {
    summary: 'Roles of a client',
    params: ById,
    reply: roleList,
  }),
  createClientRole: endpoint('POST', '/v2/clients/:id/roles', {
    summary: 'Create a role of a client',
    params: ById,
    body: RoleInput,
    reply: Role,
    status: 201,
  }),
  listClientDefaultRoles: endpoint('GET', '/v2/clients/:id/roles/default/assigned/realm/:realm', {
    summary: 'Roles of a client that every user has',
    params: OfClient,
    reply: roleList,
  }),
  listOtherClientRoles: endpoint('GET', '/v2/clients/:id/roles/default/available/realm/:realm', {
    summary: 'Roles of a client that not every user has',
    params: OfClient,
    reply: roleList,
  }),
  addClientDefaultRoles: endpoint('POST', '/v2/clients/:id/roles/default/assigned/realm/:realm', {
    summary: 'Give roles of a client to every user',
    params: OfClient,
    body: ChosenRoles,
    status: 204,
  }),
  removeClientDefaultRoles: endpoint('DELETE', '/v2/clients/:id/roles/default/assigned/:realm', {
    summary: 'Give roles of a client to every user no longer',
    params: OfClient,
    body: ChosenRoles,
    status: 204,
  }),
}
