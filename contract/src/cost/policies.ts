import { filtered, holding, inPlace, type Policies, role, signedIn } from '../http/policy.ts'
import type { costAllocation } from './allocation.ts'
import type { costBudget } from './budget.ts'
import type { costEstimate } from './estimate.ts'
import type { costPrices } from './prices.ts'

const editsClusters = holding(role('clusters', 'clusters.edit'))

export const costPricePolicies: Policies<typeof costPrices> = {
  getPrices: holding(role('clusters', 'clusters.view')),
  setPrices: editsClusters,
  // They are the tenant's, and stand beside every amount that they made.
  getRates: signedIn,
  setRates: editsClusters,
}

export const costEstimatePolicies: Policies<typeof costEstimate> = {
  // Values are tried by those who may deploy them, who see what they cost.
  estimate: inPlace('app', 'body.appMetadata.appIdentifier', ['space.deploy', 'app.manage']),
}

export const costAllocationPolicies: Policies<typeof costAllocation> = {
  // Amounts tell what runs in a space, as its apps do. The idle part of a cluster takes clusters.view as well.
  allocation: filtered('app.view'),
}

export const costBudgetPolicies: Policies<typeof costBudget> = {
  getBudget: inPlace('space', 'params.id', 'space.view'),
  setBudget: inPlace('space', 'params.id', 'space.edit'),
}
