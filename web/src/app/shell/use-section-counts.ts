import type { Topic } from '@quayside/contract/live'
import type { ListReply } from '@quayside/contract/paging'
import { useQueries } from '@tanstack/react-query'
import { useLive, usePortal } from '../../lib/portal.tsx'

const counted: readonly { state: string; path: string; topic: Topic['topic'] }[] = [
  { state: 'apps', path: '/portal-api/v2/apps', topic: 'apps' },
  { state: 'spaces', path: '/portal-api/v2/spaces', topic: 'spaces' },
  { state: 'clusters', path: '/cluster/v2/clusters', topic: 'clusters' },
]

/** How many there are of what the side bar counts, for the entries that this person sees. */
export function useSectionCounts(states: readonly string[]): Record<string, number | undefined> {
  const { api } = usePortal()
  useLive({ topic: 'apps' }, ['apps'])
  useLive({ topic: 'spaces' }, ['spaces'])
  useLive({ topic: 'clusters' }, ['clusters'])
  const results = useQueries({
    queries: counted.map(({ state, path, topic }) => ({
      queryKey: [topic, 'count'],
      enabled: states.includes(state),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<ListReply<unknown>>(path, { signal, query: { page: { skip: 0, limit: 1 } } }),
    })),
  })
  return Object.fromEntries(counted.map(({ state }, index) => [state, results[index]?.data?.page.total]))
}
