import { events } from '@quayside/contract/events/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

const eventsPerPage = 50

/** How far back events are asked for, by the word in the address. */
const spans: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

interface Asked {
  filters: Readonly<Record<string, string | undefined>>
  since: string | undefined
  skip: number
}

function queryOf({ filters, since, skip }: Asked) {
  const span = since === undefined ? undefined : spans[since]
  const from = span === undefined ? {} : { from: new Date(Date.now() - span).toISOString() }
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { filters: { ...Object.fromEntries(given), ...from }, page: { skip, limit: eventsPerPage } }
}

/** A page of sign-ins and of what people did with their accounts, the newest first. */
export function useEvents(asked: Asked) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['events', 'sign-ins', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, events.findEvents, { signal, query: queryOf(asked) }),
  })
}

/** A page of changes of the realm, the newest first. */
export function useAdminEvents(asked: Asked) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['events', 'changes', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, events.findAdminEvents, { signal, query: queryOf(asked) }),
  })
}
