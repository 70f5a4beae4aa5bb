import type { Group, GroupDetail } from '@quayside/contract/groups/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const groupsPath = '/iam/v2/groups'
const iamGroups = 'quayside-portal-ui-iam-groups'

let world: World
let admin: ReturnType<typeof callsOf>
/** Manages groups, and nothing else. */
let keeper: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const rights = ['view', 'create', 'edit', 'delete', 'default_groups.view', 'default_groups.manage']
  keeper = callsOf(world, await world.tokenFor({ clientRoles: { [iamGroups]: rights.map((one) => `groups.${one}`) } }))
})
afterAll(() => world?.close())

const pathOf = (id: string) => `${groupsPath}/${id}`
const defaultsPath = (id = '') => `/iam/v2/realms/default-groups/${world.realm}${id && `/${id}`}`
const make = (name: string, below?: string) =>
  admin.good<GroupDetail>(below === undefined ? groupsPath : `${pathOf(below)}/children`, { body: { name } })

async function giveRole(groupId: string, name: string): Promise<void> {
  const directory = await world.directory()
  const role = await directory.get<{ id: string; name: string }>(`/roles/${name}`)
  await directory.post(`/groups/${groupId}/role-mappings/realm`, [{ id: role.id, name: role.name }])
}

test('wants a token, the right, and what can be a group', async () => {
  expect((await world.api(groupsPath, { method: 'POST' })).status).toBe(401)
  const viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  expect((await viewer.call(groupsPath, { body: { name: 'Crew' } })).status).toBe(403)
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x', attributes: { 'a b': ['1'] } }, 'attributes.a b'],
    [{ name: 'x', roles: ['quayside-admin'] }, 'body'],
  ] as const)
    expect(await admin.call(groupsPath, { body })).toMatchObject({ status: 400, body: { field } })
  expect((await admin.call(pathOf('nothing'), { method: 'DELETE' })).status).toBe(404)
  expect((await admin.call('/iam/v2/realms/default-groups/master')).status).toBe(404)
})

describe('a group', () => {
  test('lies at most twenty levels deep', async () => {
    let { id } = await make('Level 1')
    for (let level = 2; level <= 20; level += 1) id = (await make(`Level ${level}`, id)).id
    expect(await admin.call(`${pathOf(id)}/children`, { body: { name: 'Level 21' } })).toMatchObject({
      status: 400,
      body: { field: 'id' },
    })
  })

  test('is made, changed, and keeps what was not sent', async () => {
    const made = await admin.good<GroupDetail>(groupsPath, {
      body: { name: 'Night watch', description: 'From ten to six', attributes: { berth: ['4'] } },
    })
    expect(made).toMatchObject({
      ...{ name: 'Night watch', path: '/Night watch', parentId: null, memberCount: 0, subGroups: [] },
      ...{ description: 'From ten to six', attributes: { berth: ['4'] } },
    })
    const changed = await admin.good<GroupDetail>(pathOf(made.id), { method: 'PUT', body: { name: 'Day watch' } })
    expect(changed).toMatchObject({ name: 'Day watch', description: 'From ten to six', attributes: { berth: ['4'] } })
    expect(await admin.call(groupsPath, { body: { name: 'Day watch' } })).toMatchObject({
      ...{ status: 409, body: { code: 'iam.group-exists', field: 'name' } },
    })
    await admin.good(pathOf(made.id), { method: 'DELETE' })
    expect((await admin.call(pathOf(made.id))).status).toBe(404)
  })

  test('is made below another one, moved, and goes with what is below it', async () => {
    const [fleet, harbour] = [await make('Fleet'), await make('Harbour')]
    const ship = await make('Ship', fleet.id)
    const deck = await make('Deck', ship.id)
    expect(deck).toMatchObject({ path: '/Fleet/Ship/Deck', parentId: ship.id })
    await admin.good(`${pathOf(harbour.id)}/children/${ship.id}`, { method: 'POST' })
    expect((await admin.good<GroupDetail>(pathOf(deck.id))).path).toBe('/Harbour/Ship/Deck')
    expect(await admin.call(`${pathOf(deck.id)}/children/${ship.id}`, { method: 'POST' })).toMatchObject({
      status: 400,
    })
    await admin.good(`/iam/v3/groups/${ship.id}/top`, { method: 'POST' })
    expect((await admin.good<GroupDetail>(pathOf(deck.id))).path).toBe('/Ship/Deck')
    await admin.good(pathOf(ship.id), { method: 'DELETE' })
    expect((await admin.call(pathOf(deck.id))).status).toBe(404)
    const { data } = await admin.good<{ data: Group[] }>(groupsPath)
    expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(['Fleet', 'Harbour']))
  })

  test('its members are searched and paged', async () => {
    const crew = await make('Crew')
    for (const username of ['cyd', 'alf', 'bob'])
      await admin.good<UserDetail>('/iam/v3/users', { body: { username, groups: [crew.id] } })
    const path = `/iam/v3/groups/${crew.id}/members`
    const page = await admin.good<ListReply<UserDetail>>(`${path}?page.skip=1;page.limit=1`)
    expect(page).toMatchObject({ data: [{ username: 'bob' }], page: { total: 3 } })
    expect(page.next).toContain('skip=2')
    expect(await admin.good(`${path}?search=ALF`)).toMatchObject({ data: [{ username: 'alf' }], page: { total: 1 } })
  })

  test('attributes are for who may see them', async () => {
    const { id } = await admin.good<GroupDetail>(groupsPath, { body: { name: 'Marked', attributes: { berth: ['4'] } } })
    expect((await keeper.good<GroupDetail>(pathOf(id))).attributes).toBeNull()
    const body = { attributes: { berth: ['5'] } }
    expect((await keeper.call(pathOf(id), { method: 'PUT', body })).status).toBe(403)
  })
})

