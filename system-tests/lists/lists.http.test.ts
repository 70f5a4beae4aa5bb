import { guardedCalls } from '@quayside/contract/capabilities'
import { ListQuery, type ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { encodeQuery } from '@quayside/contract/http/query-string'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListCase, Row, Sortable } from './list-case.ts'
import { listCases } from './list-cases.ts'
import { type Listed, makeListed } from './list-world.ts'

let world: World
let listed: Listed

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  listed = await makeListed(world)
  const states = async () => (await all('GET /portal-api/v2/apps')).map((app) => (app as { state?: string }).state)
  await vi.waitFor(async () => expect(await states()).toContain('healthy'), { timeout: 60_000, interval: 500 })
})
afterAll(() => world?.close())

const lists = guardedCalls.filter(({ endpoint }) => endpoint.query === ListQuery)
const addresses = lists.map(({ address }) => address)
const caseOf = (address: string): ListCase => {
  const found = listCases[address]
  if (!found) throw new Error(`nobody asks ${address} for its sorts, filters and pages: say so in list-cases.ts`)
  return found
}

async function ask(address: string, query: Record<string, unknown>) {
  const { endpoint } = lists.find((call) => call.address === address) ?? {}
  const { as, params, only } = caseOf(address)
  const path = endpoint && pathOf(endpoint, params?.(listed))
  const who = as === 'asker' ? listed.asker : listed.admin
  const narrowed = only?.(listed) ?? {}
  const filters = { ...(narrowed.filters as object), ...(query.filters as object) }
  const asked = encodeQuery({ ...narrowed, ...query, filters })
  return who.call<ListReply<Row> & { message?: string }>(`${path}?${asked}`)
}

async function page(address: string, query: Record<string, unknown>): Promise<ListReply<Row>> {
  const { status, body } = await ask(address, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const all = async (address: string, query: Record<string, unknown> = {}): Promise<Row[]> => {
  const { data, page: told, next } = await page(address, { ...query, page: { limit: 1000 } })
  expect([told.total, next]).toEqual([data.length, null])
  return data
}

/** Letters are compared as people do, without their case. */
function compared(one: Sortable, two: Sortable): number {
  const [a, b] = [one, two].map((value) => (typeof value === 'string' ? value.toLowerCase() : value)) as [
    number,
    number,
  ]
  return a === b ? 0 : a < b ? -1 : 1
}

function expectOrder(rows: readonly Row[], order: ListCase['usually']): void {
  for (const [at, row] of rows.slice(1).entries()) {
    const before = rows[at] as Row
    const decided = order
      .map(([of, direction]) => compared(of(before), of(row)) * (direction === 'ASC' ? 1 : -1))
      .find((one) => one !== 0)
    expect(decided ?? 0, `${JSON.stringify(before)} before ${JSON.stringify(row)}`).toBeLessThanOrEqual(0)
  }
}

it('the table has a row for every list of the contract', () => {
  expect(Object.keys(listCases).sort()).toEqual([...addresses].sort())
})

describe.each(addresses)('%s', (address) => {
  const { sorts, usually, filters, searches } = caseOf(address)

  it('stands in its own order where none is asked for', async () => {
    const rows = await all(address)
    expect(rows.length).toBeGreaterThanOrEqual(3)
    expectOrder(rows, usually)
  })

  it.each(Object.keys(sorts))('is sorted by %s in both directions', async (field) => {
    const of = sorts[field] as (row: Row) => Sortable
    const [up, down] = [
      await all(address, { sort: { [field]: 'ASC' } }),
      await all(address, { sort: { [field]: 'desc' } }),
    ]
    expect(new Set(up.map(of)).size, 'rows that differ in it').toBeGreaterThan(1)
    expectOrder(up, [[of, 'ASC']])
    expectOrder(down, [[of, 'DESC']])
    expect(down.map(({ id }) => id).sort()).toEqual(up.map(({ id }) => id).sort())
  })

  it.each([{}, ...Object.keys(sorts).map((field) => ({ sort: { [field]: 'DESC' } }))])(
    'is passed by pages of any size without doubling or losing a row: %j',
    async (sort) => {
      const rows = (await all(address, sort)).map(({ id }) => id)
      for (const limit of [1, 2, rows.length]) expect(await byNext(address, { ...sort, page: { limit } })).toEqual(rows)
      const beyond = await page(address, { ...sort, page: { skip: rows.length, limit: 2 } })
      expect(beyond).toMatchObject({ data: [], next: null, page: { total: rows.length } })
    },
  )

  it.each(Object.keys(filters))('keeps the rows that the filter %s names, and no other', async (name) => {
    const { by, keeps } = filters[name] as ListCase['filters'][string]
    const rows = await all(address)
    const kept = rows.filter((row) => keeps(row, listed))
    expect(kept.length, 'rows that the filter leaves out').toBeLessThan(rows.length)
    const found = await all(address, { filters: { [name]: by(listed) } })
    expect(found).toEqual(kept)
    // The pages of a list that is narrowed are narrowed as well.
    expect(await byNext(address, { filters: { [name]: by(listed) }, page: { limit: 1 } })).toEqual(
      kept.map(({ id }) => id),
    )
  })

  it('refuses filters and sorts that it does not have, by name', async () => {
    const filtered = await ask(address, { filters: { nothing: 'x' } })
    expect([filtered.status, filtered.body]).toEqual([400, expect.objectContaining({ field: 'filters.nothing' })])
    expect(namesIn(filtered.body.message)).toEqual(Object.keys(filters).sort())
    const sorted = await ask(address, { sort: { nothing: 'ASC' } })
    expect([sorted.status, sorted.body]).toEqual([400, expect.objectContaining({ field: 'sort.nothing' })])
    expect(namesIn(sorted.body.message)).toEqual(Object.keys(sorts).sort())
  })

  it.each(Object.keys(searches))('finds %s as it is written', async (text) => {
    const rows = await all(address)
    const expected = rows.filter(searches[text] as (row: Row) => boolean)
    expect(expected.length).toBeLessThan(rows.length)
    const { data } = await page(address, { search: text, page: { limit: 1000 } })
    expect(data).toEqual(expected)
    expect(await byNext(address, { search: text, page: { limit: 1 } })).toEqual(expected.map(({ id }) => id))
  })
})

/** Names that a refusal lists after `by one of`. */
function namesIn(message = ''): string[] {
  const [, names = ''] = /by one of (.*)$/.exec(message) ?? []
  return names
    .split(', ')
    .filter((name) => name !== '')
    .sort()
}

/** Ids of all pages, from the first by each `next` to the last. */
async function byNext(address: string, query: Record<string, unknown>): Promise<string[]> {
  const { as } = caseOf(address)
  const who = as === 'asker' ? listed.asker : listed.admin
  const ids: string[] = []
  let { data, next } = await page(address, query)
  for (let left = 100; ; left -= 1) {
    ids.push(...data.map(({ id }) => id))
    if (next === null) return ids
    expect(left, 'pages without an end').toBeGreaterThan(0)
    ;({ data, next } = await who.good<ListReply<Row>>(next))
  }
}
