import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import { mostAttributes, mostUserGroups, requiredActions, userLimits } from './rules.ts'
import { mostSortedUsers, userSorts } from './sorts.ts'

const endpoint = endpointsOf('iam')

export const User = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: z.string().nullable(),
})
export type User = z.infer<typeof User>

/** Values by name, as the identity server keeps them. */
export const Attributes = z
  .record(
    z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        'letters, digits, dots, dashes and underscores, at most 64 characters',
      ),
    z.array(z.string().min(1).max(userLimits.attribute)).min(1).max(20),
  )
  .refine((all) => Object.keys(all).length <= mostAttributes, `at most ${mostAttributes} attributes`)

const RequiredActions = z.array(z.enum(requiredActions)).max(requiredActions.length)

export const UserDetail = User.extend({
  emailVerified: z.boolean(),
  requiredActions: z.array(z.string()),
  /** Null for who lacks users.attributes.view. */
  attributes: z.record(z.string(), z.array(z.string())).nullable(),
  /** Id of the client whose service account this is; null for a person. */
  serviceAccountOf: z.string().nullable(),
})
export type UserDetail = z.infer<typeof UserDetail>

const Email = z
  .email('an address such as ines@example.org')
  .max(userLimits.email, `at most ${userLimits.email} characters`)
  .nullable()
const PersonalName = nameOf(userLimits.name).nullable()

export const UserInput = z.strictObject({
  username: z
    .string()
    .trim()
    .min(1, 'User name required')
    .max(userLimits.username, `at most ${userLimits.username} characters`)
    .regex(/^[\p{L}\p{N}._@+-]+$/u, 'letters, digits and . _ @ + -'),
  email: Email.default(null),
  firstName: PersonalName.default(null),
  lastName: PersonalName.default(null),
  enabled: z.boolean().default(true),
  emailVerified: z.boolean().default(false),
  requiredActions: RequiredActions.default([]),
  attributes: Attributes.default({}),
  groups: z.array(Id).max(mostUserGroups).default([]).describe('ids of groups to be in'),
  password: z.strictObject({ value: z.string().min(1).max(userLimits.password), temporary: z.boolean() }).optional(),
})
export type UserInput = z.infer<typeof UserInput>

/** A field that is left out stays as it is. */
export const UserChange = z.strictObject({
  email: Email.optional(),
  firstName: PersonalName.optional(),
  lastName: PersonalName.optional(),
  enabled: z.boolean().optional(),
  emailVerified: z.boolean().optional(),
  requiredActions: RequiredActions.optional(),
  attributes: Attributes.optional(),
})
export type UserChange = z.infer<typeof UserChange>

const InGroup = ById.extend({ gid: Id })

export const users = {
  listUsers: endpoint('GET', '/v2/users', {
    summary: 'All users of the realm (first 1000)',
    reply: z.object({ data: z.array(User) }),
  }),
  findUsers: endpoint('GET', '/v3/users', {
    summary: `Users, searched and paged; sort: ${userSorts.join(', ')}; all but username where at most ${mostSortedUsers} match`,
    query: ListQuery,
    reply: listOf(User),
  }),
  getUser: endpoint('GET', '/v2/users/:id', { summary: 'One user', params: ById, reply: UserDetail }),
  getUserByName: endpoint('GET', '/v2/users/name/:username', {
    summary: 'One user, by the user name',
    params: z.object({ username: z.string().min(1).max(userLimits.username) }),
    reply: UserDetail,
  }),
  createUser: endpoint('POST', '/v3/users', {
    summary: 'Create a user, also with a password and in groups',
    body: UserInput,
    reply: UserDetail,
    status: 201,
  }),
  updateUser: endpoint('PUT', '/v2/users/:id', {
    summary: 'Change a user; a field that is left out stays as it is',
    params: ById,
    body: UserChange,
    reply: UserDetail,
  }),
  deleteUser: endpoint('DELETE', '/v2/users/:id', { summary: 'Delete a user', params: ById, status: 204 }),
  userGroups: endpoint('GET', '/v2/users/:id/groups', {
    summary: 'Groups of a user',
    params: ById,
    reply: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }),
  }),
  joinGroup: endpoint('POST', '/v2/users/:id/groups/:gid', {
    summary: 'Add a user to a group',
    params: InGroup,
    status: 204,
  }),
  leaveGroup: endpoint('DELETE', '/v2/users/:id/groups/:gid', {
    summary: 'Take a user out of a group',
    params: InGroup,
    status: 204,
  }),
}
