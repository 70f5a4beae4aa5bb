import type { Listed } from './list-world.ts'

export type Sortable = string | number | boolean
export interface Row {
  id: string
}
type Direction = 'ASC' | 'DESC'

/** One list: what it can be asked for, and which rows that means. */
export interface ListCase<T extends Row = Row> {
  params?(listed: Listed): Record<string, string>
  as?: 'asker'
  /** Rows are narrowed to these, so that others, which come and go by themselves, stay out. */
  only?(listed: Listed): Record<string, unknown>
  /** Every sort of the list, by what it compares. */
  sorts: Readonly<Record<string, (row: T) => Sortable>>
  /** Order where none is asked for. */
  usually: readonly (readonly [(row: T) => Sortable, Direction])[]
  /** Every filter of the list: values, and the rows that stay. */
  filters: Readonly<Record<string, { by(listed: Listed): string | string[]; keeps(row: T, listed: Listed): boolean }>>
  /** Filters that lead to rows which the list does not hold otherwise: the tests of the service try them. */
  elsewhere?: readonly string[]
  /** Texts that are searched for, by the rows that have them; none for a list without a search. */
  searches: Readonly<Record<string, (row: T) => boolean>>
}

export const listCase = <T extends Row>(one: ListCase<T>): ListCase => one as unknown as ListCase

/** Searches for texts that mean something in a query or a pattern. */
export const searchesIn = <T>(textOf: (row: T) => string): Record<string, (row: T) => boolean> =>
  Object.fromEntries(
    ['0% o', 'a_b', 'one;two', 'one&two', 'ALPHA', 'nothing like it'].map((text) => [
      text,
      (row: T) => textOf(row).toLowerCase().includes(text.toLowerCase()),
    ]),
  )
