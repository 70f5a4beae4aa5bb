import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/api-error.ts'
import { sharedForMs } from './api/shared-gets.ts'

const worthAnotherTry = new Set([502, 503, 504])

/** Reads are shared for a moment; only answers that may be different next time are asked for again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: sharedForMs,
        retry: (failures, error) => failures < 1 && error instanceof ApiError && worthAnotherTry.has(error.status),
        retryDelay: 800,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
