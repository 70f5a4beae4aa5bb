import { randomUUID } from 'node:crypto'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { role } from '@quayside/contract/http/policy'
import { type RoleRef, roleIdOf, roleName } from '@quayside/contract/permissions/roles'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const requests = '/portal-api/v3/role-requests'
const spaceRoles = '/portal-api/v3/space-roles'
const publishes = role('catalog-apps', 'catalog.publish')
const managesSpaces = role('spaces', 'spaces.manage')
const editsClusters = role('clusters', 'clusters.edit')

let world: World
let admin: Story

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await personOf({ realmRoles: ['quayside-admin'] })
})
afterAll(() => world?.close())

const personOf = async (roles: Parameters<World['tokenFor']>[0] = { realmRoles: ['quayside-member'] }) =>
  createStory(world, await world.tokenFor(roles))
const user = ({ userId }: Story) => ({ type: 'user', id: userId })
const newSpace = (by: Story, members: object[] = []) =>
  by.good<Space>('/portal-api/v3/spaces', { body: { displayName: `Harbour ${randomUUID()}`, members } })
const grant = (by: Story, space: Space, input: object) =>
  by.call<ErrorReply>(`/portal-api/v3/spaces/${space.id}/permissions`, { body: input })

/** Gives somebody a role of the tenant for so many hours, and waits until it counts. */
async function give(who: Story, ref: RoleRef, hours: number): Promise<void> {
  const input = { role: roleIdOf(ref), reason: 'On call', hours }
  const asked = await who.call<{ id: string }>(requests, { body: input })
  const answered = await admin.call(`${requests}/${asked.body.id}/answer`, { body: { decision: 'grant' } })
  expect([asked.status, answered.status]).toEqual([201, 200])
  const holds = async () => {
    const { body } = await who.call<{ allowed: boolean }>(
      `/portal-api/v3/explain?role=${encodeURIComponent(roleIdOf(ref))}`,
    )
    return body.allowed
  }
  await expect.poll(holds, { timeout: 10_000 }).toBe(true)
}

/** Puts a role of one section into that of another, as an administrator of the realm can. */
async function nest(inner: RoleRef, outer: RoleRef): Promise<void> {
  const directory = await world.directory()
  const clientOf = async ({ section }: RoleRef) =>
    (await directory.get<{ id: string }[]>(`/clients?clientId=quayside-portal-ui-${section}`))[0]?.id
  const part = await directory.get<object>(`/clients/${await clientOf(inner)}/roles/${inner.role}`)
  await directory.post(`/clients/${await clientOf(outer)}/roles/${outer.role}/composites`, [part])
}

const named = (name: string, scopes: string[]) =>
  admin.call<{ id: string }>(spaceRoles, { body: { name, scopes } }).then(({ body }) => body.id)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const all = ['space.view', 'space.edit', 'space.members', 'space.delete']

