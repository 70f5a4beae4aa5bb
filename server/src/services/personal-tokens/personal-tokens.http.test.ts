import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import { socketPath } from '@quayside/contract/live/names'
import type { PersonalToken } from '@quayside/contract/personal-tokens/endpoints'
import { type Directory, portalAudience } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { type Replica, World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/iam/v3/account/tokens'
const promisedMs = 5000
type Made = PersonalToken & { secret: string }
type Listed = { data: PersonalToken[]; settings: { enabled: boolean; longestDays: number } }
type Caller = ReturnType<typeof callsOf> & { id: string; username: string; session: string }

let world: World
let replica: Replica
let directory: Directory
let admin: Caller
let member: Caller

async function personWith(realmRole: string): Promise<Caller> {
  const person = await world.personWith({ realmRoles: [realmRole] })
  const session = (await signInAsPerson(world, person)).access_token
  return { ...callsOf(world, session), id: decodeJwt(session).sub ?? '', username: person.username, session }
}

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_TRUSTED_CLIENTS: 'narrow' } })
  ;[replica, directory] = await Promise.all([world.addReplica(), world.directory()])
  ;[admin, member] = await Promise.all([personWith('quayside-admin'), personWith('quayside-member')])
})
afterAll(() => world?.close())

const make = (who: Caller, more: object = {}) => who.good<Made>(path, { body: { name: 'CI', days: 1, ...more } })
const by = ({ secret }: { secret: string }) => callsOf(world, secret)
const remove = (who: Caller, where: string) => who.call<{ code?: string }>(where, { method: 'DELETE' })
const statusAt = async (portal: Pick<World, 'api'>, token: string, where = '/iam/v2/account') =>
  (await portal.api(where, { token })).status

/** Runs a change, and waits at both replicas until a token is answered so. */
async function within5s(secret: string, status: number, change: () => Promise<unknown>, where?: string): Promise<void> {
  await change()
  const until = performance.now() + promisedMs
  for (const portal of [world, replica])
    for (;;) {
      const is = await statusAt(portal, secret, where)
      if (is === status) break
      if (performance.now() > until) expect(is, 'after five seconds').toBe(status)
      await new Promise((next) => setTimeout(next, 100))
    }
}

async function inDatabase<T extends object>(statement: string, ...values: unknown[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`set app.tenant = '*'`)
    return (await client.query<T>(statement, values)).rows
  } finally {
    await client.end()
  }
}

