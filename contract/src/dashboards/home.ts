import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { Id } from '../http/primitives.ts'

const endpoint = endpointsOf('dashboard')

const Named = z.object({ id: z.string(), displayName: z.string() })

export const Home = z.object({
  /** The dashboard that is shown as Home; null: the page of the portal. */
  dashboard: Named.nullable(),
  reason: z.enum(['own', 'default', 'recommended', 'none']),
  /** The default of the tenant, where it waits for consent. */
  offered: Named.nullable(),
})
export type Home = z.infer<typeof Home>

/** `portal` is the page of the portal; `default` leaves it to the tags. */
export const HomeChoice = z.discriminatedUnion('choice', [
  z.strictObject({ choice: z.literal('dashboard'), dashboardId: Id }),
  z.strictObject({ choice: z.literal('portal') }),
  z.strictObject({ choice: z.literal('default') }),
])
export type HomeChoice = z.infer<typeof HomeChoice>

export const dashboardHome = {
  getHome: endpoint('GET', '/v1/home', { summary: "The caller's Home", reply: Home }),
  chooseHome: endpoint('PUT', '/v1/home', {
    summary: 'Choose a dashboard, or the page of the portal, as Home',
    body: HomeChoice,
    reply: Home,
  }),
}
