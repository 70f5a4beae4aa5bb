import { type Budget, costBudget } from '@quayside/contract/cost/budget'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { costKey } from './prices.ts'

export const budgetQuery = (api: Api, spaceId: string) =>
  queryOptions({
    queryKey: [...costKey, 'budget', spaceId],
    queryFn: async ({ signal }) => (await call(api, costBudget.getBudget, { params: { id: spaceId }, signal })).budget,
  })

/** The budget of a space for a month; null: it has none. */
export function useBudget(spaceId: string) {
  const { api } = usePortal()
  return useQuery(budgetQuery(api, spaceId))
}

export function useSetBudget(spaceId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (budget: Pick<Budget, 'amount' | 'currency'> | null) =>
      call(api, costBudget.setBudget, { params: { id: spaceId }, body: { budget } }),
    onSettled: () => queries.invalidateQueries({ queryKey: costKey }),
  })
}
