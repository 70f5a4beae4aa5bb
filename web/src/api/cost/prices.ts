import { costPrices, type PriceSheetInput } from '@quayside/contract/cost/prices'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'

/** Everything that prices and rates decide. */
export const costKey = ['cost'] as const

/** Price sheets of a cluster, newest first. */
export function usePrices(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...costKey, 'prices', id],
    queryFn: async ({ signal }) => (await call(api, costPrices.getPrices, { params: { id }, signal })).data,
  })
}

export function useSetPrices(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: PriceSheetInput) => call(api, costPrices.setPrices, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: costKey }),
  })
}

/** Exchange rates of one euro. */
export function useRates() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...costKey, 'rates'],
    queryFn: async ({ signal }) => (await call(api, costPrices.getRates, { signal })).data,
  })
}

export function useSetRates() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (data: InputOf<typeof costPrices.setRates>['body']['data']) =>
      call(api, costPrices.setRates, { body: { data } }),
    onSettled: () => queries.invalidateQueries({ queryKey: costKey }),
  })
}
