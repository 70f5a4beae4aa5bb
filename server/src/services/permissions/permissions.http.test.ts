import type { ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { accessRequests } from '@quayside/contract/permissions/access-requests'
import {
  type MyScopes,
  type PermissionEvent,
  permissions,
  type SpaceRole,
} from '@quayside/contract/permissions/endpoints'
import { explaining } from '@quayside/contract/permissions/explain'
import { type Scope, scopes, spaceRoles } from '@quayside/contract/permissions/scopes'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { clientNamed } from '@quayside/embedded/directory-client'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  entryOf,
  grant,
  listOf,
  listPath,
  newSpace,
  type Person,
  personOf,
  personWith,
  requestsPath,
  spacesPath,
  user,
} from './testing/team.ts'

let world: World
let admin: Person
let owner: Person
let manager: Person
let deployer: Person
let viewer: Person
let stranger: Person
let space: Space

const rolesPath = '/portal-api/v3/space-roles'
const inOrder = (one: Scope, other: Scope) => scopes.indexOf(one) - scopes.indexOf(other)
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await personOf(world, { realmRoles: ['quayside-admin'] })
  owner = await personOf(world, {
    realmRoles: ['quayside-member'],
    clientRoles: { 'quayside-portal-ui-apps': ['apps.create'] },
  })
  ;[manager, deployer, viewer, stranger] = (await Promise.all([1, 2, 3, 4].map(() => personOf(world)))) as [
    ...[Person, Person, Person, Person],
  ]
  space = await newSpace(owner, [
    { principal: user(manager), role: 'manager' },
    { principal: user(deployer), role: 'deployer' },
    { principal: user(viewer), role: 'viewer' },
  ])
})
afterAll(() => world?.close())

const calls = Object.values({ ...permissions, ...accessRequests, ...explaining })

it('the scopes are told to everybody who is signed in, each that spaces and apps know and in their order', async () => {
  for (const who of [stranger, admin])
    expect(await who.call('/portal-api/v2/authz/scopes')).toMatchObject({ status: 200, body: { data: [...scopes] } })
  expect(scopes).toEqual(
    expect.arrayContaining(['space.view', 'space.members', 'app.view', 'app.manage', 'app.secrets']),
  )
  expect((await world.api('/portal-api/v2/authz/scopes', { token: '' })).status).toBe(401)
})

describe('who may', () => {
  it.each(calls.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s wants a token',
    async (_, endpoint) => {
      const path = pathOf(endpoint, { id: space.id, pid: 'x' })
      const body = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {}
      expect((await world.api(path, { method: endpoint.method, body })).status).toBe(401)
    },
  )

  const managing = () =>
    [
      ['POST', listPath(space), { principal: user(stranger), role: 'viewer' }],
      ['PUT', listPath(space), { id: 'x', role: 'viewer', owner: false, expiresAt: null }],
      ['DELETE', `${listPath(space)}/x`, undefined],
      ['GET', `${listPath(space)}/history`, undefined],
      ['GET', `${spacesPath}/${space.id}/members`, undefined],
      ['GET', `${spacesPath}/${space.id}/principals?search=an`, undefined],
    ] as const

  it('the list is changed, and everybody behind it seen, by who may change the members alone', async () => {
    for (const [method, path, body] of managing())
      for (const who of [viewer, deployer])
        expect(await who.call(path, { method, body }), `${method} ${path}`).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden', details: { needs: [{ scope: 'space.members' }] } },
        })
  })

  it('a space that somebody does not see is answered as one that is not there, letter by letter', async () => {
    const said = async (path: string, how: object) => {
      const { status, body } = await stranger.call<{ requestId?: string }>(path, how)
      return { status, body: { ...body, requestId: undefined } }
    }
    const paths = [...managing(), ['GET', listPath(space), undefined], ['GET', `${spacesPath}/${space.id}`, undefined]]
    for (const [method, path, body] of paths as [string, string, unknown][]) {
      const there = await said(path, { method, body })
      const nowhere = await said(path.replace(space.id, 'zzzzzzz'), { method, body })
      expect(there, `${method} ${path}`).toEqual(nowhere)
      expect(there).toMatchObject({ status: 404, body: { code: 'space.not-found' } })
    }
  })

  it('roles for spaces are defined by who manages spaces, and read by everybody', async () => {
    const body = { name: 'Mine', scopes: ['space.view'] }
    for (const [method, path] of [
      ['POST', rolesPath],
      ['PUT', `${rolesPath}/x`],
      ['DELETE', `${rolesPath}/x`],
    ] as const)
      expect(await owner.call(path, { method, body: method === 'DELETE' ? undefined : body })).toMatchObject({
        status: 403,
        body: { details: { needs: [{ section: 'spaces', role: 'spaces.manage' }] } },
      })
    const { body: read } = await stranger.call<{ data: SpaceRole[] }>(rolesPath)
    expect(read.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['viewer', 'deployer', 'manager']))
  })
})