describe('a personal token', () => {
  test('is made by somebody who is signed in, with a name and an end within the limit', async () => {
    expect((await world.api(path)).status).toBe(401)
    expect((await world.api(path, { body: {} })).status).toBe(401)
    const refused = async (more: object) =>
      await member.call<{ field: string }>(path, { body: { name: 'CI', days: 1, ...more } })
    expect(await refused({ days: 91 })).toMatchObject({ status: 400, body: { field: 'days' } })
    expect(await refused({ days: 0 })).toMatchObject({ status: 400, body: { field: 'days' } })
    expect(await refused({ days: 1.5 })).toMatchObject({ status: 400, body: { field: 'days' } })
    expect(await refused({ name: ' ' })).toMatchObject({ status: 400, body: { field: 'name' } })
    expect(await refused({ spaceIds: [] })).toMatchObject({ status: 400, body: { field: 'spaceIds' } })
    expect(await refused({ spaceIds: ['nowhere'] })).toMatchObject({ status: 404, body: { field: 'spaceIds' } })
    expect(await refused({ more: true })).toMatchObject({ status: 400 })
  })

  test('is shown once, listed without its secret, and kept as a digest alone', async () => {
    const made = await make(member, { name: 'Laptop', readOnly: true })
    expect(made.secret).toMatch(/^qsp_[0-9A-Za-z]{46}$/)
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(86_400_000)
    const { data, settings } = await member.good<Listed>(path)
    expect(settings).toEqual({ enabled: true, longestDays: 90 })
    const { secret, ...shown } = made
    expect(data.find(({ id }) => id === made.id)).toEqual(shown)
    expect(shown).toMatchObject({ name: 'Laptop', readOnly: true, spaces: null, lastUsedAt: null })
    expect((await by(made).call('/iam/v2/account')).status).toBe(200)
    const [row] = await inDatabase<Record<string, unknown>>('select * from personal_token where id = $1', made.id)
    expect(JSON.stringify(row)).not.toContain(secret.slice(4, 40))
    const tables = await inDatabase<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { name } of tables) {
      const [found] = await inDatabase<{ count: number }>(
        `select count(*)::int as count from "${name}" as t where t::text like '%' || $1 || '%'`,
        secret.slice(4, 40),
      )
      expect(found?.count, name).toBe(0)
    }
    const logged = readFileSync(join(world.dataDir, 'portal.log'), 'utf8')
    expect(logged.length).toBeGreaterThan(0)
    expect(logged).not.toContain(secret.slice(4, 40))
  })

  test('is its owner with what they hold, and never more', async () => {
    const token = await make(member)
    const self = await by(token).good<{ id: string; realmRoles: string[] }>('/iam/v2/account')
    expect(self).toMatchObject({
      id: member.id,
      username: member.username,
      realmRoles: expect.arrayContaining(['quayside-member']),
    })
    expect((await by(token).call('/iam/v3/users')).status).toBe(403)
    expect((await by(await make(admin)).call('/iam/v3/users')).status).toBe(200)
    await expect
      .poll(async () => (await member.good<Listed>(path)).data.find(({ id }) => id === token.id)?.lastUsedAt)
      .not.toBeNull()
  })

  test('makes no tokens, accounts or rights, and reads no tokens', async () => {
    const { call } = by(await make(admin))
    const tries: [string, object | undefined, string?][] = [
      [path, { name: 'More', days: 1 }],
      [path, undefined],
      [`/iam/v3/users/${member.id}/tokens`, undefined],
      ['/iam/v3/personal-tokens/settings', { enabled: true, longestDays: 366 }, 'PUT'],
      ['/iam/v2/account/resetmypassword', {}, 'PUT'],
      ['/iam/v3/account/email', {}],
      ['/iam/v3/account/second-factor', {}],
      ['/iam/v3/users', { username: 'intruder' }],
      ['/iam/v2/clients', { clientId: 'intruder', realmRoles: ['quayside-viewer'] }],
      ['/portal-api/v3/spaces', { displayName: 'Mine', clusterIds: [] }],
      ['/cluster/v1/kubeconfigs', { places: [] }],
    ]
    for (const [where, body, method] of tries)
      expect(await call(where, { body, ...(method ? { method } : {}) }), where).toMatchObject({
        status: 403,
        body: { code: 'auth.token-limits' },
      })
  })

  test('opens no live connection', async () => {
    const { secret } = await make(admin)
    const socket = io(world.url, {
      path: socketPath,
      auth: { token: secret },
      transports: ['websocket'],
      reconnection: false,
    })
    const told = await new Promise((done) => {
      socket.on('connect', () => done('connected'))
      socket.on('connect_error', (error) => done(error.message))
    })
    socket.disconnect()
    expect(told).toBe('auth.token-limits')
  })

  test('is nothing to the identity server', async () => {
    const { secret } = await make(admin)
    const headers = { authorization: `Bearer ${secret}` }
    const realm = `${world.signInUrl}/realms/${world.realm}/protocol/openid-connect`
    expect((await fetch(`${realm}/userinfo`, { headers })).status).toBe(401)
    expect((await fetch(`${world.identityUrl}/admin/realms/${world.realm}/users`, { headers })).status).toBe(401)
    const form = { grant_type: 'refresh_token', client_id: 'quayside-portal-ui', refresh_token: secret }
    expect((await fetch(`${realm}/token`, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(400)
  })

  test('stands in the audit log by its name, with what it changed and what it was refused', async () => {
    const token = await make(admin, { name: 'Nightly' })
    await by(token).good('/portal-api/v2/applinks', { body: { name: 'Runbook', url: 'https://runbook.example.org' } })
    await by(token).call('/iam/v3/users', { body: { username: 'intruder' } })
    const { data } = await admin.good<{ data: AuditEntry[] }>(
      `/portal-api/v1/audit?filters.who=${admin.id}&search=Nightly`,
    )
    const named = { id: token.id, name: 'Nightly' }
    expect(data.filter((entry) => entry.token !== null)).toMatchObject([
      { call: 'POST /iam/v3/users', outcome: 'refused', code: 'auth.token-limits', token: named },
      { outcome: 'done', token: named, call: 'POST /portal-api/v2/applinks', client: 'quayside-personal-token' },
    ])
    const [made] = data.filter((entry) => entry.token === null)
    expect(made).toMatchObject({ call: `POST ${path}`, name: 'Nightly', about: { id: token.id } })
  })
})

describe('a token that is narrowed', () => {
  test('to reading makes no call that changes something', async () => {
    const { call } = by(await make(admin, { readOnly: true }))
    expect((await call('/portal-api/v2/spaces')).status).toBe(200)
    expect((await call('/iam/v3/users/lockouts', { body: { ids: [] } })).status).not.toBe(403)
    const body = { name: 'Wiki', url: 'https://wiki.example.org' }
    expect(await call('/portal-api/v2/applinks', { body })).toMatchObject({
      status: 403,
      body: { code: 'auth.token-limits' },
    })
  })

  test('to a space shows that space, to an administrator too', async () => {
    const space = (displayName: string) =>
      admin.good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName, clusterIds: [] } })
    const [mine, other] = [await space('Harbour'), await space('Quarry')]
    const made = await make(admin, { spaceIds: [mine.id] })
    expect(made.spaces).toEqual([{ id: mine.id, name: 'Harbour' }])
    const { call, good } = by(made)
    const { data } = await good<{ data: { id: string; scopes: string[] }[] }>('/portal-api/v2/spaces')
    expect(data.map(({ id }) => id)).toEqual([mine.id])
    expect(data[0]?.scopes).toContain('space.deploy')
    expect(
      (await good<{ data: { spaceId: string }[] }>('/portal-api/v3/scopes/mine')).data.map(({ spaceId }) => spaceId),
    ).toEqual([mine.id])
    expect((await call(`/portal-api/v3/spaces/${other.id}`)).status).toBe(404)
    const rename = { displayName: 'Taken', clusterIds: [] }
    expect((await call(`/portal-api/v3/spaces/${other.id}`, { method: 'PUT', body: rename })).status).toBe(404)
    expect(
      (await call(`/portal-api/v3/spaces/${mine.id}`, { method: 'PUT', body: { ...rename, displayName: 'Port' } }))
        .status,
    ).toBe(200)
    expect((await call('/catalog/v2/items')).status).toBe(200)
    const ofTenant = ['/iam/v2/groups', '/iam/v2/groups/any', '/iam/v2/roles', '/iam/v3/users']
    for (const where of [...ofTenant, '/cluster/v2/clusters', '/portal-api/v1/audit', '/dashboard/v2/dashboards'])
      expect((await call(where)).status, where).toBe(403)
    expect((await make(admin, { spaceIds: [mine.id, mine.id] })).spaces).toHaveLength(1)
    await inDatabase(`delete from spaces where id = $1`, mine.id)
    expect(await good('/portal-api/v3/scopes/mine')).toEqual({ data: [] })
  })
})

