import { z } from 'zod'
import { endpointsOf } from './endpoint.ts'
import { ListQuery, listOf } from './paging.ts'
import { ById } from './portal-api.ts'

const endpoint = endpointsOf('iam')

export const RoleRef = z.object({ id: z.string(), name: z.string() })
export const Account = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  realm: z.string(),
  realmRoles: z.array(z.string()),
  resourceRoles: z.record(z.string(), z.array(z.string())),
  groups: z.array(z.string()),
})
export type Account = z.infer<typeof Account>

export const Session = z.object({
  id: z.string(),
  ipAddress: z.string().nullable(),
  startedAt: z.string(),
  lastAccessAt: z.string(),
  clients: z.array(z.string()),
  current: z.boolean(),
})

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

/** Keycloak sorts by user name alone; by anything else so many users are sorted at most. */
export const mostSortedUsers = 1000

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

export const Role = z.object({ id: z.string(), name: z.string(), description: z.string(), composite: z.boolean() })
export type Role = z.infer<typeof Role>

export const Client = z.object({
  id: z.string(),
  clientId: z.string(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  serviceAccount: z.boolean(),
  roles: z.array(z.string()),
})
export type Client = z.infer<typeof Client>

export const ServiceAccountClientInput = z.strictObject({
  clientId: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, '1 to 63 lower-case letters, digits and dashes'),
  description: z.string().trim().max(200).default(''),
  /** Realm roles of the service account: quayside-admin, quayside-operator or quayside-viewer. */
  realmRoles: z.array(z.string().min(1).max(100)).min(1, 'at least one role').max(20),
})
export const ServiceAccountClient = Client.extend({ secret: z.string().describe('shown once'), tokenUrl: z.string() })

export const iam = {
  account: endpoint('GET', '/v2/account', { summary: 'The signed-in user', reply: Account }),
  accountSessions: endpoint('GET', '/v2/account/sessions', {
    summary: 'Sessions of the signed-in user',
    reply: z.object({ data: z.array(Session) }),
  }),
  logout: endpoint('POST', '/v2/account/logout', { summary: 'End all sessions of the signed-in user', status: 204 }),
  listUsers: endpoint('GET', '/v2/users', {
    summary: 'All users of the realm (first 1000)',
    reply: z.object({ data: z.array(User) }),
  }),
  findUsers: endpoint('GET', '/v3/users', {
    summary: `Users, searched and paged; sort: username, and name, email, enabled, createdAt where at most ${mostSortedUsers} match`,
    query: ListQuery,
    reply: listOf(User),
  }),
  getUser: endpoint('GET', '/v2/users/:id', { summary: 'One user', params: ById, reply: User }),
  userGroups: endpoint('GET', '/v2/users/:id/groups', {
    summary: 'Groups of a user',
    params: ById,
    reply: z.object({ data: z.array(RoleRef) }),
  }),
  listGroups: endpoint('GET', '/v2/groups', {
    summary: 'The tree of groups',
    reply: z.object({ data: z.array(Group) }),
  }),
  getGroup: endpoint('GET', '/v2/groups/:id', { summary: 'One group', params: ById, reply: Group }),
  countMembers: endpoint('POST', '/v2/groups/people', {
    summary: 'How many people are in any of these groups or below them; who is in several counts once',
    body: z.object({ ids: z.array(z.string().max(64)).max(1000) }),
    reply: z.object({ people: z.number() }),
  }),
  groupMembers: endpoint('GET', '/v2/groups/:id/members', {
    summary: 'Members of a group',
    params: ById,
    reply: z.object({ data: z.array(User) }),
  }),
  listRoles: endpoint('GET', '/v2/roles', { summary: 'Realm roles', reply: z.object({ data: z.array(Role) }) }),
  listClients: endpoint('GET', '/v2/clients', {
    summary: 'Clients of the realm',
    reply: z.object({ data: z.array(Client) }),
  }),
  getClient: endpoint('GET', '/v2/clients/:id', { summary: 'One client', params: ById, reply: Client }),
  createClient: endpoint('POST', '/v2/clients', {
    summary: 'Make a service-account client for scripts; its secret is in the answer, once',
    body: ServiceAccountClientInput,
    reply: ServiceAccountClient,
    status: 201,
  }),
  deleteClient: endpoint('DELETE', '/v2/clients/:id', {
    summary: 'Delete a service-account client',
    params: ById,
    status: 204,
  }),
}
