import { events } from '@quayside/contract/events/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { type TimedList, timedQuery } from '../lists/timed-query.ts'

/** A page of sign-ins and of what people did with their accounts, the newest first. */
export function useEvents(asked: TimedList) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['events', 'sign-ins', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, events.findEvents, { signal, query: timedQuery(asked) }),
  })
}

/** A page of changes of the realm, the newest first. */
export function useAdminEvents(asked: TimedList) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['events', 'changes', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, events.findAdminEvents, { signal, query: timedQuery(asked) }),
  })
}
