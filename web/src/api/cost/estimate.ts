import { costEstimate } from '@quayside/contract/cost/estimate'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { call, type InputOf } from '../client.ts'
import { costKey } from './prices.ts'

type EstimateInput = InputOf<typeof costEstimate.estimate>['body']

/** The cost of a month that values of a version would lead to. */
export const estimateQuery = (api: Api, body: EstimateInput) =>
  queryOptions({
    queryKey: [...costKey, 'estimate', body],
    queryFn: ({ signal }) => call(api, costEstimate.estimate, { body, signal }),
    // Prices and what is deployed may change in the meantime.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
