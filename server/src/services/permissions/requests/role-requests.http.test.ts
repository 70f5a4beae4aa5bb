import type { ListReply } from '@quayside/contract/http/paging'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { PermissionEvent } from '@quayside/contract/permissions/endpoints'
import type { Explanation } from '@quayside/contract/permissions/explain'
import type { RoleGrant } from '@quayside/contract/permissions/role-requests'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grant, newSpace, type Person, personOf, personWith, requestsPath, user } from '../testing/team.ts'

const path = '/portal-api/v3/role-requests'
const grantsPath = '/portal-api/v3/role-grants'
const role = 'catalog-apps:catalog.publish'
const reason = 'I publish the new charts on Friday'

let world: World
let admin: Person
let asker: Person

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await personOf(world, { realmRoles: ['quayside-admin'] })
})
afterAll(() => world?.close())

const askFor = (who: Person, input: object = {}) =>
  who.call<AccessRequest>(path, { body: { role, reason, hours: null, ...input } })
const answer = (who: Person, id: string, body: object) => who.call<AccessRequest>(`${path}/${id}/answer`, { body })
const granted = async (who: Person) => (await who.call<ListReply<RoleGrant>>(grantsPath)).body.data
const toAnswer = async (who: Person) => (await who.call<ListReply<AccessRequest>>(path)).body.data
const explain = async (who: Person) => (await who.call<Explanation>(`/portal-api/v3/explain?role=${role}`)).body
/** A call that the role opens: 404 is what it answers to who holds it. */
const publish = async (who: Person) => (await who.call('/catalog/v2/items/nothing', { method: 'DELETE' })).status
const managing = { 'quayside-portal-ui-iam-users': ['users.roles.manage'] }

/** Moves the end of every grant into the past. */
async function endAll(): Promise<void> {
  const db = new Client({ connectionString: world.databaseUrl })
  await db.connect()
  await db.query("select set_config('app.tenant', '*', false)")
  await db.query(
    "update role_grant set expires_at = clock_timestamp() - interval '1 second' where expires_at is not null",
  )
  await db.end()
}

test('who lacks a role of the tenant is told who may grant it by the directory, and asks for it', async () => {
  asker = await personOf(world)
  const directory = await world.directory()
  // A role that the tenant has made of both rights, held by one enabled person and by one who is not.
  await directory.post('/roles', { name: 'publishers', description: 'Looks after the catalog' })
  const parts = []
  for (const [client, name] of [
    ['quayside-portal-ui-catalog-apps', 'catalog.publish'],
    ['quayside-portal-ui-iam-users', 'users.roles.manage'],
  ] as const) {
    const [{ id } = { id: '' }] = await directory.get<{ id: string }[]>(`/clients?clientId=${client}`)
    parts.push(await directory.get<object>(`/clients/${id}/roles/${name}`))
  }
  await directory.post('/roles/publishers/composites', parts)
  for (const [username, enabled] of [
    ['ines', true],
    ['left', false],
  ] as const) {
    await directory.post('/users', { username, enabled, firstName: username, lastName: 'Duarte' })
    const [{ id } = { id: '' }] = await directory.get<{ id: string }[]>(`/users?username=${username}&exact=true`)
    await directory.post(`/users/${id}/role-mappings/realm`, [await directory.get<object>('/roles/publishers')])
  }
  const before = await explain(asker)
  expect(before).toMatchObject({ allowed: false, mayRequest: true, openRequestId: null, tenantRolesToAskFor: [role] })
  expect(before.tenantRoles).toEqual(expect.arrayContaining(['publishers', 'quayside-admin']))
  expect(before.grantors.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'user ines Duarte',
    'user Portal Administrator',
    'role publishers',
    'role quayside-admin',
  ])
  for (const [input, field] of [
    [{ role: 'catalog-apps:nothing' }, 'role'],
    [{ reason: ' ' }, 'reason'],
    [{ hours: 0 }, 'hours'],
  ] as const)
    expect(await askFor(asker, input)).toMatchObject({ status: 400, body: { field } })
  expect((await askFor(asker, { role: 'catalog-apps:catalog.view' })).body.code).toBe('access-request.held')

  const { status, body } = await askFor(asker, { hours: 8 })
  expect([status, body.space, body.role.name, body.state]).toEqual([
    201,
    null,
    'catalog.publish (catalog-apps)',
    'open',
  ])
  expect((await askFor(asker)).body.code).toBe('access-request.waiting')
  expect((await explain(asker)).openRequestId).toBe(body.id)
  expect((await asker.call<ListReply<AccessRequest>>(`${requestsPath}/mine`)).body.data[0]?.id).toBe(body.id)
})

