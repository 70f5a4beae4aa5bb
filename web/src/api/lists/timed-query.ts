const rowsPerPage = 50

/** How far back a list goes, by the word in the address. */
const spans: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

export const spanOptions = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last day' },
  { value: 'week', label: 'Last week' },
]

export interface TimedList {
  search?: string
  filters: Readonly<Record<string, string | undefined>>
  since: string | undefined
  skip: number
}

/** Search and filters of a list of what has happened, as its call takes them. */
export function timedFilters({ search, filters, since }: Omit<TimedList, 'skip'>) {
  const span = since === undefined ? undefined : spans[since]
  const from = span === undefined ? {} : { from: new Date(Date.now() - span).toISOString() }
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...(search ? { search } : {}), filters: { ...Object.fromEntries(given), ...from } }
}

/** One page of it. */
export const timedQuery = ({ skip, ...list }: TimedList) => ({
  ...timedFilters(list),
  page: { skip, limit: rowsPerPage },
})
