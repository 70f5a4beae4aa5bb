import type { ListReply } from '@quayside/contract/http/paging'
import type { Role, RoleDetail } from '@quayside/contract/roles/endpoints'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const rolesPath = '/iam/v2/roles'
const iamRoles = 'quayside-portal-ui-iam-roles'

let world: World
let admin: ReturnType<typeof callsOf>
/** Manages roles, and nothing else. */
let keeper: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const rights = ['view', 'create', 'edit', 'delete', 'default_roles.view', 'default_roles.manage']
  keeper = callsOf(world, await world.tokenFor({ clientRoles: { [iamRoles]: rights.map((one) => `roles.${one}`) } }))
})
afterAll(() => world?.close())

const pathOf = (id: string) => `${rolesPath}/${id}`
const partsPath = (id: string) => `/iam/v3/roles/${id}/parts`
const defaultsPath = (which: 'assigned' | 'available') => `/iam/v2/realms/default-roles/${which}/${world.realm}`
const make = (name: string) => admin.good<RoleDetail>(rolesPath, { body: { name, description: `For ${name}` } })
const idOf = async (name: string) => {
  const { data } = await admin.good<{ data: Role[] }>(rolesPath)
  return data.find((role) => role.name === name)?.id ?? ''
}
const names = (roles: readonly { name: string }[]) => roles.map(({ name }) => name)
const escalation = { status: 403, body: { code: 'auth.escalation' } }
const kept = { status: 409, body: { code: 'iam.role-kept' } }

async function clientId(name: string): Promise<string> {
  const { data } = await admin.good<{ data: { id: string; clientId: string }[] }>('/iam/v2/clients')
  return data.find((client) => client.clientId === name)?.id ?? ''
}

test('wants a token, the right, and what can be a role', async () => {
  expect((await world.api(rolesPath, { method: 'POST' })).status).toBe(401)
  const viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  expect((await viewer.call(rolesPath, { body: { name: 'mate' } })).status).toBe(403)
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: 'a:b' }, 'name'],
    [{ name: '../roles' }, 'name'],
    [{ name: 'quayside-boss' }, 'name'],
    [{ name: 'offline_access' }, 'name'],
    [{ name: 'x', composite: true }, 'body'],
  ] as const)
    expect(await admin.call(rolesPath, { body }), JSON.stringify(body)).toMatchObject({ status: 400, body: { field } })
  expect((await admin.call(pathOf('nothing'))).status).toBe(404)
  expect((await admin.call('/iam/v2/realms/default-roles/assigned/master')).status).toBe(404)
})

