import type { Notice, Subscriptions } from '@quayside/contract/notifications/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/im/v1/notifications'
const whole = { 'action-failed': true, 'app-unhealthy': true, 'app-healthy': true, 'token-expiring': true }
type Caller = ReturnType<typeof callsOf> & { id: string }
type Inbox = { data: Notice[]; unread: number }

let world: World
let database: pg.Client
let space: { id: string }
let other: { id: string }
/** These may deploy in the space, may only look, have nothing to do with it, and see everything. */
let deployer: Caller
let viewer: Caller
let stranger: Caller
let admin: Caller

const callerOf = (token: string): Caller => ({ ...callsOf(world, token), id: decodeJwt(token).sub ?? '' })
const member = async () => callerOf(await world.tokenFor({ realmRoles: ['quayside-member'] }))
const inbox = (who: Caller) => who.good<Inbox>(path)
const told = async (who: Caller) => (await inbox(who)).data.map(({ kind, about }) => `${kind} ${about.name}`)

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_OUTAGE_SECONDS: '4' } })
  admin = callerOf(await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  ;[deployer, viewer, stranger] = await Promise.all([member(), member(), member()])
  const entry = ({ id }: Caller, role: string) => ({ principal: { type: 'user', id }, role })
  const make = (displayName: string, members: object[]) =>
    admin.good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName, clusterIds: [], members } })
  space = await make('Harbour', [entry(deployer, 'deployer'), entry(viewer, 'viewer')])
  other = await make('Quarry', [entry(deployer, 'deployer')])
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  await database.query(`set app.tenant = '*'`)
})
afterAll(async () => {
  await database?.end()
  await world?.close()
})

/** Writes a failure into the ledger, as an action that ends does. */
async function fails(id: string, by: Caller, { in: where = space, days = 0, aborted = false } = {}) {
  await database.query(
    `insert into action (id, tenant_id, kind, state, app_name, started_by, started_by_id, digest, input, space_id, space_name,
       aborted_by, result, final_at)
     select $1, id, 'Upgrade', 'Failed', $1, 'ines', $2, 'd', '', $3, 'Harbour', $4, $5, now() - make_interval(days => $6)
     from tenants`,
    [id, by.id, where.id, aborted ? 'ines' : null, JSON.stringify({ summary: `${id} has no image` }), days],
  )
}

