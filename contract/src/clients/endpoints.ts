import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ById } from '../http/primitives.ts'

const endpoint = endpointsOf('iam')

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
  clientId: z
    .string()
    .max(longest.clientId, `at most ${longest.clientId} characters`)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'lower-case letters, digits and dashes'),
  description: z.string().trim().max(longest.shortDescription).default(''),
  /** Realm roles of the service account: quayside-admin, quayside-operator or quayside-viewer. */
  realmRoles: z.array(z.string().min(1).max(100)).min(1, 'at least one role').max(20),
})
export const ServiceAccountClient = Client.extend({ secret: z.string().describe('shown once'), tokenUrl: z.string() })

export const clients = {
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
