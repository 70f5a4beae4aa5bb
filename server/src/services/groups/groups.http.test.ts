import type { Group } from '@quayside/contract/groups/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { User } from '@quayside/contract/users/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { type Replica, World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Calls = ReturnType<typeof callsOf>

const groupsPath = '/iam/v2/groups'
const countPath = '/iam/v2/groups/people'
const groupPath = (id: string | undefined) => `${groupsPath}/${id}`
const membersPath = (id: string | undefined) => `${groupPath(id)}/members`

let world: World
let abroad: Replica
let manager: Calls
let deployer: Calls
let member: Calls
let foreignAdmin: Calls
/** `crew` holds `deck`, which holds `bridge`; `office` is beside them. */
let ids: Record<'crew' | 'deck' | 'bridge' | 'office', string>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  abroad = await world.addReplica({ realm: 'abroad' })
  manager = callsOf(world, await world.tokenFor({ clientRoles: { 'quayside-portal-ui-iam-groups': ['groups.view'] } }))
  const [deployerToken, memberToken] = [
    await world.tokenFor(),
    await world.tokenFor({ realmRoles: ['quayside-member'] }),
  ]
  deployer = callsOf(world, deployerToken)
  member = callsOf(world, memberToken)
  foreignAdmin = callsOf(abroad, await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] }))
  const admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const { id } = await admin.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Team' } })
  for (const [token, role] of [
    [deployerToken, 'deployer'],
    [memberToken, 'viewer'],
  ] as const) {
    const principal = { type: 'user', id: decodeJwt(token).sub }
    await admin.good(`/portal-api/v3/spaces/${id}/permissions`, { body: { principal, role } })
  }
  ids = await makeGroups()
})
afterAll(() => world?.close())

/** Ann and Bob are in `crew`, Bob and Cleo in `bridge`, Cleo in `office`; nobody is in `deck`. */
async function makeGroups(): Promise<typeof ids> {
  const directory = await world.directory()
  const idOf = async (name: string, under = '') => {
    await directory.post(under === '' ? '/groups' : `/groups/${under}/children`, { name })
    const from = under === '' ? '/groups?max=1000' : `/groups/${under}/children?max=1000`
    const found = (await directory.get<{ id: string; name: string }[]>(from)).find((group) => group.name === name)
    if (!found) throw new Error(`group ${name} was made but is not found`)
    return found.id
  }
  const crew = await idOf('Crew')
  const deck = await idOf('Deck', crew)
  const made = { crew, deck, bridge: await idOf('Bridge', deck), office: await idOf('Office') }
  for (const [username, groups] of [
    ['ann', [made.crew]],
    ['bob', [made.crew, made.bridge]],
    ['cleo', [made.bridge, made.office]],
  ] as const) {
    await directory.post('/users', { username, email: `${username}@groups.example`, enabled: true })
    const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
    for (const group of groups) await directory.put(`/users/${user?.id}/groups/${group}`)
  }
  return made
}

const tree = async () => (await manager.good<{ data: Group[] }>(groupsPath)).data
const usernames = ({ data }: { data: User[] }) => data.map(({ username }) => username).sort()

describe('who may', () => {
  test.each([
    ['GET', groupsPath],
    ['GET', groupPath('x')],
    ['POST', countPath],
    ['GET', membersPath('x')],
  ])('%s %s wants a token', async (method, path) => {
    expect((await world.api(path, { method })).status).toBe(401)
  })

  test('somebody who views groups sees the groups and their members', async () => {
    expect((await manager.call(groupsPath)).status).toBe(200)
    expect((await manager.call(groupPath(ids.crew))).status).toBe(200)
    expect((await manager.call(countPath, { body: { ids: [] } })).status).toBe(200)
    expect((await manager.call(membersPath(ids.crew))).status).toBe(200)
  })

  test('somebody who deploys in one space sees the groups, and not who is in them', async () => {
    expect((await deployer.call(groupsPath)).status).toBe(200)
    expect((await deployer.call(groupPath(ids.crew))).status).toBe(200)
    expect((await deployer.call(countPath, { body: { ids: [ids.crew] } })).status).toBe(200)
    expect((await deployer.call(membersPath(ids.crew))).status).toBe(403)
  })

  test('somebody who only views a space is refused', async () => {
    expect((await member.call(groupsPath)).status).toBe(403)
    expect((await member.call(groupPath(ids.crew))).status).toBe(403)
    expect((await member.call(countPath, { body: { ids: [ids.crew] } })).status).toBe(403)
    expect((await member.call(membersPath(ids.crew))).status).toBe(403)
  })
})

