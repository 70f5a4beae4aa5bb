import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'

const endpoint = endpointsOf('iam')

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

export const account = {
  account: endpoint('GET', '/v2/account', { summary: 'The signed-in user', reply: Account }),
  accountSessions: endpoint('GET', '/v2/account/sessions', {
    summary: 'Sessions of the signed-in user',
    reply: z.object({ data: z.array(Session) }),
  }),
  logout: endpoint('POST', '/v2/account/logout', { summary: 'End all sessions of the signed-in user', status: 204 }),
}
