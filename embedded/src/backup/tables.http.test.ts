import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  beginLoading,
  beginSnapshot,
  connect,
  endLoading,
  pieceBytes,
  putRows,
  rowsOf,
  type Table,
  tablesOf,
} from './tables.ts'

const urlOf = (name: string) => (process.env.QUAYSIDE_TEST_POSTGRES ?? '').replace('{database}', name)
const names = ['from', 'to'].map((end) => `tables_${end}_${randomBytes(6).toString('hex')}`)
const mebibyte = 1024 * 1024

let server: pg.Client
let [from, to]: pg.Client[] = []

beforeAll(async () => {
  server = await connect(urlOf('postgres'))
  for (const name of names) await server.query(`create database ${name}`)
  ;[from, to] = await Promise.all(names.map((name) => connect(urlOf(name))))
  for (const client of [from, to])
    await client?.query(`create table folder (id int primary key, parent int references folder, content text not null);
      create table chart (id int primary key, content text not null)`)
})
afterAll(async () => {
  await Promise.all([from, to].map((client) => client?.end()))
  for (const name of names) await server?.query(`drop database if exists ${name} with (force)`)
  await server?.end()
})

async function piecesOf(client: pg.Client, name: string): Promise<{ table: Table; pieces: string[][] }> {
  await beginSnapshot(client)
  const table = (await tablesOf(client)).find((one) => one.name === name)
  if (!table) throw new Error(`there is no table ${name}`)
  const pieces: string[][] = []
  for await (const piece of rowsOf(client, table)) pieces.push(piece)
  await client.query('rollback')
  return { table, pieces }
}

const bytesOf = (piece: string[]) => piece.reduce((sum, line) => sum + Buffer.byteLength(line), 0)

test('long rows are fetched a few at a time, and a piece of them is no longer than its bound, or one row', async () => {
  if (!from) throw new Error('there is no database')
  await from.query(`insert into chart select n, case when n % 20 = 0 then repeat('⚓', ${2 * mebibyte})
    when n < 40 then repeat('x', ${mebibyte}) else 'short' end from generate_series(1, 119) n`)
  const asked = vi.spyOn(from, 'query')
  const { pieces } = await piecesOf(from, 'chart')
  const fetched = asked.mock.calls.map(([text]) => Number(/^fetch (\d+)/.exec(String(text))?.[1] ?? 0)).filter(Boolean)
  asked.mockRestore()
  for (const piece of pieces) if (piece.length > 1) expect(bytesOf(piece)).toBeLessThanOrEqual(pieceBytes)
  const ids = pieces.flat().map((line) => JSON.parse(line).id)
  expect(ids).toEqual(Array.from({ length: 119 }, (_, at) => at + 1))
  // Long rows come four at a time at most, short ones in ever larger numbers.
  expect(Math.max(...fetched.slice(0, 12))).toBeLessThanOrEqual(4)
  expect(fetched.length).toBeLessThan(40)
})

test('rows come back before the rows of their table that they refer to, and one that refers to nothing is refused', async () => {
  if (!from || !to) throw new Error('there is no database')
  await from.query(`insert into folder values (1, null, repeat('x', ${3 * mebibyte})), (2, null, repeat('x', ${3 * mebibyte}));
    update folder set parent = 2 where id = 1`)
  const { table, pieces } = await piecesOf(from, 'folder')
  const childFirst = pieces.toSorted(([a = ''], [b = '']) => JSON.parse(a).id - JSON.parse(b).id)
  expect(childFirst).toHaveLength(2)
  await beginLoading(to, [table])
  for (const piece of childFirst) await putRows(to, table, piece)
  await endLoading(to, [table])
  const read = 'select id, parent, length(content) as length from folder order by id'
  expect((await to.query(read)).rows).toEqual((await from.query(read)).rows)
  await expect(to.query("insert into folder values (3, 9, '')")).rejects.toThrow(/foreign key/)

  await beginLoading(to, [table])
  await putRows(to, table, childFirst[0] ?? [])
  await expect(endLoading(to, [table])).rejects.toThrow(/foreign key/)
  await to.query('rollback')
})
