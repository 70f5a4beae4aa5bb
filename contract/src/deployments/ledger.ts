import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'

const endpoint = endpointsOf('deployment')

/** Values that the list of actions can be filtered by. */
export const ledger = {
  listStarters: endpoint('GET', '/v1/actions/people', {
    summary: 'Everybody who has started an action that the ledger still knows, by name',
    reply: z.object({ data: z.array(z.string()) }),
  }),
}