describe('a role', () => {
  test('is made, changed, and deleted', async () => {
    const made = await make('mate')
    expect(made).toMatchObject({
      ...{ name: 'mate', description: 'For mate', composite: false, parts: [], builtIn: false, attributes: {} },
    })
    expect(await admin.call(rolesPath, { body: { name: 'mate' } })).toMatchObject({
      ...{ status: 409, body: { code: 'iam.role-exists', field: 'name' } },
    })
    const changed = await admin.good<RoleDetail>(pathOf(made.id), {
      ...{ method: 'PUT', body: { name: 'first mate', attributes: { deck: ['2'] } } },
    })
    expect(changed).toMatchObject({ name: 'first mate', description: 'For mate', attributes: { deck: ['2'] } })
    expect((await keeper.good<RoleDetail>(pathOf(made.id))).attributes).toBeNull()
    await admin.good(pathOf(made.id), { method: 'DELETE' })
    expect((await admin.call(pathOf(made.id))).status).toBe(404)
  })

  test('holds others, of clients too, and who holds it holds them', async () => {
    const captain = await make('captain')
    const clusters = await clientId('quayside-portal-ui-clusters')
    const { data } = await admin.good<{ data: Role[] }>(`/iam/v3/clients/${clusters}/roles`)
    const view = data.find(({ name }) => name === 'clusters.view')
    const body = [{ id: view?.id }, { id: await idOf('quayside-member') }]
    await admin.good(partsPath(captain.id), { body })
    expect((await admin.good<RoleDetail>(pathOf(captain.id))).parts).toMatchObject([
      { name: 'quayside-member', client: null },
      { name: 'clusters.view', client: 'quayside-portal-ui-clusters' },
    ])
    const user = await admin.good<UserDetail>('/iam/v3/users', { body: { username: 'ahab' } })
    await admin.good(`/iam/v2/users/${user.id}/role-mappings/realm`, { body: [{ id: captain.id }] })
    expect(await admin.good(`${rolesPath}/captain/users`)).toMatchObject({ data: [{ username: 'ahab' }] })
    expect(await admin.good('/iam/v3/roles/captain/users?search=AHA')).toMatchObject({ page: { total: 1 } })
    expect((await admin.call('/iam/v3/roles/nobody/users')).status).toBe(404)
    await admin.good(partsPath(captain.id), { method: 'DELETE', body: body.slice(0, 1) })
    expect(names((await admin.good<RoleDetail>(pathOf(captain.id))).parts)).toEqual(['quayside-member'])
    expect(await admin.call(partsPath(captain.id), { method: 'POST', body: [{ id: captain.id }] })).toMatchObject({
      ...{ status: 400, body: { field: 'id' } },
    })
  })

  test('is found, sorted and paged by the server', async () => {
    await make('aa-first')
    const path = '/iam/v3/roles?search=For;sort.name=DESC;page.limit=1'
    const page = await admin.good<ListReply<Role>>(path)
    expect(page.data).toHaveLength(1)
    expect(page.page.total).toBeGreaterThan(1)
    const all = await admin.good<ListReply<Role>>('/iam/v3/roles?search=For;sort.name=ASC')
    expect(names(all.data)[0]).toBe('aa-first')
    expect(names(all.data).at(-1)).toBe(page.data[0]?.name)
  })
})

test('those that the portal needs stay as they are', async () => {
  for (const name of ['quayside-admin', 'quayside-member', 'offline_access']) {
    const id = await idOf(name)
    expect(await admin.call(pathOf(id), { method: 'DELETE' })).toMatchObject(kept)
    expect(await admin.call(pathOf(id), { method: 'PUT', body: { name: 'mine' } })).toMatchObject(kept)
    expect(await admin.call(partsPath(id), { method: 'DELETE', body: [{ id }] })).toMatchObject(kept)
  }
  expect(await make('constructor')).toMatchObject({ builtIn: false })
  const own = await clientId('quayside-portal-ui-clusters')
  expect(await admin.call(`/iam/v2/clients/${own}/roles`, { body: { name: 'mine' } })).toMatchObject(kept)
})

test('a client that is nobody’s of ours gets roles, attributes by who may set them', async () => {
  const directory = await world.directory()
  await directory.post('/clients', { clientId: 'accounting', publicClient: true })
  const [client] = await directory.get<{ id: string }[]>('/clients?clientId=accounting')
  const path = `/iam/v2/clients/${client?.id}/roles`
  expect(await admin.good(path, { body: { name: 'book', description: 'Writes' } })).toMatchObject({ name: 'book' })
  const body = { name: 'marked', attributes: { deck: ['2'] } }
  expect(await keeper.call(path, { method: 'POST', body })).toMatchObject({ status: 403 })
  const escalated = await keeper.call(path, { method: 'POST', body: { name: 'plain' } })
  expect(escalated).toMatchObject({ status: 403, body: { code: 'auth.escalation', field: 'name' } })
})

