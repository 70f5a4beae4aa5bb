import { type AppUsage, type ClusterUsage, metrics, type SpaceUsage } from '@quayside/contract/metrics/endpoints'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

interface Asked {
  id: string
  rangeSeconds: number
  /** 0: not by itself. */
  refreshSeconds: number
  /** Nothing is asked: there is nothing that it could be about. */
  isOff?: boolean
}
type Ask = { params: { id: string }; query: { from: string }; signal: AbortSignal }

function useUsage<T>(
  of: string,
  { id, rangeSeconds, refreshSeconds, isOff = false }: Asked,
  read: (api: Api, ask: Ask) => Promise<T>,
) {
  const { api } = usePortal()
  return useQuery<T>({
    queryKey: ['usage', of, id, rangeSeconds],
    enabled: !isOff,
    refetchInterval: refreshSeconds > 0 && refreshSeconds * 1000,
    // Another range of the same thing: its charts stay until the new ones are there.
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - rangeSeconds * 1000).toISOString()
      return read(api, { params: { id }, query: { from }, signal })
    },
  })
}

export const useAppUsage = (asked: Asked) =>
  useUsage<AppUsage>('app', asked, (api, ask) => call(api, metrics.appUsage, ask))
export const useSpaceUsage = (asked: Asked) =>
  useUsage<SpaceUsage>('space', asked, (api, ask) => call(api, metrics.spaceUsage, ask))
export const useClusterUsage = (asked: Asked) =>
  useUsage<ClusterUsage>('cluster', asked, (api, ask) => call(api, metrics.clusterUsage, ask))
