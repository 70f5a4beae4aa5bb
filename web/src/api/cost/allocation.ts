import { type Allocations, costAllocation } from '@quayside/contract/cost/allocation'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { costKey } from './prices.ts'

type Query = NonNullable<InputOf<typeof costAllocation.allocation>['query']>
/** The place that amounts are about; every space that the person sees where it is empty. */
type CostOf = Pick<Query, 'clusterId' | 'spaceId' | 'appId'>

const refreshMs = 60_000
const weekMs = 7 * 86_400_000
const hourMs = 3_600_000

/** Costs of one time as one set. */
function useAllocation(query: Query) {
  const { api } = usePortal()
  return useQuery<Allocations>({
    queryKey: [...costKey, 'allocation', query],
    refetchInterval: refreshMs,
    queryFn: ({ signal }) => call(api, costAllocation.allocation, { query: { ...query, accumulate: 'true' }, signal }),
  })
}

/** Costs of this month so far, of now, and of this week beside the one before. */
export function useCosts(
  of: CostOf,
  aggregate: NonNullable<Query['aggregate']>,
  more: Pick<Query, 'includeIdle'> = {},
) {
  const thisHour = Math.floor(Date.now() / hourMs) * hourMs
  const moment = (at: number) => new Date(at).toISOString()
  const asked = { ...of, ...more, aggregate }
  return {
    month: useAllocation({ ...asked, window: 'month' }),
    now: useAllocation({ ...asked, window: '3h' }),
    week: useAllocation({ ...asked, window: `${moment(thisHour - weekMs)},${moment(thisHour)}` }),
    weekBefore: useAllocation({ ...asked, window: `${moment(thisHour - 2 * weekMs)},${moment(thisHour - weekMs)}` }),
  }
}
export type Costs = ReturnType<typeof useCosts>
