import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById } from '../http/primitives.ts'
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
  getUser: endpoint('GET', '/v2/users/:id', { summary: 'One user', params: ById, reply: User }),
  userGroups: endpoint('GET', '/v2/users/:id/groups', {
    summary: 'Groups of a user',
    params: ById,
    reply: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }),
  }),
}