test('every new user is put into the default groups', async () => {
  const { id } = await make('Everybody')
  await admin.good(defaultsPath(id), { method: 'PUT' })
  expect(await admin.good(defaultsPath())).toEqual({ data: [{ id, name: 'Everybody', path: '/Everybody' }] })
  const user = await admin.good<UserDetail>('/iam/v3/users', { body: { username: 'newcomer' } })
  expect(await admin.good(`/iam/v2/users/${user.id}/groups`)).toEqual({ data: [{ id, name: 'Everybody' }] })
  await admin.good(defaultsPath(id), { method: 'DELETE' })
  expect(await admin.good(defaultsPath())).toEqual({ data: [] })
  expect((await admin.call(defaultsPath(id), { method: 'DELETE' })).status).toBe(404)
})

describe('nobody gives or takes by groups what they do not hold', () => {
  test('neither by moving, nor by deleting, nor to everybody to come', async () => {
    const [bosses, plain] = [await make('Bosses'), await make('Plain')]
    await giveRole(bosses.id, 'quayside-admin')
    const below = await make('Below bosses', bosses.id)
    const escalation = { status: 403, body: { code: 'auth.escalation' } }
    for (const [method, path] of [
      ['POST', `${pathOf(bosses.id)}/children/${plain.id}`],
      ['POST', `/iam/v3/groups/${below.id}/top`],
      ['DELETE', pathOf(bosses.id)],
      ['DELETE', pathOf(below.id)],
      ['PUT', defaultsPath(bosses.id)],
      // Lists of spaces may name it.
      ['PUT', defaultsPath(plain.id)],
    ] as const)
      expect(await keeper.call(path, { method }), `${method} ${path}`).toMatchObject(escalation)
    expect(await keeper.call(pathOf(bosses.id), { method: 'PUT', body: { name: 'X' } })).toMatchObject(escalation)
    await keeper.good(pathOf(plain.id), { method: 'PUT', body: { name: 'Plainer' } })
    await keeper.good(pathOf(plain.id), { method: 'DELETE' })
  })

  test('and the last administrator stays one', async () => {
    const only = await make('Only administrators')
    const top = await make('Top')
    await giveRole(only.id, 'quayside-admin')
    const boss = await admin.good<UserDetail>('/iam/v3/users', { body: { username: 'boss', groups: [only.id] } })
    const [known] = (await admin.good<ListReply<UserDetail>>('/iam/v3/users?search=admin')).data
    await admin.good(`/iam/v2/users/${known?.id}`, { method: 'PUT', body: { enabled: false } })
    const last = { status: 409, body: { code: 'iam.last-administrator' } }
    expect(await admin.call(pathOf(only.id), { method: 'DELETE' })).toMatchObject(last)
    expect(await admin.call(`/iam/v2/users/${boss.id}/groups/${only.id}`, { method: 'DELETE' })).toMatchObject(last)
    const path = `${pathOf(only.id)}/role-mappings/realm`
    const { data } = await admin.good<{ data: { id: string }[] }>(path)
    expect(await admin.call(path, { method: 'DELETE', body: data })).toMatchObject(last)
    await admin.good(`/iam/v2/users/${known?.id}`, { method: 'PUT', body: { enabled: true } })
    await admin.good(pathOf(top.id), { method: 'DELETE' })
    await admin.good(pathOf(only.id), { method: 'DELETE' })
  })
})
