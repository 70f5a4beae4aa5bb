import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById } from '../http/primitives.ts'
import { User } from '../users/endpoints.ts'

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

export const groups = {
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
}