describe('a token ends', () => {
  test('within five seconds of being deleted, by its owner or by somebody who may', async () => {
    const [own, taken] = [await make(member), await make(member)]
    for (const { secret } of [own, taken])
      for (const portal of [world, replica]) expect(await statusAt(portal, secret)).toBe(200)
    await within5s(own.secret, 401, () => remove(member, `${path}/${own.id}`))
    expect((await remove(member, `${path}/${own.id}`)).body).toMatchObject({ code: 'personal-token.not-found' })
    const ofMember = `/iam/v3/users/${member.id}/tokens`
    const { data } = await admin.good<Listed>(ofMember)
    expect(data.map(({ id }) => id)).toContain(taken.id)
    await within5s(taken.secret, 401, () => remove(admin, `${ofMember}/${taken.id}`))
  })

  test('by nobody else: another person, somebody who holds less', async () => {
    const token = await make(admin)
    expect((await remove(member, `${path}/${token.id}`)).status).toBe(404)
    expect((await remove(member, `/iam/v3/users/${admin.id}/tokens/${token.id}`)).status).toBe(403)
    const keeper = callsOf(
      world,
      await world.tokenFor({
        clientRoles: { 'quayside-portal-ui-iam-users': ['users.credentials.view', 'users.credentials.manage'] },
      }),
    )
    const ofAdmin = `/iam/v3/users/${admin.id}/tokens`
    expect((await keeper.call(ofAdmin)).status).toBe(200)
    expect(await keeper.call(`${ofAdmin}/${token.id}`, { method: 'DELETE' })).toMatchObject({
      status: 403,
      body: { code: 'iam.person-above' },
    })
    expect(await statusAt(world, token.secret)).toBe(200)
  })

  test('within five seconds with what its owner holds, and with its owner', async () => {
    const person = await personWith('quayside-admin')
    const { secret } = await make(person)
    const role = await directory.get<object>('/roles/quayside-admin')
    const roles = `/users/${person.id}/role-mappings/realm`
    for (const portal of [world, replica]) expect(await statusAt(portal, secret, '/iam/v3/users')).toBe(200)
    await within5s(secret, 403, () => directory.remove(roles, [role]), '/iam/v3/users')
    expect(await statusAt(world, secret)).toBe(200)
    const account = await directory.get<object>(`/users/${person.id}`)
    await within5s(secret, 401, () => directory.put(`/users/${person.id}`, { ...account, enabled: false }))
    await within5s(secret, 200, () => directory.put(`/users/${person.id}`, { ...account, enabled: true }))
    await within5s(secret, 401, () => directory.remove(`/users/${person.id}`))
  })

  test('when its time is over, for good when the tenant has shortened it', async () => {
    const days = { days: 90 }
    const [one, old, other] = [await make(member, { days: 2 }), await make(member, days), await make(member, days)]
    await within5s(one.secret, 401, () =>
      inDatabase(`update personal_token set expires_at = now() where id = $1`, one.id),
    )
    await inDatabase(`update personal_token set created_at = now() - interval '3 days' where id = $1`, old.id)
    const settings = (body: object) => admin.good('/iam/v3/personal-tokens/settings', { method: 'PUT', body })
    expect(await statusAt(world, old.secret)).toBe(200)
    await within5s(old.secret, 401, () => settings({ enabled: true, longestDays: 2 }))
    const { data } = await member.good<Listed>(path)
    const ends = data.find(({ id }) => id === other.id)
    expect(Date.parse(ends?.expiresAt ?? '') - Date.parse(other.createdAt)).toBe(2 * 86_400_000)
    expect(await member.call(path, { body: { name: 'CI', days: 3 } })).toMatchObject({ status: 400 })
    // A longer limit is for new tokens: one that has expired stays so, and its owner was told its end.
    await settings({ enabled: true, longestDays: 90 })
    for (const portal of [world, replica]) expect(await statusAt(portal, old.secret)).toBe(401)
    expect(await statusAt(world, other.secret)).toBe(200)
    await within5s(other.secret, 401, () => settings({ enabled: false, longestDays: 90 }))
    expect(await member.call(path, { body: { name: 'CI', days: 3 } })).toMatchObject({
      status: 409,
      body: { code: 'personal-token.off' },
    })
    await within5s(other.secret, 200, () => settings({ enabled: true, longestDays: 90 }))
  })
})

