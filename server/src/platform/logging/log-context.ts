import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids of the call or the action that is worked on, which every line of the log then carries. */
export const logContext = new AsyncLocalStorage<{ requestId?: string; tenantId?: string; actionId?: string }>()
