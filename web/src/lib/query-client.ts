import { type Query, QueryClient } from '@tanstack/react-query'
import { ApiError, isPassing } from './api/api-error.ts'
import { sharedForMs } from './api/shared-gets.ts'

const worthAnotherTry = new Set([502, 503, 504])

const longestPauseMs = 15_000

/**
 * When a read that was not answered is asked again by itself; false for every other one. One that a busy portal refused
 * has been sent again already, as often as it may be: more would keep the portal busy.
 */
export function againMs({ state }: Pick<Query, 'state'>): number | false {
  if (state.status !== 'error' || !isPassing(state.error)) return false
  return Math.min(longestPauseMs, 1000 * 2 ** Math.min(state.errorUpdateCount, 4))
}

/** Reads are shared for a moment; only answers that may be different next time are asked for again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: sharedForMs,
        retry: (failures, error) => failures < 1 && error instanceof ApiError && worthAnotherTry.has(error.status),
        retryDelay: 800,
        networkMode: 'always',
        // With networkMode 'always' a network that comes back changes nothing unless it is said.
        refetchOnReconnect: true,
        refetchInterval: againMs,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