describe('roles that everybody has', () => {
  test('of the realm are added and removed', async () => {
    const guest = await make('guest')
    const available = await admin.good<{ data: Role[] }>(defaultsPath('available'))
    expect(names(available.data)).toContain('guest')
    await admin.good(defaultsPath('assigned'), { body: [guest].map(({ id, name }) => ({ id, name })) })
    expect(names((await admin.good<{ data: Role[] }>(defaultsPath('assigned'))).data)).toContain('guest')
    const user = await admin.good<UserDetail>('/iam/v3/users', { body: { username: 'visitor' } })
    const { data } = await admin.good<{ data: Role[] }>(`/iam/v2/users/${user.id}/role-mappings/realm/composite`)
    expect(names(data)).toContain('guest')
    await admin.good(defaultsPath('assigned'), { method: 'DELETE', body: [{ id: guest.id }] })
    expect(names((await admin.good<{ data: Role[] }>(defaultsPath('assigned'))).data)).not.toContain('guest')
  })

  test('of a client as well, and only its own', async () => {
    const catalog = await clientId('quayside-portal-ui-catalog-apps')
    const path = `/iam/v2/clients/${catalog}/roles/default`
    const { data } = await admin.good<{ data: Role[] }>(`${path}/available/realm/${world.realm}`)
    const view = data.find(({ name }) => name === 'catalog.view')
    await admin.good(`${path}/assigned/realm/${world.realm}`, { body: [{ id: view?.id }] })
    const assigned = await admin.good<{ data: Role[] }>(`${path}/assigned/realm/${world.realm}`)
    expect(names(assigned.data)).toEqual(['catalog.view'])
    await admin.good(`${path}/assigned/${world.realm}`, { method: 'DELETE', body: [{ id: view?.id }] })
    const stranger = [{ id: await idOf('quayside-viewer') }]
    expect((await admin.call(`${path}/assigned/realm/${world.realm}`, { body: stranger })).status).toBe(404)
  })
})

describe('nobody gives or takes by roles what they do not hold', () => {
  test('neither by a name that lists know, nor by what is inside, nor to everybody', async () => {
    const plain = await make('plain')
    const boss = await make('boss')
    await admin.good(partsPath(boss.id), { body: [{ id: await idOf('quayside-viewer') }] })
    const viewer = [{ id: await idOf('quayside-viewer') }]
    for (const [method, path, body] of [
      ['POST', rolesPath, { name: 'new' }],
      ['PUT', pathOf(plain.id), { name: 'other' }],
      ['PUT', pathOf(boss.id), { description: 'x' }],
      ['DELETE', pathOf(boss.id), undefined],
      ['POST', partsPath(plain.id), viewer],
      ['DELETE', partsPath(boss.id), viewer],
      ['POST', defaultsPath('assigned'), viewer],
      ['POST', defaultsPath('assigned'), [{ id: plain.id }]],
    ] as const)
      expect(await keeper.call(path, { method, body }), `${method} ${path}`).toMatchObject(escalation)
  })

  test('and power over the realm is put into no role', async () => {
    const plain = await make('harmless')
    const directory = await world.directory()
    const [management] = await directory.get<{ id: string }[]>('/clients?clientId=realm-management')
    const roles = await directory.get<Role[]>(`/clients/${management?.id}/roles`)
    const body = [{ id: roles.find(({ name }) => name === 'manage-users')?.id }]
    expect(await admin.call(partsPath(plain.id), { body })).toMatchObject(escalation)
  })

  test('and the last administrator stays one', async () => {
    const owner = await make('owner')
    const adminRole = [{ id: await idOf('quayside-admin') }]
    await admin.good(partsPath(owner.id), { body: adminRole })
    const user = await admin.good<UserDetail>('/iam/v3/users', { body: { username: 'owner' } })
    await admin.good(`/iam/v2/users/${user.id}/role-mappings/realm`, { body: [{ id: owner.id }] })
    const [known] = (await admin.good<ListReply<UserDetail>>('/iam/v3/users?search=admin')).data
    await admin.good(`/iam/v2/users/${known?.id}`, { method: 'PUT', body: { enabled: false } })
    const last = { status: 409, body: { code: 'iam.last-administrator' } }
    expect(await admin.call(pathOf(owner.id), { method: 'DELETE' })).toMatchObject(last)
    expect(await admin.call(partsPath(owner.id), { method: 'DELETE', body: adminRole })).toMatchObject(last)
    await admin.good(`/iam/v2/users/${known?.id}`, { method: 'PUT', body: { enabled: true } })
    await admin.good(pathOf(owner.id), { method: 'DELETE' })
  })
})
