import type { Tries } from './tries.ts'
import { metadataOf, type Team, type Tenant } from './two-teams.ts'

const cost = '/metrics-dashboard/v1/cost'

/** Prices of a team's cluster, exchange rates, and what its app would cost. */
export function costTries({ child }: Tenant, { app, space, clusterId }: Team): Tries {
  const params = { id: clusterId }
  const prices = { currency: 'EUR', coreHour: 1, memoryGibHour: 1, storage: [], loadBalancerHour: 1, overheadHour: 1 }
  const body = { appMetadata: metadataOf(app, space), yaml: '' }
  return {
    [`GET ${cost}/prices/:id`]: { params },
    [`PUT ${cost}/prices/:id`]: { params, body: prices, mild: { params, body: {} } },
    [`GET ${cost}/rates`]: { isEmptyAbroad: true },
    [`PUT ${cost}/rates`]: {
      isEmptyAbroad: true,
      body: { data: [{ currency: 'USD', perEuro: 1, asOf: '2031-05-01' }] },
      mild: { body: {} },
    },
    [`GET ${cost}/allocation`]: { query: { window: '7d', accumulate: 'true' }, isEmptyAbroad: true },
    [`POST ${cost}/estimate`]: {
      body: { ...body, versionId: child.version.id },
      mild: { body: { ...body, versionId: 'nothing' } },
    },
  }
}