test('nobody but who manages roles sees it, and nobody grants what they do not hold', async () => {
  const operator = await personOf(world, { realmRoles: ['quayside-operator'] })
  const manager = await personOf(world, { clientRoles: managing })
  const id = (await toAnswer(admin))[0]?.id ?? ''
  for (const who of [asker, operator]) {
    expect((await who.call(path)).status).toBe(403)
    expect((await answer(who, id, { decision: 'grant' })).status).toBe(403)
    expect((await who.call(grantsPath)).status).toBe(403)
  }
  expect((await toAnswer(manager)).map((each) => each.id)).toEqual([id])
  expect((await answer(manager, id, { decision: 'grant' })).body.code).toBe('auth.escalation')
  // The call for requests in spaces is no way around it, not even for who manages every space.
  expect((await operator.call(`${requestsPath}/${id}/answer`, { body: { decision: 'grant' } })).body).toMatchObject({
    code: 'access-request.not-found',
  })
  expect(await granted(admin)).toEqual([])
  expect(await publish(asker)).toBe(403)
})

test('an administrator grants it for a while, it counts at once, and it ends by itself', async () => {
  const id = (await toAnswer(admin))[0]?.id ?? ''
  const { body } = await answer(admin, id, { decision: 'grant', note: 'Mind the icons', hours: 2 })
  expect(body).toMatchObject({ state: 'granted', hours: 2, note: 'Mind the icons' })
  const [grant] = await granted(admin)
  expect(grant).toMatchObject({ person: { id: asker.id }, role: { id: role } })
  const hours = (Date.parse(grant?.expiresAt ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(1.9)
  expect(hours).toBeLessThanOrEqual(2)
  expect((await answer(admin, id, { decision: 'decline' })).body.code).toBe('access-request.answered')
  await expect.poll(() => publish(asker), { timeout: 5000 }).toBe(404)
  await endAll()
  await expect.poll(() => publish(asker), { timeout: 5000 }).toBe(403)
  await expect.poll(() => granted(admin)).toEqual([])
  const { data } = (await admin.call<ListReply<PermissionEvent>>(`${grantsPath}/history`)).body
  expect(data.map(({ what, principal, note }) => [what, principal.id === asker.id, note])).toEqual([
    ['expired', true, null],
    ['granted', true, `Asked for: ${reason}`],
    ['requested', true, reason],
  ])
})

test('who holds it for a while gives it for no longer, asks for longer, and never answers their own request', async () => {
  const holder = await personOf(world, { clientRoles: managing })
  const first = (await askFor(holder, { hours: 2 })).body
  expect((await answer(holder, first.id, { decision: 'grant' })).body.code).toBe('permission.own')
  await answer(admin, first.id, { decision: 'grant' })
  const other = (await askFor(asker)).body
  for (const hours of [null, 3])
    expect(await answer(holder, other.id, { decision: 'grant', hours })).toMatchObject({
      status: 403,
      body: { code: 'auth.escalation', field: 'hours' },
    })
  expect((await answer(holder, other.id, { decision: 'grant', hours: 1 })).status).toBe(200)
  const until = async () =>
    Date.parse((await granted(admin)).find(({ person }) => person.id === holder.id)?.expiresAt ?? '')
  const before = await until()
  for (const [hours, isLonger] of [
    [1, false],
    [5, true],
  ] as const) {
    await answer(admin, (await askFor(holder, { hours })).body.id, { decision: 'grant' })
    expect((await until()) > before).toBe(isLonger)
  }
  for (const { id } of await granted(admin)) await admin.call(`${grantsPath}/${id}`, { method: 'DELETE' })
})

test('a role for a while brings nothing that lasts: no entry of a space and no client of a script', async () => {
  const holder = await personOf(world, { clientRoles: { 'quayside-portal-ui-apps': ['apps.create'] } })
  const [friend, owner] = [await personOf(world), await personOf(world, { realmRoles: ['quayside-admin'] })]
  const space = await newSpace(owner)
  for (const asked of ['spaces:spaces.manage', 'iam-users:users.create']) {
    const { body } = await askFor(holder, { role: asked, hours: 2 })
    expect((await answer(admin, body.id, { decision: 'grant' })).status).toBe(200)
  }
  const entries = `/portal-api/v3/spaces/${space.id}/permissions`
  const watching = (
    await admin.call<{ id: string }>('/portal-api/v3/space-roles', {
      body: { name: 'Manages members', scopes: ['space.view', 'space.members'] },
    })
  ).body.id
  const give = (expiresAt: string | null) =>
    holder.call(entries, { body: { principal: { type: 'user', id: friend.id }, role: watching, expiresAt } })
  await expect.poll(async () => (await give(null)).body.code, { timeout: 5000 }).toBe('permission.escalation')
  expect((await give(new Date(Date.now() + 3_600_000).toISOString())).status).toBe(201)
  const directory = await world.directory()
  await directory.post('/roles', { name: 'space-keepers' })
  const [{ id } = { id: '' }] = await directory.get<{ id: string }[]>('/clients?clientId=quayside-portal-ui-spaces')
  await directory.post('/roles/space-keepers/composites', [
    await directory.get<object>(`/clients/${id}/roles/spaces.manage`),
  ])
  expect(
    (await holder.call('/iam/v2/clients', { body: { clientId: 'lasting', realmRoles: ['space-keepers'] } })).body.code,
  ).toBe('auth.escalation')
  for (const { id } of await granted(admin)) await admin.call(`${grantsPath}/${id}`, { method: 'DELETE' })
})

test('it is declined with a word, withdrawn by who has asked, and taken back by who manages roles and holds it', async () => {
  const first = (await askFor(asker)).body
  expect((await answer(admin, first.id, { decision: 'decline', note: 'Ask Ines' })).body).toMatchObject({
    ...{ state: 'declined', note: 'Ask Ines' },
  })
  const second = (await askFor(asker)).body
  expect((await asker.call(`${requestsPath}/${second.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await toAnswer(admin)).toEqual([])
  const third = (await askFor(asker)).body
  await answer(admin, third.id, { decision: 'grant' })
  await expect.poll(() => publish(asker), { timeout: 5000 }).toBe(404)
  const [grant] = await granted(admin)
  expect(grant?.expiresAt).toBeNull()
  const manager = await personOf(world, { clientRoles: managing })
  expect((await manager.call(`${grantsPath}/${grant?.id}`, { method: 'DELETE' })).body.code).toBe('auth.escalation')
  expect(await publish(asker)).toBe(404)
  expect((await admin.call(`${grantsPath}/${grant?.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await admin.call(`${grantsPath}/${grant?.id}`, { method: 'DELETE' })).body).toMatchObject({
    code: 'role-grant.not-found',
  })
  await expect.poll(() => publish(asker), { timeout: 5000 }).toBe(403)
})

test('two answers at the same moment are one', async () => {
  const second = await personOf(world, { realmRoles: ['quayside-admin'] })
  for (let round = 0; round < 4; round += 1) {
    const { id } = (await askFor(asker)).body
    const done = await Promise.all([
      answer(admin, id, { decision: 'grant' }),
      answer(second, id, { decision: 'decline' }),
    ])
    expect(done.map(({ status }) => status).sort()).toEqual([200, 409])
    const held = await granted(admin)
    expect(held.length).toBe(done[0]?.status === 200 ? 1 : 0)
    for (const each of held) await admin.call(`${grantsPath}/${each.id}`, { method: 'DELETE' })
    await expect.poll(() => publish(asker), { timeout: 5000 }).toBe(403)
  }
})

test('a role ends in time although another tenant has no realm any more', async () => {
  const person = await personOf(world)
  const { body } = await askFor(person, { hours: 1 })
  expect((await answer(admin, body.id, { decision: 'grant' })).status).toBe(200)
  await expect.poll(() => publish(person), { timeout: 5000 }).toBe(404)
  const db = new Client({ connectionString: world.databaseUrl })
  await db.connect()
  await db.query("select set_config('app.tenant', '*', false)")
  await db.query("insert into tenants values ('gone', 'gone', 'gone', 'Gone')")
  await db.query(
    `insert into role_grant values ('0', 'gone', 'x', 'x', $1, true, clock_timestamp() - interval '1 minute', 'y', 'y')`,
    [role],
  )
  await db.query("update role_grant set expires_at = clock_timestamp() - interval '1 second' where id <> '0'")
  await db.end()
  await expect.poll(() => publish(person), { timeout: 10_000 }).toBe(403)
})

test('nobody gives for longer what is inside a role that they hold for a while', async () => {
  const directory = await world.directory()
  const clientOf = async (name: string) =>
    (await directory.get<{ id: string }[]>(`/clients?clientId=quayside-portal-ui-${name}`))[0]?.id ?? ''
  const [catalog, clusters] = [await clientOf('catalog-apps'), await clientOf('clusters')]
  const inner = await directory.get<object>(`/clients/${clusters}/roles/clusters.edit`)
  await directory.post(`/clients/${catalog}/roles/catalog.publish/composites`, [inner])
  await directory.post('/roles', { name: 'cluster-keepers' })
  await directory.post('/roles/cluster-keepers/composites', [inner])
  const manager = await personOf(world, {
    clientRoles: { 'quayside-portal-ui-iam-users': ['users.roles.manage', 'users.create'] },
  })
  const timed = await askFor(manager, { hours: 1 })
  expect((await answer(admin, timed.body.id, { decision: 'grant' })).status).toBe(200)
  const friend = await personOf(world)
  const wanted = await askFor(friend, { role: 'clusters:clusters.edit' })
  expect((await answer(manager, wanted.body.id, { decision: 'grant', hours: null })).body).toMatchObject({
    code: 'auth.escalation',
    field: 'hours',
  })
  const script = { clientId: 'lasting-inner', realmRoles: ['cluster-keepers'] }
  expect((await manager.call<{ code: string }>('/iam/v2/clients', { body: script })).body.code).toBe('auth.escalation')
})

test('who waits to change a list while their role goes changes nothing by it', async () => {
  const signIn = await world.personWith({ realmRoles: ['quayside-operator'] })
  const operator = personWith(world, (await signInAsPerson(world, signIn)).access_token)
  const [space, friend, directory] = [await newSpace(admin), await personOf(world), await world.directory()]
  const held = await directory.get<object>('/roles/quayside-operator')
  const db = new Client({ connectionString: world.databaseUrl })
  await db.connect()
  await db.query("select set_config('app.tenant', '*', false)")
  await db.query('begin')
  await db.query('select id from spaces where id = $1 for no key update', [space.id])
  const waiting = grant(operator, space, { principal: user(friend), role: 'manager' })
  const waits = 'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
  const waiters = async () => {
    // A transaction goes on seeing the connections that there were when it first looked.
    await db.query('select pg_stat_clear_snapshot()')
    return (await db.query(waits)).rowCount
  }
  await expect.poll(waiters).toBe(1)
  const since = performance.now()
  await directory.remove(`/users/${operator.id}/role-mappings/realm`, [held])
  await expect.poll(() => performance.now() - since).toBeGreaterThan(300)
  await db.query('commit')
  await db.end()
  expect((await waiting).body.code).toBe('auth.forbidden')
})
