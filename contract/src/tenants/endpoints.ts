import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'

const endpoint = endpointsOf('portal-api')

export const Tenant = z.object({
  id: z.string(),
  identifier: z.string(),
  realm: z.string(),
  displayName: z.string(),
  spaces: z.array(z.object({ id: z.string(), apps: z.array(z.object({ id: z.string() })) })),
})
export type Tenant = z.infer<typeof Tenant>

export const tenants = {
  limits: endpoint('GET', '/v1/limits', {
    summary: 'The limits that this portal holds callers to',
    reply: z.object({
      uploadBytes: z.number(),
      valuesBytes: z.number(),
      listLimit: z.number(),
      deployTimeoutSeconds: z.number(),
    }),
  }),
  tenantByRealm: endpoint('GET', '/v2/tenants/byrealm/:realm', {
    summary: 'The tenant of a realm',
    params: z.object({ realm: z.string().min(1).max(64) }),
    reply: Tenant,
  }),
}