describe('who holds something for an hour', () => {
  it('gives by an entry for that role for no longer than an hour', async () => {
    const [keeper, friend] = [await personOf(), await personOf()]
    const principal = { type: 'role', id: roleName(publishes) } as const
    const space = await newSpace(admin, [{ principal, role: 'manager' }])
    await give(keeper, publishes, 1)
    const input = { principal: user(friend), role: 'manager', owner: false }
    for (const expiresAt of [null, inHours(2)])
      expect((await grant(keeper, space, { ...input, expiresAt })).body).toMatchObject({
        code: 'permission.escalation',
        field: 'expiresAt',
      })
    expect((await grant(keeper, space, { ...input, expiresAt: inHours(0.5) })).status).toBe(201)
  })

  it('changes no role of spaces, which lasts', async () => {
    const keeper = await personOf()
    const id = await named('Watcher', ['space.view'])
    const space = await newSpace(admin, [{ principal: user(keeper), role: id }])
    await give(keeper, managesSpaces, 1)
    const raised = await keeper.call<ErrorReply>(`${spaceRoles}/${id}`, {
      method: 'PUT',
      body: { name: 'Watcher', scopes: all },
    })
    expect(raised.body).toMatchObject({ code: 'permission.escalation', field: 'scopes' })
    const made = await keeper.call<ErrorReply>(spaceRoles, { body: { name: 'New', scopes: all } })
    expect(made.body.code).toBe('permission.escalation')
    expect((await keeper.call(`${spaceRoles}/${id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await admin.call<{ data: { id: string; scopes: string[] }[] }>(spaceRoles)).body.data).toContainEqual(
      expect.objectContaining({ id, scopes: ['space.view'] }),
    )
    expect(space.id).not.toBe('')
  })

  it('shares no dashboard that they manage by that role', async () => {
    const [keeper, friend] = [await personOf(), await personOf()]
    const dashboards = '/dashboard/v3/dashboards'
    const { id } = await admin.good<{ id: string }>(dashboards, { body: { displayName: 'Quays' } })
    const share = (by: Story, principal: object, scopes: string[]) =>
      by.call<ErrorReply>(`${dashboards}/${id}/permissions`, { body: { principal, scopes } })
    const manages = ['dashboard.view', 'dashboard.share', 'dashboard.manage']
    expect((await share(admin, { type: 'role', id: roleName(publishes) }, manages)).status).toBe(201)
    await give(keeper, publishes, 1)
    for (const who of [keeper, friend])
      expect((await share(keeper, user(who), ['dashboard.view'])).body.code).toBe('dashboard.escalation')
    expect((await share(admin, user(keeper), manages)).status).toBe(201)
    expect((await share(keeper, user(friend), ['dashboard.view'])).status).toBe(201)
  })

  it('gives the first members of a space nothing of it for longer', async () => {
    const creates = { 'quayside-portal-ui-apps': ['apps.create'] }
    const keeper = await personOf({ realmRoles: ['quayside-member'], clientRoles: creates })
    const friend = await personOf()
    const id = await named('Elevated', ['space.view', 'app.view', 'space.deploy', 'space.deploy.elevated'])
    await give(keeper, editsClusters, 1)
    for (const who of [friend, keeper]) {
      const members = [{ principal: user(who), role: id }]
      const made = await keeper.call<ErrorReply>('/portal-api/v3/spaces', { body: { displayName: 'Mine', members } })
      expect(made.body).toMatchObject({ code: 'permission.escalation' })
    }
    const until = [{ principal: user(friend), role: id, expiresAt: inHours(0.5) }]
    const space = await newSpace(keeper, until)
    expect((await grant(keeper, space, { principal: user(await personOf()), role: id })).body).toMatchObject({
      code: 'permission.escalation',
    })
  })

  it('gives what lies in two such roles for no longer than the later of them', async () => {
    await nest(managesSpaces, publishes)
    const [keeper, friend] = [await personOf(), await personOf()]
    const space = await newSpace(admin)
    await give(keeper, managesSpaces, 1)
    await give(keeper, publishes, 3)
    const input = { principal: user(friend), role: await named('Looks after it', all), owner: true }
    for (const expiresAt of [null, inHours(4)])
      expect((await grant(keeper, space, { ...input, expiresAt })).body).toMatchObject({
        code: 'permission.escalation',
        field: 'expiresAt',
      })
    expect((await grant(keeper, space, { ...input, expiresAt: inHours(2) })).status).toBe(201)
  })

  it('gives nothing that lasts while the role is just being taken back', async () => {
    const [keeper, friend, looksAfter] = [await personOf(), await personOf(), await named('Looks after all', all)]
    const places = await Promise.all([1, 2, 3, 4].map(() => newSpace(admin)))
    await give(keeper, managesSpaces, 1)
    const { data } = await admin.good<{ data: { id: string; person: { id: string } }[] }>('/portal-api/v3/role-grants')
    const held = data.find(({ person }) => person.id === keeper.userId)
    const input = { principal: user(friend), role: looksAfter, owner: false, expiresAt: null }
    const statuses = new Set<number>()
    let isOver = false
    const trying = places.map(async (space) => {
      while (!isOver) statuses.add((await grant(keeper, space, input)).status)
    })
    expect((await admin.call(`/portal-api/v3/role-grants/${held?.id}`, { method: 'DELETE' })).status).toBe(204)
    const sees = async () => (await keeper.call(`/portal-api/v3/spaces/${places[0]?.id}`)).status
    await expect.poll(sees, { timeout: 10_000 }).toBe(404)
    isOver = true
    await Promise.all(trying)
    expect([...statuses]).not.toContain(201)
    expect(statuses.size).toBeGreaterThan(0)
  })

  it('gives nothing for longer by the right to manage that ends itself', async () => {
    const lasting = { 'quayside-portal-ui-catalog-apps': ['catalog.publish'] }
    const keeper = await personOf({ realmRoles: ['quayside-member', 'quayside-operator'], clientRoles: lasting })
    await give(keeper, role('iam-users', 'users.create'), 1)
    const script = { clientId: 'for-good', realmRoles: ['quayside-member'] }
    expect((await keeper.call<ErrorReply>('/iam/v2/clients', { body: script })).body.code).toBe('auth.escalation')
    await give(keeper, role('iam-users', 'users.roles.manage'), 1)
    const wanted = { role: roleIdOf(publishes), reason: 'For good', hours: null }
    const asked = await (await personOf()).call<{ id: string }>(requests, { body: wanted })
    const answer = { decision: 'grant', hours: null }
    expect((await keeper.call(`${requests}/${asked.body.id}/answer`, { body: answer })).body).toMatchObject({
      code: 'auth.escalation',
      field: 'hours',
    })
  })

  it('gives nothing for longer that came into the role afterwards', async () => {
    const managing = { 'quayside-portal-ui-iam-users': ['users.roles.manage', 'users.create'] }
    const keeper = await personOf({ clientRoles: managing })
    await give(keeper, publishes, 1)
    await nest(editsClusters, publishes)
    const directory = await world.directory()
    await directory.post('/roles', { name: 'keepers' })
    const [clusters] = await directory.get<{ id: string }[]>('/clients?clientId=quayside-portal-ui-clusters')
    const inner = await directory.get<object>(`/clients/${clusters?.id}/roles/clusters.edit`)
    await directory.post('/roles/keepers/composites', [inner])
    const wanted = { role: roleIdOf(editsClusters), reason: 'For good', hours: null }
    const asked = await (await personOf()).call<{ id: string }>(requests, { body: wanted })
    const answer = { decision: 'grant', hours: null }
    expect((await keeper.call(`${requests}/${asked.body.id}/answer`, { body: answer })).body).toMatchObject({
      code: 'auth.escalation',
      field: 'hours',
    })
    const script = { clientId: 'lasting', realmRoles: ['keepers'] }
    expect((await keeper.call<ErrorReply>('/iam/v2/clients', { body: script })).body.code).toBe('auth.escalation')
  })
})

describe('who has just lost something', () => {
  /** Somebody whose roles are remembered by the portal, and how the identity server calls them. */
  async function remembered(roles: string[]) {
    const signIn = await world.personWith({ realmRoles: roles })
    const who = createStory(world, (await signInAsPerson(world, signIn)).access_token)
    expect((await who.call(spaceRoles)).status).toBe(200)
    return { who, directory: await world.directory() }
  }

  it('gives nothing by the role any more, from the same moment on', async () => {
    const { who, directory } = await remembered(['quayside-operator'])
    const [space, friend] = [await newSpace(admin), await personOf()]
    const role = await directory.get<object>('/roles/quayside-operator')
    await directory.remove(`/users/${who.userId}/role-mappings/realm`, [role])
    const answers = await Promise.all([
      grant(who, space, { principal: user(friend), role: 'manager', owner: true }),
      who.call(spaceRoles, { body: { name: 'After', scopes: ['space.view'] } }),
      who.call('/portal-api/v3/spaces', {
        body: { displayName: 'After', members: [{ principal: user(friend), role: 'manager' }] },
      }),
    ])
    expect(answers.map(({ body }) => (body as Partial<ErrorReply>).code)).toEqual(answers.map(() => 'auth.forbidden'))
  })

  it('gives nothing once they are disabled', async () => {
    const { who, directory } = await remembered(['quayside-operator'])
    const [space, friend] = [await newSpace(admin), await personOf()]
    await directory.put(`/users/${who.userId}`, { enabled: false })
    expect((await grant(who, space, { principal: user(friend), role: 'manager' })).status).toBe(401)
  })

  it('gives nothing by a group that they have left', async () => {
    const { who, directory } = await remembered(['quayside-member'])
    await directory.post('/groups', { name: 'Squad' })
    const [group] = await directory.get<{ id: string }[]>('/groups?search=Squad')
    await directory.put(`/users/${who.userId}/groups/${group?.id}`)
    const space = await newSpace(admin, [{ principal: { type: 'group', id: group?.id ?? '' }, role: 'manager' }])
    const sees = async () => (await who.call(`/portal-api/v3/spaces/${space.id}/members`)).status
    await expect.poll(sees, { timeout: 10_000 }).toBe(200)
    await directory.remove(`/users/${who.userId}/groups/${group?.id}`)
    const input = { principal: user(await personOf()), role: 'manager' }
    expect((await grant(who, space, input)).body.code).toBe('auth.forbidden')
  })
})
