import { z } from 'zod'
import { CurrencyCode } from '../account/currency.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { ById } from '../http/primitives.ts'
import { highestBudget } from './rules.ts'

const endpoint = endpointsOf('metrics-dashboard')

const amount = z.number('a number').positive('above 0').max(highestBudget, `at most ${highestBudget}`)

const Budget = z.object({
  amount: amount.describe('for a month'),
  currency: z.string(),
  setBy: z.string(),
  setAt: z.string(),
})
export type Budget = z.infer<typeof Budget>
const SpaceBudget = z.object({ budget: Budget.nullable().describe('null: the space has none') })

export const costBudget = {
  getBudget: endpoint('GET', '/v1/cost/spaces/:id/budget', {
    summary: 'Budget of a space for a month',
    params: ById,
    reply: SpaceBudget,
  }),
  setBudget: endpoint('PUT', '/v1/cost/spaces/:id/budget', {
    summary: 'Set the budget of a space, or take it away; deployments beyond it ask for a reason',
    params: ById,
    body: z.strictObject({ budget: z.strictObject({ amount, currency: CurrencyCode }).nullable() }),
    reply: SpaceBudget,
  }),
}
