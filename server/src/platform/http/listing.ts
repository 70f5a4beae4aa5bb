import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { encodeQuery } from '@quayside/contract/http/query-string'
import { fail } from './errors.ts'

/** A search text as an ILIKE pattern, its wildcards taken literally. */
export function likePattern(search: string): string {
  return `%${search.trim().replace(/[\\%_]/g, (char) => `\\${char}`)}%`
}

/** Refuses filters that a list does not have, by name: a page that is not narrowed as it was asked would mislead. */
export function mustKnowFilters(filters: ListQuery['filters'], known: readonly string[]): void {
  const unknown = Object.keys(filters).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const help = known.length === 0 ? 'this list has no filters' : `filter by one of ${known.join(', ')}`
  throw fail('request.invalid', { field: `filters.${unknown}`, message: `filters.${unknown}: ${help}` })
}

/** Refuses any sort of a list that has one order alone. */
export function mustNotSort(sort: ListQuery['sort']): void {
  const [field] = Object.keys(sort)
  if (field === undefined) return
  throw fail('request.invalid', { field: `sort.${field}`, message: `sort.${field}: this list has an order of its own` })
}

/** The wanted order as columns, from an allow-list of sortable fields. Refuses any other field by name. */
export function orderOf<C extends string>(
  sort: ListQuery['sort'],
  columns: Readonly<Record<string, C>>,
  fallback: readonly (readonly [C, 'asc' | 'desc'])[],
): readonly (readonly [C, 'asc' | 'desc'])[] {
  const wanted = Object.entries(sort).map(([field, direction]) => {
    const column = Object.hasOwn(columns, field) ? columns[field] : undefined
    if (!column)
      throw fail('request.invalid', {
        field: `sort.${field}`,
        message: `sort.${field}: sort by one of ${Object.keys(columns).join(', ')}`,
      })
    return [column, direction === 'ASC' ? 'asc' : 'desc'] as const
  })
  return wanted.length > 0 ? wanted : fallback
}

/** One filter's values as a list; empty when it is not set. */
export function filterValues(filters: ListQuery['filters'], name: string): string[] {
  const value = (filters as Record<string, string | string[] | undefined>)[name]
  if (value === undefined) return []
  return Array.isArray(value) ? value : value.split(',').filter((part) => part !== '')
}

/** A page of a list with the address of the one that follows. `path` is that of the call. */
export function listReply<T>(data: T[], total: number, query: ListQuery, path: string): ListReply<T> {
  const { skip, limit } = query.page
  const hasMore = skip + data.length < total && data.length > 0
  const rest = { ...query, fields: undefined, page: { skip: skip + limit, limit } }
  return { data, page: { skip, limit, total }, next: hasMore ? `${path}?${encodeQuery(rest)}` : null }
}