describe('bad input', () => {
  it.each<[what: string, input: Record<string, unknown>, field: string, status?: number]>([
    ['no principal', { role: 'viewer' }, 'principal'],
    ['an unknown kind of principal', { principal: { type: 'cat', id: 'x' }, role: 'viewer' }, 'principal'],
    ['a role that does not exist', { principal: user({ id: 'x' }), role: 'king' }, 'role', 404],
    ['the name of an object', { principal: user({ id: 'x' }), role: 'constructor' }, 'role', 404],
    ['a user who is not there', { principal: user({ id: 'nobody-here' }), role: 'viewer' }, 'principal.id', 404],
    ['a group that is not there', { principal: { type: 'group', id: 'none' }, role: 'viewer' }, 'principal.id', 404],
    ['a role that nobody has', { principal: { type: 'role', id: 'no-role' }, role: 'viewer' }, 'principal.id', 404],
    ['a count of users', { principal: user({ id: 'count' }), role: 'viewer' }, 'principal.id', 404],
    ['a count of groups', { principal: { type: 'group', id: 'count' }, role: 'viewer' }, 'principal.id', 404],
    ['control characters', { principal: { type: 'role', id: 'a\u0000b' }, role: 'viewer' }, 'principal.id'],
    ['an end in the past', { principal: 'me', role: 'viewer', expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    ['an end that is no moment', { principal: 'me', role: 'viewer', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a field that nobody knows', { principal: 'me', role: 'viewer', scopes: ['space.delete'] }, 'body'],
  ])('%s is refused by name', async (_, input, field, status = 400) => {
    const principal = field === 'role' || input.principal === 'me' ? user(stranger) : input.principal
    const answer = await grant(owner, space, { ...input, principal })
    expect(answer).toMatchObject({ status })
    expect(answer.body.field).toContain(field)
  })

  beforeAll(async () => {
    const directory = await world.directory()
    await directory.post('/clients', { clientId: 'quayside-app-harbour1', name: 'The app of another team' })
    const client = await clientNamed(directory, 'quayside-app-harbour1')
    await directory.post(`/clients/${client?.id}/roles`, { name: 'captain' })
  })

  it.each([
    '.',
    '..',
    ':',
    'a/b',
    'quayside-portal-ui-apps:',
    'quayside-portal-ui-apps:.',
    'quayside-portal-ui-apps:..',
    'quayside-api:..',
    'quayside-api:uma_protection',
    'quayside-app-harbour1:',
    'quayside-app-harbour1:captain',
  ])('%s is no role that a list can name', async (id) => {
    expect(await grant(owner, space, { principal: { type: 'role', id }, role: 'viewer' })).toMatchObject({
      status: 404,
      body: { code: 'iam.role-not-found', field: 'principal.id' },
    })
  })

  it.each([
    ['no scope', [], 'scopes'],
    ['an unknown scope', ['space.fly'], 'scopes'],
    ['a scope that is of no use by itself', ['app.manage'], 'scopes'],
  ])('a role of %s is refused', async (_, scopes, field) => {
    const answer = await admin.call(rolesPath, { body: { name: 'Odd', scopes } })
    expect(answer.status).toBe(400)
    expect(answer.body.field).toContain(field)
  })

  it.each(['Viewer', 'manager'])('%s is the name of a built-in role', async (name) => {
    expect(await admin.call(rolesPath, { body: { name, scopes: ['space.view'] } })).toMatchObject({
      status: 409,
      body: { code: 'space-role.name-taken' },
    })
  })
})

describe('a permission list', () => {
  it('begins with its maker as owner and with the members that were chosen', async () => {
    const list = await listOf(viewer, space)
    expect(list.map(({ principal, role, owner }) => [principal.id, role.id, owner])).toEqual([
      [owner.id, 'manager', true],
      [manager.id, 'manager', false],
      [deployer.id, 'deployer', false],
      [viewer.id, 'viewer', false],
    ])
  })

  it('tells everybody what they may do', async () => {
    const scopesOf = async (who: Person) => (await who.call<Space>(`${spacesPath}/${space.id}`)).body.scopes
    expect(await scopesOf(viewer)).toEqual(['space.view', 'app.view'])
    expect(await scopesOf(deployer)).toEqual([
      ...['space.view', 'space.deploy', 'app.view', 'app.manage', 'app.secrets'],
    ])
    expect(await scopesOf(manager)).not.toContain('space.delete')
    expect(await scopesOf(owner)).toContain('space.delete')
    expect(await scopesOf(admin)).toContain('space.deploy.elevated')
  })

  it('tells each what the lists give them, space by space, and nothing of what roles of the tenant give', async () => {
    const mine = async (who: Person) => (await who.call<MyScopes>(pathOf(permissions.myScopes))).body.data
    const member = await personOf(world)
    expect(await mine(member)).toEqual([])
    await grant(owner, space, { principal: user(member), role: 'viewer' })
    const more = await grant(owner, space, { principal: user(member), role: 'deployer' })
    expect(await mine(member)).toEqual([{ spaceId: space.id, scopes: spaceRoles.deployer.scopes.toSorted(inOrder) }])
    await owner.call(`${listPath(space)}/${more.body.id}`, { method: 'DELETE' })
    expect(await mine(member)).toEqual([{ spaceId: space.id, scopes: ['space.view', 'app.view'] }])
    expect((await mine(admin)).map(({ spaceId }) => spaceId)).not.toContain(space.id)
  })

  it('shows lists and counts what the reader sees', async () => {
    const other = await newSpace(admin)
    const read = async (who: Person) => (await who.call<ListReply<Space>>('/portal-api/v2/spaces')).body
    const seen = await read(viewer)
    expect(seen.data.map(({ id }) => id)).toEqual([space.id])
    expect(seen.page.total).toBe(1)
    expect((await read(stranger)).page.total).toBe(0)
    expect((await read(admin)).data.map(({ id }) => id)).toEqual(expect.arrayContaining([space.id, other.id]))
    const tenant = await viewer.call<{ spaces: { id: string }[] }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
    expect(tenant.body.spaces.map(({ id }) => id)).toEqual([space.id])
    const found = await viewer.call<ListReply<Space>>(`/portal-api/v2/spaces?search=${other.displayName.slice(-3)}`)
    expect(found.body.data.some(({ id }) => id === other.id)).toBe(false)
  })

  it('is changed and made shorter by a manager, and every step is written down', async () => {
    const here = await newSpace(owner, [{ principal: user(manager), role: 'manager' }])
    const made = await grant(manager, here, { principal: user(stranger), role: 'viewer' })
    expect(made).toMatchObject({ status: 201, body: { role: { id: 'viewer', name: 'Viewer' }, owner: false } })
    expect((await stranger.call(`${spacesPath}/${here.id}`)).status).toBe(200)
    expect(await grant(manager, here, { principal: user(stranger), role: 'viewer' })).toMatchObject({
      status: 409,
      body: { code: 'permission.exists' },
    })
    const change = { id: made.body.id, role: 'deployer', owner: false, expiresAt: inAnHour() }
    expect(await manager.call(listPath(here), { method: 'PUT', body: change })).toMatchObject({
      status: 200,
      body: { role: { id: 'deployer' }, expiresAt: change.expiresAt },
    })
    expect((await manager.call(`${listPath(here)}/${made.body.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await stranger.call(`${spacesPath}/${here.id}`)).status).toBe(404)
    expect((await manager.call(`${listPath(here)}/${made.body.id}`, { method: 'DELETE' })).status).toBe(404)
    const { body } = await manager.call<ListReply<PermissionEvent>>(`${listPath(here)}/history`)
    expect(body.data.map(({ what, role, principal }) => [what, role, principal.id])).toEqual([
      ['removed', 'Deployer', stranger.id],
      ['changed', 'Deployer', stranger.id],
      ['granted', 'Viewer', stranger.id],
      ['granted', 'Manager', manager.id],
      ['granted', 'Manager', owner.id],
    ])
    expect(body.data[0]?.by).toBe(body.data[2]?.by)
    expect(body.page.total).toBe(5)
  })

  it('reaches everybody in a group and below it, and everybody who holds a role', async () => {
    const directory = await world.directory()
    await directory.post('/groups', { name: 'Harbour' })
    const [top] = await directory.get<{ id: string }[]>('/groups?search=Harbour')
    await directory.post(`/groups/${top?.id}/children`, { name: 'Cranes' })
    const [below] = await directory.get<{ id: string }[]>(`/groups/${top?.id}/children`)
    const inBelow = await world.tokenFor({ realmRoles: ['quayside-member'] })
    await directory.put(`/users/${personWith(world, inBelow).id}/groups/${below?.id}`)
    const byGroup = personWith(world, inBelow)
    const here = await newSpace(owner, [{ principal: { type: 'group', id: top?.id ?? '' }, role: 'deployer' }])
    expect((await byGroup.call<Space>(`${spacesPath}/${here.id}`)).body.scopes).toContain('space.deploy')
    expect((await stranger.call(`${spacesPath}/${here.id}`)).status).toBe(404)

    const role = { type: 'role', id: 'quayside-portal-ui-clusters:clusters.view' }
    expect((await grant(owner, here, { principal: role, role: 'viewer' })).body.principal).toMatchObject({
      type: 'role',
      name: 'clusters.view',
    })
    const byRole = await personOf(world, { clientRoles: { 'quayside-portal-ui-clusters': ['clusters.view'] } })
    expect((await byRole.call(`${spacesPath}/${here.id}`)).status).toBe(200)
  })

  it('finds people and groups by name, a few of them, and nobody by an address', async () => {
    const directory = await world.directory()
    for (let at = 0; at < 25; at += 1)
      await directory.post('/users', {
        username: `sailor${at}`,
        firstName: 'Sam',
        lastName: `Sailor ${at}`,
        enabled: true,
        email: `crew${at}@ship.example`,
      })
    const find = async (text: string) =>
      (
        await manager.call<{ data: { type: string; name: string }[] }>(
          `${spacesPath}/${space.id}/principals?search=${text}`,
        )
      ).body
    const found = await find('sailor')
    expect(found.data).toHaveLength(20)
    expect(found.data[0]).toMatchObject({ type: 'user', name: expect.stringMatching(/^Sam Sailor/) })
    expect(JSON.stringify(found)).not.toContain('@')
    expect((await find('ship.example')).data).toEqual([])
    expect((await find('crew1')).data).toEqual([])
    expect((await manager.call(`${spacesPath}/${space.id}/principals?search=a`)).status).toBe(400)
    const first = await owner.call<{ data: unknown[] }>('/portal-api/v3/principals?search=sailor')
    expect(first.body.data).toEqual(found.data)
    expect((await manager.call('/portal-api/v3/principals?search=sailor')).status).toBe(403)
  })
})

describe('nobody grants more than they hold', () => {
  it('not a scope, not for longer, and no ownership', async () => {
    const { body: elevated } = await admin.call<SpaceRole>(rolesPath, {
      body: { name: 'Elevated', scopes: ['space.view', 'app.view', 'space.deploy', 'space.deploy.elevated'] },
    })
    const toElevated = { principal: user(stranger), role: elevated.id }
    expect(await grant(owner, space, toElevated)).toMatchObject({
      status: 403,
      body: { code: 'permission.escalation', details: { scope: 'space.deploy.elevated' } },
    })
    expect(await grant(manager, space, { principal: user(stranger), role: 'viewer', owner: true })).toMatchObject({
      status: 403,
      body: { code: 'permission.owner-only' },
    })
    const mine = await entryOf(owner, space, manager)
    const until = inAnHour()
    const change = { id: mine.id, role: 'manager', owner: false }
    await owner.call(listPath(space), { method: 'PUT', body: { ...change, expiresAt: until } })
    for (const body of [
      { ...change, expiresAt: null },
      { ...change, expiresAt: '2040-01-01T00:00:00Z' },
    ])
      expect(await manager.call(listPath(space), { method: 'PUT', body })).toMatchObject({
        status: 403,
        body: { code: 'permission.escalation', field: 'expiresAt', details: { until } },
      })
    expect((await grant(manager, space, { principal: user(stranger), role: 'viewer' })).status).toBe(403)
    await owner.call(listPath(space), { method: 'PUT', body: { ...change, expiresAt: null } })
  })

  it('nobody adds or raises an entry for themselves', async () => {
    const directory = await world.directory()
    const passing = await personOf(world)
    await directory.post('/groups', { name: 'Watch' })
    const [watch] = await directory.get<{ id: string }[]>('/groups?search=Watch')
    await directory.put(`/users/${passing.id}/groups/${watch?.id}`)
    const group = { type: 'group', id: watch?.id ?? '' } as const
    const here = await newSpace(owner, [
      { principal: group, role: 'manager', owner: true },
      { principal: user(passing), role: 'viewer', expiresAt: inAnHour() },
    ])
    const refused = { status: 403, body: { code: 'permission.own' } }
    for (const role of ['viewer', 'manager'])
      expect(await grant(passing, here, { principal: user(passing), role })).toMatchObject(refused)
    const { id, expiresAt } = await entryOf(owner, here, passing)
    const change = (body: object) => passing.call(listPath(here), { method: 'PUT', body: { id, ...body } })
    for (const raised of [
      { role: 'viewer', owner: false, expiresAt: null },
      { role: 'deployer', owner: false, expiresAt },
      { role: 'viewer', owner: true, expiresAt },
    ])
      expect(await change(raised)).toMatchObject(refused)
    const sooner = new Date(Date.now() + 600_000).toISOString()
    expect((await change({ role: 'viewer', owner: false, expiresAt: sooner })).status).toBe(200)
    const asked = await ask(passing, here, { role: 'deployer', reason: 'For the night' })
    const answer = { method: 'POST', body: { decision: 'grant' } }
    expect(await passing.call(`${requestsPath}/${asked.body.id}/answer`, answer)).toMatchObject(refused)
    expect((await passing.call(`${listPath(here)}/${id}`, { method: 'DELETE' })).status).toBe(204)
  })

  it('managers leave owners alone', async () => {
    const ownerEntry = await entryOf(owner, space, owner)
    const body = { id: ownerEntry.id, role: 'viewer', owner: false, expiresAt: null }
    expect(await manager.call(listPath(space), { method: 'PUT', body })).toMatchObject({
      status: 403,
      body: { code: 'permission.owner-only' },
    })
    expect((await manager.call(`${listPath(space)}/${ownerEntry.id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await manager.call(`${spacesPath}/${space.id}`, { method: 'DELETE' })).status).toBe(403)
  })

  it('not when a space is made, and not into a role that reaches every space', async () => {
    const { body: roles } = await admin.call<{ data: SpaceRole[] }>(rolesPath)
    const elevated = roles.data.find(({ name }) => name === 'Elevated')
    const body = { displayName: 'Too much', members: [{ principal: user(stranger), role: elevated?.id }] }
    expect((await owner.call(spacesPath, { body })).status).toBe(403)
    const { body: spaces } = await admin.call<ListReply<Space>>('/portal-api/v2/spaces?search=Too much')
    expect(spaces.data).toEqual([])
    const operator = await personOf(world, { realmRoles: ['quayside-operator'] })
    const input = { name: 'Above', scopes: ['space.view', 'app.view', 'space.deploy', 'space.deploy.elevated'] }
    expect(await operator.call(rolesPath, { body: input })).toMatchObject({
      status: 403,
      body: { code: 'permission.escalation', details: { scope: 'space.deploy.elevated' } },
    })
    expect((await operator.call(`${rolesPath}/${elevated?.id}`, { method: 'DELETE' })).status).toBe(403)
  })
})

describe('owners', () => {
  it('the last one can neither go, nor become something else, nor get an end', async () => {
    const here = await newSpace(owner)
    const { id } = await entryOf(owner, here, owner)
    const refused = { status: 409, body: { code: 'permission.last-owner' } }
    expect(await owner.call(`${listPath(here)}/${id}`, { method: 'DELETE' })).toMatchObject(refused)
    for (const change of [
      { owner: false, expiresAt: null },
      { owner: true, expiresAt: inAnHour() },
    ])
      expect(
        await owner.call(listPath(here), { method: 'PUT', body: { id, role: 'manager', ...change } }),
      ).toMatchObject(refused)
    expect((await grant(owner, here, { principal: user(manager), role: 'viewer', owner: true })).status).toBe(201)
    expect((await owner.call(`${listPath(here)}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await manager.call(`${spacesPath}/${here.id}`, { method: 'DELETE' })).status).toBe(202)
  })

  it('the last one cannot leave it to a principal that is nobody', async () => {
    const directory = await world.directory()
    const made = async (kind: 'users' | 'groups', body: { username?: string; name?: string; enabled?: boolean }) => {
      await directory.post(`/${kind}`, body)
      const [found] = await directory.get<{ id: string }[]>(`/${kind}?search=${body.username ?? body.name}`)
      return { type: kind === 'users' ? 'user' : 'group', id: found?.id ?? '' }
    }
    const [away, gone, empty, crew] = await Promise.all([
      made('users', { username: 'owner-away', enabled: false }),
      made('users', { username: 'owner-gone', enabled: true }),
      made('groups', { name: 'Nobody' }),
      made('groups', { name: 'Crew' }),
    ])
    await directory.put(`/users/${away.id}/groups/${crew.id}`)
    const here = await newSpace(owner)
    const mine = (await entryOf(owner, here, owner)).id
    for (const principal of [away, gone, empty, crew])
      expect((await grant(owner, here, { principal, role: 'manager', owner: true })).status).toBe(201)
    await directory.remove(`/users/${gone.id}`)
    const refused = { status: 409, body: { code: 'permission.last-owner' } }
    const leave = () => owner.call(`${listPath(here)}/${mine}`, { method: 'DELETE' })
    expect(await leave()).toMatchObject(refused)
    const body = { id: mine, role: 'manager', owner: false, expiresAt: null }
    expect(await owner.call(listPath(here), { method: 'PUT', body })).toMatchObject(refused)
    await directory.put(`/users/${stranger.id}/groups/${crew.id}`)
    expect((await leave()).status).toBe(204)
  })

  it('of two who remove each other at the same moment one stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const here = await newSpace(owner, [{ principal: user(manager), role: 'manager' }])
      const theirs = await entryOf(owner, here, manager)
      await owner.call(listPath(here), {
        method: 'PUT',
        body: { id: theirs.id, role: 'manager', owner: true, expiresAt: null },
      })
      const mine = await entryOf(owner, here, owner)
      const done = await Promise.all([
        owner.call(`${listPath(here)}/${theirs.id}`, { method: 'DELETE' }),
        manager.call(`${listPath(here)}/${mine.id}`, { method: 'DELETE' }),
      ])
      expect(done.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1)
      const left = (await listOf(admin, here)).filter((entry) => entry.owner)
      expect(left).toHaveLength(1)
    }
  })

  it('who is removed while they grant has granted nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const here = await newSpace(owner, [{ principal: user(manager), role: 'manager' }])
      const theirs = await entryOf(owner, here, manager)
      const [removed, granted] = await Promise.all([
        owner.call(`${listPath(here)}/${theirs.id}`, { method: 'DELETE' }),
        grant(manager, here, { principal: user(stranger), role: 'deployer' }),
      ])
      expect(removed.status).toBe(204)
      const { body } = await owner.call<ListReply<PermissionEvent>>(`${listPath(here)}/history`)
      const order = body.data.map(({ what, principal }) => `${what} ${principal.id}`)
      const wasFirst = order.indexOf(`granted ${stranger.id}`) > order.indexOf(`removed ${manager.id}`)
      expect(granted.status === 201).toBe(order.includes(`granted ${stranger.id}`) && wasFirst)
      expect([201, 403, 404]).toContain(granted.status)
    }
  })
})

describe('roles that a tenant defines', () => {
  it('hold what they say wherever they are given, and cannot go while they are', async () => {
    const body = { name: 'Tester', description: 'Looks and restarts', scopes: ['space.view', 'app.view', 'app.manage'] }
    const made = await admin.call<SpaceRole>(rolesPath, { body })
    expect(made).toMatchObject({ status: 201, body: { ...body, builtIn: false } })
    expect((await admin.call(rolesPath, { body: { ...body, name: 'tester' } })).status).toBe(409)
    const path = `${rolesPath}/${made.body.id}`
    const entry = await grant(owner, space, { principal: user(stranger), role: made.body.id })
    expect(entry.body.role).toEqual({ id: made.body.id, name: 'Tester' })
    const scopes = async () => (await stranger.call<Space>(`${spacesPath}/${space.id}`)).body.scopes
    expect(await scopes()).toEqual(['space.view', 'app.view', 'app.manage'])
    expect(await admin.call(path, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'space-role.in-use', details: { spaces: 1 } },
    })
    await admin.call(path, { method: 'PUT', body: { ...body, scopes: ['space.view'] } })
    expect(await scopes()).toEqual(['space.view'])
    await owner.call(`${listPath(space)}/${entry.body.id}`, { method: 'DELETE' })
    expect((await admin.call(path, { method: 'DELETE' })).status).toBe(204)
    expect((await admin.call(path, { method: 'DELETE' })).status).toBe(404)
  })

  it('one that is given and deleted at the same moment is either held or gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body: role } = await admin.call<SpaceRole>(rolesPath, {
        body: { name: `Brief ${round}`, scopes: ['space.view'] },
      })
      const [given, deleted] = await Promise.all([
        grant(owner, space, { principal: user(stranger), role: role.id }),
        admin.call(`${rolesPath}/${role.id}`, { method: 'DELETE' }),
      ])
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([given.status, deleted.status])
      if (given.status === 201) await owner.call(`${listPath(space)}/${given.body.id}`, { method: 'DELETE' })
    }
  })
})

describe('what ends by itself', () => {
  it('counts for nothing from that moment on, is taken off the list and written down', async () => {
    const here = await newSpace(owner)
    const expiresAt = new Date(Date.now() + 1500).toISOString()
    await grant(owner, here, { principal: user(stranger), role: 'viewer', expiresAt })
    const status = async () => (await stranger.call(`${spacesPath}/${here.id}`)).status
    expect(await status()).toBe(200)
    await expect.poll(status, { timeout: 4000, interval: 50 }).toBe(404)
    expect(Date.now() - Date.parse(expiresAt)).toBeLessThan(1000)
    const history = async () => (await owner.call<ListReply<PermissionEvent>>(`${listPath(here)}/history`)).body.data[0]
    await expect
      .poll(history, { timeout: 5000 })
      .toMatchObject({ what: 'expired', by: null, principal: { id: stranger.id } })
    expect(await listOf(owner, here)).toHaveLength(1)
  })
})
