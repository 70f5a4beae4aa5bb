import { limits } from '@quayside/contract/http/limits'

/** A list of more rows than this is narrowed by a filter first. */
const mostRows = 20_000

interface Page<T> {
  data: readonly T[]
  page: { total: number }
}

/** Every row of a list, page by page. */
export async function allRows<T>(fetchPage: (page: { skip: number; limit: number }) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const { data, page } = await fetchPage({ skip: rows.length, limit: limits.pageRows })
    if (page.total > mostRows)
      throw new Error(`The list has ${page.total} rows. Narrow it to ${mostRows} or fewer to export it.`)
    rows.push(...data)
    if (data.length === 0 || rows.length >= page.total) return rows
  }
}