async function makeApp(id: string, state: string) {
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'apps' and is_nullable = 'NO' and column_default is null and data_type = 'text'`,
  )
  const known: Record<string, string> = { id, space_id: space.id, display_name: id, state, name: id }
  const names = columns.rows.map(({ name }) => name).filter((name) => name !== 'tenant_id')
  const arrays = ['tags', 'resource_roles']
  await database.query(
    `insert into apps (tenant_id, ${[...names, ...arrays].join(', ')})
     select id, ${names.map((_, at) => `$${at + 1}`).join(', ')}, '{}', '{}' from tenants`,
    names.map((name) => known[name] ?? id),
  )
}
const setState = (id: string, state: string) =>
  database.query('update apps set state = $2, state_message = $3 where id = $1', [id, state, `${id} is ${state}`])

describe('an inbox', () => {
  test('is for who is signed in, and takes no marks of what nobody was told', async () => {
    expect((await world.api(path)).status).toBe(401)
    expect(await inbox(stranger)).toEqual({ data: [], unread: 0 })
    const mark = (id: string, body: object) => viewer.call<{ code: string }>(`${path}/${id}`, { method: 'PATCH', body })
    expect(await mark('nothing', { isRead: true })).toMatchObject({ status: 404, body: { code: 'notice.not-found' } })
    expect((await mark('nothing', { isRead: 'yes' })).status).toBe(400)
    const put = (body: object) => viewer.call('/im/v1/subscriptions', { method: 'PUT', body })
    expect((await put({ ...whole, more: true })).status).toBe(400)
  })

  test('has failures of own actions, and of those of others where one may act, for who may see them now', async () => {
    await fails('theirs', stranger)
    await fails('viewed', viewer)
    await fails('elsewhere', deployer, { in: other })
    await fails('stopped', deployer, { aborted: true })
    await fails('old', deployer, { days: 31 })
    const failed = (...names: string[]) => names.map((name) => `action-failed ${name}`)
    expect((await told(deployer)).sort()).toEqual(failed('elsewhere', 'theirs', 'viewed'))
    expect(await told(viewer)).toEqual(failed('viewed'))
    expect((await told(admin)).sort()).toEqual(failed('elsewhere', 'theirs', 'viewed'))
    // Somebody without the space is told nothing of it, not even of what they did there.
    expect(await told(stranger)).toEqual([])
    const [notice] = (await inbox(viewer)).data
    expect(notice).toMatchObject({ isRead: false, action: 'Upgrade', space: { id: space.id, name: 'Harbour' } })
    expect(notice?.says).toBe('viewed has no image')
    const list = `/portal-api/v3/spaces/${other.id}/permissions`
    const { data } = await admin.good<{ data: { id: string; principal: { id: string } }[] }>(list)
    const mine = data.find(({ principal }) => principal.id === deployer.id)
    await admin.good(`${list}/${mine?.id}`, { method: 'DELETE' })
    expect((await told(deployer)).sort()).toEqual(failed('theirs', 'viewed'))
  })

  test('counts what is unread; one is read and unread again, all are read at once, by each for themselves', async () => {
    const mark = (id: string, isRead: boolean) => deployer.good(`${path}/${id}`, { method: 'PATCH', body: { isRead } })
    const unread = async (who = deployer) => (await inbox(who)).unread
    expect(await unread()).toBe(2)
    await mark('theirs', true)
    expect(await unread()).toBe(1)
    await mark('theirs', false)
    expect(await unread()).toBe(2)
    await deployer.good(`${path}/read`, { method: 'POST' })
    expect([await unread(), await unread(admin)]).toEqual([0, 3])
    await mark('viewed', false)
    expect((await inbox(deployer)).data.map(({ id, isRead }) => [id, isRead]).sort()).toEqual([
      ['theirs', true],
      ['viewed', false],
    ])
    await fails('later', stranger)
    expect(await unread()).toBe(2)
  })

  test('is silent about what somebody does not want to hear', async () => {
    expect(await viewer.good<Subscriptions>('/im/v1/subscriptions')).toEqual(whole)
    const body = { ...whole, 'action-failed': false }
    expect(await viewer.good('/im/v1/subscriptions', { method: 'PUT', body })).toEqual(body)
    expect(await inbox(viewer)).toEqual({ data: [], unread: 0 })
    await viewer.good('/im/v1/subscriptions', { method: 'PUT', body: whole })
    expect(await told(viewer)).toEqual(['action-failed viewed'])
  })
})

test('an app that stays unhealthy is told of, and its recovery; one that wavers is not', async () => {
  await makeApp('wavers', 'degraded')
  await makeApp('breaks', 'healthy')
  const outages = async (id: string) =>
    (await database.query('select from app_outage where app_id = $1', [id])).rowCount
  await expect.poll(() => outages('wavers'), { timeout: 10_000 }).toBe(1)
  // The outage lasts for a second and is over, however slowly this test runs.
  await database.query(`with over as (update apps set state = 'healthy' where id = 'wavers')
    update app_outage set until = now(), since = now() - interval '1 second' where app_id = 'wavers'`)
  await setState('breaks', 'failed')
  const health = async (who: Caller) => (await told(who)).filter((each) => each.startsWith('app-'))
  const patience = { timeout: 20_000, interval: 300 }
  await expect.poll(() => health(viewer), patience).toEqual(['app-unhealthy breaks'])
  expect((await inbox(viewer)).data[0]).toMatchObject({ says: 'breaks is failed', space: { id: space.id } })
  expect(await health(stranger)).toEqual([])
  // One that goes on for longer than notices are kept stays in the inbox while it lasts.
  await database.query(`update app_outage set since = now() - interval '40 days' where app_id = 'breaks'`)
  expect(await health(viewer)).toEqual(['app-unhealthy breaks'])
  await setState('breaks', 'healthy')
  await expect.poll(() => health(viewer), patience).toEqual(['app-healthy breaks', 'app-unhealthy breaks'])
  expect(await outages('wavers')).toBe(0)
  await database.query(`delete from apps where id = 'breaks'`)
  expect(await health(admin)).toEqual([])
}, 60_000)

test('a personal token is told of a week before it expires, and brings its owner nothing of other spaces', async () => {
  const person = await world.personWith({ realmRoles: ['quayside-admin'] })
  const owner = callerOf((await signInAsPerson(world, person)).access_token)
  const make = (more: object) =>
    owner.good<{ id: string; secret: string }>('/iam/v3/account/tokens', { body: { name: 'Nightly', ...more } })
  const [long, narrow] = [await make({ days: 30 }), await make({ days: 1, spaceIds: [other.id] })]
  const mine = async (who: Caller) => (await inbox(who)).data.filter(({ kind }) => kind === 'token-expiring')
  expect(await mine(owner)).toEqual([])
  await database.query(
    `update personal_token set created_at = created_at - interval '27 days', expires_at = expires_at - interval '27 days'
     where id = $1`,
    [long.id],
  )
  expect(await mine(owner)).toMatchObject([{ about: { id: long.id, name: 'Nightly' }, space: null }])
  expect(await mine(admin)).toEqual([])
  // Its time lies before everything was read: it is unread until it is read itself.
  const isRead = async () => (await mine(owner)).map((one) => one.isRead)
  expect(await isRead()).toEqual([false])
  await owner.good(`${path}/read`, { method: 'POST' })
  expect(await isRead()).toEqual([true])
  await owner.good(`${path}/${long.id}-end`, { method: 'PATCH', body: { isRead: false } })
  expect(await isRead()).toEqual([false])
  await database.query(`update personal_token set expires_at = now() - interval '1 hour' where id = $1`, [long.id])
  expect(await mine(owner)).toEqual([])
  const script = callsOf(world, narrow.secret)
  const { data } = await script.good<Inbox>(path)
  expect(data.map(({ about }) => about.name)).toEqual(['elsewhere'])
  expect((await script.call(`${path}/read`, { method: 'POST' })).status).toBe(403)
})
