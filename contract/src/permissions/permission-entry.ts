import { z } from 'zod'
import { Id, Moment } from '../http/primitives.ts'
import { type Scope, scopes } from './scopes.ts'

export const ScopeName = z.enum(scopes as [Scope, ...Scope[]])

/** A role of the realm, or `client:role`. */
export const RoleId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\s\p{Cc}]+$/u, 'not the name of a role')

/** Principal that an entry of a permission list is about. A role stands for everybody who holds it. */
const Principal = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('user'), id: Id }),
  z.strictObject({ type: z.literal('group'), id: Id }),
  z.strictObject({ type: z.literal('role'), id: RoleId }),
])

/** The same with what people call it. */
export const NamedPrincipal = z.object({
  type: z.enum(['user', 'group', 'role']),
  id: z.string(),
  name: z.string(),
  /** The user name beside a full name, the path of a group. */
  detail: z.string().nullable(),
  /** It does not exist any more. */
  isGone: z.boolean(),
})
export type NamedPrincipal = z.infer<typeof NamedPrincipal>

/** A built-in role of spaces by its name, or one that the tenant has defined by its id. */
export const SpaceRoleId = Id
const Until = Moment.nullable()

export const Permission = z.object({
  id: z.string(),
  principal: NamedPrincipal,
  role: z.object({ id: z.string(), name: z.string() }),
  scopes: z.array(ScopeName),
  /** Keeps the space: changes it, its members and owners, and may delete it. */
  owner: z.boolean(),
  /** When it ends by itself; null: it lasts. */
  expiresAt: z.string().nullable(),
  /** User name of the person who gave it. */
  grantedBy: z.string(),
  /** Display name of the same person. */
  grantedByName: z.string(),
  grantedAt: z.string(),
})
export type Permission = z.infer<typeof Permission>

export const PermissionInput = z.strictObject({
  principal: Principal,
  role: SpaceRoleId,
  owner: z.boolean().default(false),
  expiresAt: Until.default(null),
})
export type PermissionInput = z.infer<typeof PermissionInput>

export const PermissionChange = z.strictObject({
  id: Id,
  role: SpaceRoleId,
  owner: z.boolean(),
  expiresAt: Until,
})
export type PermissionChange = z.infer<typeof PermissionChange>

/** How many entries the list of one space has at most, and how many can be given when it is made. */
export const mostPermissions = 500
export const mostFirstMembers = 50
