import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Row = { id: string; displayName: string; namespace: string; scopes: string[] }
type List = { data: Row[]; page: { total: number }; next: string | null }

let world: World
let admin: ReturnType<typeof callsOf>
let viewer: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
})
afterAll(() => world?.close())

const make = (displayName: string) => admin.good<Row>('/portal-api/v3/spaces', { body: { displayName } })
const names = ({ data }: List) => data.map(({ displayName }) => displayName)

describe('who may', () => {
  test.each([
    ['GET', '/portal-api/v2/spaces'],
    ['POST', '/portal-api/v3/spaces'],
    ['GET', '/portal-api/v3/spaces/nothing'],
    ['DELETE', '/portal-api/v3/spaces/nothing'],
  ])('%s %s wants a token', async (method, path) => {
    expect((await world.api(path, { method })).status).toBe(401)
  })

  test('a viewer makes no space, and changes and deletes none', async () => {
    const { id } = await make('Kept')
    const path = `/portal-api/v3/spaces/${id}`
    expect((await viewer.call('/portal-api/v3/spaces', { body: { displayName: 'Mine' } })).status).toBe(403)
    expect((await viewer.call(path, { method: 'PUT', body: { displayName: 'Mine' } })).status).toBe(403)
    expect((await viewer.call(path, { method: 'DELETE' })).status).toBe(403)
    expect((await admin.good<Row>(path)).displayName).toBe('Kept')
  })
})

describe('bad input', () => {
  test.each([
    [{}, 'displayName'],
    [{ displayName: ' ' }, 'displayName'],
    [{ displayName: 'A', description: 'x'.repeat(401) }, 'description'],
    [{ displayName: 'A', clusterIds: ['nothing'] }, 'clusterIds'],
  ])('%j is refused by the name of its field', async (body, field) => {
    const answer = await admin.call<{ field: string }>('/portal-api/v3/spaces', { body })
    expect([answer.status, answer.body.field.split('.')[0]]).toEqual([field === 'clusterIds' ? 404 : 400, field])
  })

  test('a field that spaces have not is named', async () => {
    const answer = await admin.call('/portal-api/v3/spaces', { body: { displayName: 'A', owner: 'ann' } })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('not known here: owner') } })
  })

  test('what is not there is a 404', async () => {
    expect((await admin.call('/portal-api/v3/spaces/nothing')).status).toBe(404)
    expect((await admin.call('/portal-api/v3/spaces/nothing', { method: 'DELETE' })).status).toBe(404)
  })
})

test('a space is made, found, sorted, paged, renamed and deleted', async () => {
  const [pear, apple, plum] = [await make('Fruit pear'), await make('Fruit apple'), await make('Fruit plum')]
  expect(pear.namespace).toBe(`fruit-pear-${pear.id}`)
  expect(pear.scopes).toContain('space.delete')
  const list = (query: string) => admin.good<List>(`/portal-api/v2/spaces?search=fruit;${query}`)
  expect(names(await list('sort.displayName=ASC'))).toEqual(['Fruit apple', 'Fruit pear', 'Fruit plum'])
  expect(names(await list('sort.displayName=DESC'))).toEqual(['Fruit plum', 'Fruit pear', 'Fruit apple'])
  expect(names(await list('sort.createdAt=ASC'))).toEqual(['Fruit pear', 'Fruit apple', 'Fruit plum'])

  const first = await list('sort.displayName=ASC;page.limit=2')
  expect([names(first), first.page.total]).toEqual([['Fruit apple', 'Fruit pear'], 3])
  const rest = await admin.good<List>(String(first.next))
  expect([names(rest), rest.next]).toEqual([['Fruit plum'], null])

  const path = `/portal-api/v3/spaces/${plum.id}`
  const told = { displayName: 'Fruit plum', description: 'Blue ones' }
  expect(await admin.good<Row>(path, { method: 'PUT', body: told })).toMatchObject(told)
  const renamed = await admin.good<Row>(path, { method: 'PUT', body: { displayName: 'Fruit quince' } })
  expect(renamed).toMatchObject({ displayName: 'Fruit quince', namespace: plum.namespace, description: 'Blue ones' })
  expect((await admin.call(path, { method: 'DELETE' })).status).toBe(202)
  expect((await admin.call(path)).status).toBe(404)
  expect(names(await list('sort.displayName=ASC'))).toEqual(['Fruit apple', 'Fruit pear'])
  expect((await admin.good<Row>(`/portal-api/v3/spaces/${apple.id}`)).id).toBe(apple.id)
})

test('names that differ only in what an identifier cannot hold are names of spaces of their own', async () => {
  const alike = ['الميناء', 'المصنع', '日本', '中国', 'Склад', 'Завод', '🚀', '🎉', '2025 sales', '2026 sales']
  const made: Row[] = []
  for (const displayName of alike) made.push(await make(displayName))
  expect(made.map(({ displayName }) => displayName)).toEqual(alike)
  expect(new Set(made.map(({ namespace, id }) => namespace.slice(0, -id.length))).size).toBe(alike.length)
  for (const { namespace } of made) expect(namespace).toMatch(/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/)
  for (const displayName of ['日本', '2026 SALES'])
    expect(await admin.call('/portal-api/v3/spaces', { body: { displayName } })).toMatchObject({
      status: 409,
      body: { code: 'space.name-taken', field: 'displayName' },
    })
})
