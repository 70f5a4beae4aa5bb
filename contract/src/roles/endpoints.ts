import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'

const endpoint = endpointsOf('iam')

export const Role = z.object({ id: z.string(), name: z.string(), description: z.string(), composite: z.boolean() })
export type Role = z.infer<typeof Role>

export const roles = {
  listRoles: endpoint('GET', '/v2/roles', { summary: 'Realm roles', reply: z.object({ data: z.array(Role) }) }),
}
