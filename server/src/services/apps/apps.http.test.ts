import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type List = { data: App[]; page: { total: number }; next: string | null }

let world: World
let story: Story
let viewer: Story
let spaces: Space[]
let apps: App[]

beforeAll(async () => {
  world = await World.start()
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  viewer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  const first = await story.space('First', readFileSync(world.kubeconfig, 'utf8'))
  const clusterIds = first.clusters.map(({ id }) => id)
  const second = await story.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Second', clusterIds } })
  spaces = [first, second]
  const [mail, shop] = [await story.uploadSmall('mail', '1.0.0'), await story.uploadSmall('shop', '2.0.0')]
  apps = [await story.assign(first, mail), await story.assign(first, shop), await story.assign(second, shop)]
})
afterAll(() => world?.close())

const list = (query: string) => story.good<List>(`/portal-api/v2/apps?${query}`)
const ids = ({ data }: List) => data.map(({ id }) => id).sort()
const path = (app: App | undefined) => `/portal-api/v2/apps/${app?.id}`

describe('who may', () => {
  test.each([
    ['GET', '/portal-api/v2/apps'],
    ['GET', '/portal-api/v2/apps/nothing'],
    ['PATCH', '/portal-api/v2/apps/nothing'],
    ['PUT', '/portal-api/v2/apps/nothing/tags/a'],
    ['DELETE', '/portal-api/v2/apps/nothing/tags/a'],
  ])('%s %s wants a token', async (method, where) => {
    expect((await world.api(where, { method })).status).toBe(401)
  })

  test('a viewer reads an app and changes nothing of it', async () => {
    expect((await viewer.call<App>(path(apps[0]))).body.id).toBe(apps[0]?.id)
    expect((await viewer.call(path(apps[0]), { method: 'PATCH', body: { displayName: 'Mine' } })).status).toBe(403)
    expect((await viewer.call(`${path(apps[0])}/tags/mine`, { method: 'PUT' })).status).toBe(403)
    expect((await story.good<App>(path(apps[0]))).tags).not.toContain('mine')
  })
})

test('who sees a space and not its apps reads nothing of them, not even in the space', async () => {
  const scopes = ['space.view', 'space.edit']
  const role = await story.good<{ id: string }>('/portal-api/v3/space-roles', { body: { name: 'Keeper', scopes } })
  const keeper = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
  const entry = { principal: { type: 'user', id: keeper.userId }, role: role.id }
  const where = `/portal-api/v3/spaces/${spaces[0]?.id}`
  await story.good(`${where}/permissions`, { body: entry })
  expect(await story.good<Space>(where)).toMatchObject({ apps: [{ id: expect.any(String) }, {}] })
  expect(await keeper.good<Space>(where)).toMatchObject({ id: spaces[0]?.id, apps: [] })
  const { data } = await keeper.good<{ data: Space[] }>('/portal-api/v2/spaces')
  expect(data.map(({ apps }) => apps)).toEqual([[]])
  expect(await keeper.good<List>('/portal-api/v2/apps')).toMatchObject({ data: [], page: { total: 0 } })
  expect((await keeper.call(path(apps[0]))).status).toBe(404)
})

describe('bad input', () => {
  test.each([
    [{ displayName: ' ' }, 'displayName'],
    [{ color: 'red' }, 'color'],
    [{ tags: ['a'.repeat(41)] }, 'tags'],
  ])('%j is refused by the name of its field', async (body, field) => {
    const answer = await story.call<{ field: string }>(path(apps[0]), { method: 'PATCH', body })
    expect([answer.status, answer.body.field.split('.')[0]]).toEqual([400, field])
  })

  test('a field that is not changed by this call is named', async () => {
    const answer = await story.call(path(apps[0]), { method: 'PATCH', body: { state: 'healthy' } })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('not known here: state') } })
  })

  test('an order that cannot be had is refused by name, and what is not there is a 404', async () => {
    expect(await story.call('/portal-api/v2/apps?sort.color=ASC')).toMatchObject({
      status: 400,
      body: { field: 'sort.color' },
    })
    expect((await story.call('/portal-api/v2/apps/nothing')).status).toBe(404)
  })
})

describe('the list', () => {
  test('each filter leaves the apps that it names', async () => {
    const [mail, shop, other] = apps
    expect(ids(await list(''))).toEqual(apps.map(({ id }) => id).sort())
    expect(ids(await list(`filters.spaceId=${spaces[1]?.id}`))).toEqual([other?.id])
    expect(ids(await list(`filters.catalogItemId=${mail?.catalogItemId}`))).toEqual([mail?.id])
    expect(ids(await list(`filters.clusterId=${mail?.clusterId}`))).toHaveLength(3)
    expect(ids(await list('filters.clusterId=nothing'))).toEqual([])
    expect(ids(await list('filters.state=assigned'))).toHaveLength(3)
    expect(ids(await list('filters.state=healthy'))).toEqual([])
    expect(ids(await list(`filters.appType=${mail?.appType}`))).toHaveLength(3)
    expect(ids(await list('filters.appType=nothing'))).toEqual([])
    expect(ids(await list('filters.kind=APP'))).toHaveLength(3)
    expect(ids(await list('filters.kind=flow'))).toEqual([])
    expect(ids(await list(`filters.spaceId=${spaces[0]?.id};filters.catalogItemId=${shop?.catalogItemId}`))).toEqual([
      shop?.id,
    ])
  })

  test('is searched, sorted and paged by the server', async () => {
    expect(ids(await list('search=second'))).toEqual([apps[2]?.id])
    expect(ids(await list('search=2.0.0'))).toEqual([apps[1]?.id, apps[2]?.id].sort())
    const inOrder = (await list('sort.createdAt=ASC')).data.map(({ id }) => id)
    expect(inOrder).toEqual(apps.map(({ id }) => id))
    expect((await list('sort.createdAt=DESC')).data.map(({ id }) => id)).toEqual(inOrder.toReversed())
    const first = await list('sort.createdAt=ASC;page.limit=2')
    expect([first.data.map(({ id }) => id), first.page.total]).toEqual([inOrder.slice(0, 2), 3])
    const rest = await story.good<List>(String(first.next))
    expect([rest.data.map(({ id }) => id), rest.next]).toEqual([inOrder.slice(2), null])
  })
})

test('texts, colour and tags of an app are changed, each alone', async () => {
  const where = path(apps[1])
  const before = await story.good<App>(where)
  const changed = await story.good<App>(where, { method: 'PATCH', body: { displayName: 'Our shop', color: '#aabbcc' } })
  expect(changed).toMatchObject({ displayName: 'Our shop', color: '#aabbcc', description: before.description })
  expect((await story.good<App>(where, { method: 'PATCH', body: {} })).displayName).toBe('Our shop')
  expect((await story.good<App>(`${where}/tags/spring`, { method: 'PUT' })).tags).toEqual([...before.tags, 'spring'])
  expect(ids(await list('filters.tag=spring'))).toEqual([apps[1]?.id])
  expect((await story.good<App>(`${where}/tags/spring`, { method: 'DELETE' })).tags).toEqual(before.tags)
  const tags = Array.from({ length: 30 }, (_, at) => `tag-${at}`)
  await story.good<App>(where, { method: 'PATCH', body: { tags } })
  expect(await story.call(`${where}/tags/spring`, { method: 'PUT' })).toMatchObject({
    status: 400,
    body: { code: 'request.invalid', field: 'tag' },
  })
  expect((await story.good<App>(`${where}/tags/tag-3`, { method: 'PUT' })).tags.toSorted()).toEqual(tags.toSorted())
})