describe('nobody gets a token', () => {
  test('for a service account, or by a client that carries less than its user', async () => {
    const script = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
    const asked = { body: { name: 'CI', days: 1 } }
    expect(await script.call(path, asked)).toMatchObject({ status: 403, body: { code: 'personal-token.people-only' } })
    const redirectUri = 'http://elsewhere.example/back'
    const client = { clientId: 'narrow', publicClient: true, redirectUris: [redirectUri], fullScopeAllowed: false }
    await directory.post('/clients', { ...client, protocolMappers: [portalAudience] })
    const boss = await world.personWith({ realmRoles: ['quayside-admin'] })
    const { access_token } = await signInAsPerson(world, boss, { clientId: 'narrow', redirectUri })
    expect(await callsOf(world, access_token).call(path, asked)).toMatchObject({
      status: 403,
      body: { code: 'personal-token.people-only' },
    })
  })

  test('more than fifty at a time, also of many that are asked for at once', async () => {
    const person = await personWith('quayside-member')
    await inDatabase(
      `insert into personal_token (id, tenant_id, user_id, name, digest, read_only, expires_at)
       select 'made' || n, tenants.id, $1, 'CI', 'made' || n, false, now() + interval '1 day'
       from tenants, generate_series(1, 45) n`,
      person.id,
    )
    const made = await Promise.all(
      Array.from({ length: 20 }, () => person.call<{ code?: string }>(path, { body: { name: 'CI', days: 1 } })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(made.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { code: 'personal-token.too-many' },
    })
  })

  test('by guessing: wrong ones are refused alike, and soon not looked at any more', async () => {
    const { secret } = await make(member)
    const wrong = [`${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`, 'qsp_', `qsp_${'a'.repeat(46)}`]
    for (const token of wrong) expect(await statusAt(replica, token)).toBe(401)
    for (let left = 110; left > 0; left -= 1) await statusAt(replica, wrong[0] ?? '')
    expect(await statusAt(replica, wrong[0] ?? '')).toBe(429)
  })
})