describe('the tree', () => {
  test('has every group with its path, what is below it and how many people are in it themselves', async () => {
    const found = await tree()
    const bridge = { id: ids.bridge, name: 'Bridge', path: '/Crew/Deck/Bridge', memberCount: 2, subGroups: [] }
    const deck = { id: ids.deck, name: 'Deck', path: '/Crew/Deck', memberCount: 0, subGroups: [bridge] }
    const crew = { id: ids.crew, name: 'Crew', path: '/Crew', memberCount: 2, subGroups: [deck] }
    const office = { id: ids.office, name: 'Office', path: '/Office', memberCount: 1, subGroups: [] }
    expect(found).toEqual(expect.arrayContaining([crew, office]))
    expect(found.map(({ name }) => name)).not.toContain('Deck')
    const more = { description: '', parentId: ids.crew, attributes: null }
    expect(await manager.good(groupPath(ids.deck))).toEqual({ ...deck, ...more })
  })
})

describe('people of groups', () => {
  test.each<[string, (keyof typeof ids)[], number]>([
    ['no group', [], 0],
    ['a group with people in it and below it, each counted once', ['crew'], 3],
    ['a group with people below it only', ['deck'], 2],
    ['a group and one below it', ['crew', 'bridge'], 3],
    ['groups that share somebody', ['bridge', 'office'], 2],
  ])('of %s', async (_, names, people) => {
    expect(await manager.good(countPath, { body: { ids: names.map((name) => ids[name]) } })).toEqual({ people })
  })

  test('are nobody in a group that is not there', async () => {
    expect(await manager.good(countPath, { body: { ids: ['nothing'] } })).toEqual({ people: 0 })
  })

  test('are listed for one group, without those below it', async () => {
    const crew = await manager.good<{ data: User[] }>(membersPath(ids.crew))
    expect(usernames(crew)).toEqual(['ann', 'bob'])
    expect(crew.data[0]).toMatchObject({ email: expect.stringContaining('@groups.example'), enabled: true })
    expect(usernames(await manager.good(membersPath(ids.deck)))).toEqual([])
    expect(usernames(await manager.good(membersPath(ids.bridge)))).toEqual(['bob', 'cleo'])
  })
})

describe('refused', () => {
  test.each<[string, unknown, string]>([
    ['no list of ids', {}, 'ids'],
    ['ids that are no list', { ids: 'a' }, 'ids'],
    ['an id that is too long', { ids: ['a', 'b'.repeat(65)] }, 'ids.1'],
    ['too many ids', { ids: Array(1001).fill('a') }, 'ids'],
  ])('%s, by the name of the field', async (_, body, field) => {
    expect(await manager.call(countPath, { body })).toMatchObject({ status: 400, body: { field } })
  })

  test.each([groupPath('a%20b'), membersPath('a%20b')])('GET %s is no id', async (path) => {
    expect(await manager.call(path)).toMatchObject({ status: 400, body: { field: 'id' } })
  })

  test.each([groupPath('nothing'), membersPath('nothing')])('GET %s is not there', async (path) => {
    expect(await manager.call(path)).toMatchObject({ status: 404, body: { code: 'iam.group-not-found', field: 'id' } })
  })
})

test('groups of another tenant do not exist', async () => {
  expect((await foreignAdmin.good<{ data: Group[] }>(groupsPath)).data).toEqual([])
  for (const path of [groupPath(ids.crew), membersPath(ids.crew)])
    expect(await foreignAdmin.call(path)).toMatchObject({ status: 404, body: { code: 'iam.group-not-found' } })
  expect(await foreignAdmin.good(countPath, { body: { ids: Object.values(ids) } })).toEqual({ people: 0 })
})
