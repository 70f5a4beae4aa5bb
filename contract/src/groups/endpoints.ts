import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id, nameOf, textOf } from '../http/primitives.ts'
import { Attributes, User } from '../users/endpoints.ts'

const endpoint = endpointsOf('iam')

export interface Group {
  id: string
  name: string
  path: string
  memberCount: number
  subGroups: Group[]
}
export const Group: z.ZodType<Group> = z
  .lazy(() =>
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      memberCount: z.number(),
      subGroups: z.array(Group),
    }),
  )
  .meta({ id: 'Group' })

export const GroupDetail = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  memberCount: z.number(),
  subGroups: z.array(Group),
  description: z.string(),
  /** Null for a group at the top. */
  parentId: z.string().nullable(),
  /** Null for who lacks groups.attributes.view. */
  attributes: z.record(z.string(), z.array(z.string())).nullable(),
})
export type GroupDetail = z.infer<typeof GroupDetail>

export const GroupInput = z.strictObject({
  name: nameOf(longest.displayName),
  description: textOf(longest.description).default(''),
  attributes: Attributes.default({}),
})
export type GroupInput = z.infer<typeof GroupInput>

/** A field that is left out stays as it is. */
export const GroupChange = z.strictObject({
  name: nameOf(longest.displayName).optional(),
  description: textOf(longest.description).optional(),
  attributes: Attributes.optional(),
})
export type GroupChange = z.infer<typeof GroupChange>

export const GroupRef = z.object({ id: z.string(), name: z.string(), path: z.string() })
export type GroupRef = z.infer<typeof GroupRef>

const InRealm = z.object({ realm: z.string().min(1).max(255) })
const GroupInRealm = InRealm.extend({ gid: Id })

export const groups = {
  listGroups: endpoint('GET', '/v2/groups', {
    summary: 'The tree of groups',
    reply: z.object({ data: z.array(Group) }),
  }),
  getGroup: endpoint('GET', '/v2/groups/:id', { summary: 'One group', params: ById, reply: GroupDetail }),
  createGroup: endpoint('POST', '/v2/groups', {
    summary: 'Create a group at the top',
    body: GroupInput,
    reply: GroupDetail,
    status: 201,
  }),
  updateGroup: endpoint('PUT', '/v2/groups/:id', {
    summary: 'Change a group; a field that is left out stays as it is',
    params: ById,
    body: GroupChange,
    reply: GroupDetail,
  }),
  deleteGroup: endpoint('DELETE', '/v2/groups/:id', {
    summary: 'Delete a group with everything below it; its members stay',
    params: ById,
    status: 204,
  }),
  createSubGroup: endpoint('POST', '/v2/groups/:id/children', {
    summary: 'Create a group below another one',
    params: ById,
    body: GroupInput,
    reply: GroupDetail,
    status: 201,
  }),
  moveGroup: endpoint('POST', '/v2/groups/:id/children/:childId', {
    summary: 'Move a group, with everything below it, below another one',
    params: ById.extend({ childId: Id }),
    status: 204,
  }),
  moveGroupToTop: endpoint('POST', '/v3/groups/:id/top', {
    summary: 'Move a group, with everything below it, to the top',
    params: ById,
    status: 204,
  }),
  countMembers: endpoint('POST', '/v2/groups/people', {
    summary: 'How many people are in any of these groups or below them; who is in several counts once',
    onlyReads: true,
    body: z.object({ ids: z.array(z.string().max(64)).max(1000) }),
    reply: z.object({ people: z.number() }),
  }),
  groupMembers: endpoint('GET', '/v2/groups/:id/members', {
    summary: 'Members of a group',
    params: ById,
    reply: z.object({ data: z.array(User) }),
  }),
  findMembers: endpoint('GET', '/v3/groups/:id/members', {
    summary: 'Members of a group, searched and paged, by user name',
    params: ById,
    query: ListQuery,
    reply: listOf(User),
  }),
}

/** Groups that every new user is put into. */
export const defaultGroups = {
  listDefaultGroups: endpoint('GET', '/v2/realms/default-groups/:realm', {
    summary: 'Groups that every new user is put into',
    params: InRealm,
    reply: z.object({ data: z.array(GroupRef) }),
  }),
  addDefaultGroup: endpoint('PUT', '/v2/realms/default-groups/:realm/:gid', {
    summary: 'Put every new user into a group',
    params: GroupInRealm,
    status: 204,
  }),
  removeDefaultGroup: endpoint('DELETE', '/v2/realms/default-groups/:realm/:gid', {
    summary: 'Put new users into a group no longer',
    params: GroupInRealm,
    status: 204,
  }),
}
