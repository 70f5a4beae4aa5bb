import { createHmac } from 'node:crypto'
import type { ErrorReply } from '@quayside/contract/http/errors'
import type { SavedWebhook, Webhook, WebhookDelivery } from '@quayside/contract/webhooks/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Receiver, startReceiver } from './testing/receiver.ts'

const path = '/im/v1/webhooks'
const typedSecret = `whsec_${Buffer.alloc(24, 'quay').toString('base64')}`
const patience = { timeout: 20_000, interval: 100 }

let world: World
let database: pg.Client
let receiver: Receiver
/** Takes connections and never answers. */
let dead: Receiver
/** Not among the addresses that the operator allows. */
let inside: Receiver
let admin: ReturnType<typeof callsOf>
let space: { id: string }
let other: { id: string }

beforeAll(async () => {
  ;[receiver, dead, inside] = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
  dead.answer = () => undefined
  world = await World.start({
    cluster: false,
    env: {
      QUAYSIDE_ALLOWED_ADDRESSES: [receiver, dead].map(({ port }) => `127.0.0.1:${port}`).join(','),
      QUAYSIDE_OUTAGE_SECONDS: '1',
    },
  })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const make = (displayName: string) =>
    admin.good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName, clusterIds: [], members: [] } })
  ;[space, other] = [await make('Harbour'), await make('Quarry')]
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  await database.query(`set app.tenant = '*'`)
})
afterAll(async () => {
  await database?.end()
  await world?.close()
  await Promise.all([receiver, dead, inside].map((one) => one?.close()))
})

let made = 0
const input = (more: object = {}) => {
  made += 1
  return { name: `Hook ${made}`, url: `${receiver.url}/hook-${made}`, events: ['action-failed'], ...more }
}
const add = (more: object = {}) => admin.good<SavedWebhook>(path, { body: input(more) })
const remove = (id: string) => admin.good(`${path}/${id}`, { method: 'DELETE' })
const one = async (id: string) => (await admin.good<{ data: Webhook[] }>(path)).data.find((each) => each.id === id)
const deliveries = async (id: string) =>
  (await admin.good<{ data: WebhookDelivery[] }>(`${path}/${id}/deliveries`)).data
const got = (hook: Webhook) => receiver.got.filter((each) => each.path === new URL(hook.url).pathname)
const ids = (hook: Webhook) => got(hook).map(({ headers }) => headers['webhook-id'])

/** Writes the end of an action into the ledger, as the worker does. */
async function ends(
  id: string,
  { in: where = space as { id: string } | null, kind = 'Upgrade', state = 'Failed' } = {},
) {
  await database.query(
    `insert into action (id, tenant_id, kind, state, app_id, app_name, started_by, started_by_id, digest, input, space_id,
       space_name, result, final_at)
     select $1, id, $4, $5, 'crane01', 'Crane', 'ines', 'nobody', 'd', 'sealed', $2, 'Harbour', $3, now() from tenants limit 1`,
    [id, where?.id ?? null, JSON.stringify({ summary: `${id} has no image` }), kind, state],
  )
}

/** Writes an app that is degraded, as the sweep of apps does. */
async function makeApp(id: string) {
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'apps' and is_nullable = 'NO' and column_default is null and data_type = 'text'`,
  )
  const known: Record<string, string> = { space_id: space.id, state: 'degraded' }
  const names = columns.rows.map(({ name }) => name).filter((name) => name !== 'tenant_id')
  await database.query(
    `insert into apps (tenant_id, ${names.join(', ')}, tags, resource_roles, state_message)
     select id, ${names.map((_, at) => `$${at + 1}`).join(', ')}, '{}', '{}', 'No pod runs' from tenants limit 1`,
    names.map((name) => known[name] ?? id),
  )
}

/** Time passes for what waits. */
const becomesDue = (id: string) =>
  database.query(`update webhook_delivery set next_at = now() where webhook_id = $1 and state = 'waiting'`, [id])

const signatureOf = ({ headers, body }: Receiver['got'][number], secret: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`

describe('the door', () => {
  const calls: [string, string, object?][] = [
    ['GET', path],
    ['POST', path, {}],
    ['PUT', `${path}/any`, {}],
    ['DELETE', `${path}/any`],
    ['POST', `${path}/any/test`],
    ['GET', `${path}/any/deliveries`],
  ]
  it.each(calls)('%s %s wants a token, and the role that changes settings of the tenant', async (method, at, body) => {
    const init = { method, ...(body ? { body } : {}) }
    expect((await world.api(at, init)).status).toBe(401)
    const looksOn = { 'quayside-portal-ui-iam-loginsettings': ['access', 'loginsettings.view'] }
    expect((await world.api(at, { ...init, token: await world.tokenFor({ clientRoles: looksOn }) })).status).toBe(403)
  })

  it.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ url: 'hooks.example.org' }, 'url'],
    [{ url: 'https://user:word@hooks.example.org' }, 'url'],
    [{ url: 'http://hooks.example.org' }, 'url'],
    [{ url: 'https://10.0.0.7/hook' }, 'url'],
    [{ url: 'https://[::1]/hook' }, 'url'],
    [{ url: 'http://169.254.169.254/latest' }, 'url'],
    [{ signing: 'typed' }, 'secret'],
    [{ signing: 'typed', secret: 'password' }, 'secret'],
    [{ signing: 'none', secret: typedSecret }, 'secret'],
    [{ signing: 'keep' }, 'signing'],
    [{ events: [] }, 'events'],
    [{ events: ['all'] }, 'events.0'],
    [{ spaceIds: [] }, 'spaceIds'],
  ])('%o is refused by the name of its field', async (more, field) => {
    const { status, body } = await admin.call<ErrorReply>(path, { body: input(more) })
    expect([status, body.field]).toEqual([400, field])
  })

  it('a space that is not there is not found', async () => {
    const { status, body } = await admin.call<ErrorReply>(path, { body: input({ spaceIds: ['nowhere'] }) })
    expect([status, body.code, body.field]).toEqual([404, 'space.not-found', 'spaceIds'])
  })

  it('a name stands once, and what is not there is not found', async () => {
    const hook = await add()
    const { status, body } = await admin.call<ErrorReply>(path, { body: input({ name: hook.name.toUpperCase() }) })
    expect([status, body.field]).toEqual([409, 'name'])
    await remove(hook.id)
    expect((await admin.call(`${path}/${hook.id}/deliveries`)).status).toBe(404)
    expect((await admin.call(`${path}/${hook.id}/test`, { method: 'POST' })).status).toBe(404)
    expect((await admin.call(`${path}/${hook.id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('switching one on or off leaves the rest as it is', async () => {
    const hook = await add({ spaceIds: [space.id] })
    const change = input({
      name: hook.name,
      url: hook.url,
      signing: 'none',
      spaceIds: [other.id],
      events: ['app-health'],
    })
    const changed = await admin.good<SavedWebhook>(`${path}/${hook.id}`, { method: 'PUT', body: change })
    const off = await admin.good<Webhook>(`${path}/${hook.id}`, { method: 'PATCH', body: { enabled: false } })
    const { secret: _, ...whole } = changed
    expect(off).toEqual({ ...whole, enabled: false })
    const { status, body } = await admin.call<ErrorReply>(`${path}/${hook.id}`, {
      method: 'PATCH',
      body: { enabled: true, name: 'Other' },
    })
    expect([status, body.field]).toEqual([400, 'body'])
    expect(body.message).toContain('name')
    await remove(hook.id)
    const gone = { method: 'PATCH', body: { enabled: true } }
    expect((await admin.call(`${path}/${hook.id}`, gone)).status).toBe(404)
  })

  it('nobody points a webhook at apps that they do not see', async () => {
    const roles = { 'quayside-portal-ui-iam-loginsettings': ['access', 'loginsettings.edit'] }
    const blind = callsOf(world, await world.tokenFor({ clientRoles: roles }))
    const refused = async (at: string, method: string, more: object) =>
      (await blind.call<ErrorReply>(at, { method, body: input(more) })).body.code
    for (const spaceIds of [null, [space.id]])
      expect(await refused(path, 'POST', { spaceIds })).toBe('webhook.unseen-spaces')
    const hook = await add({ spaceIds: [space.id] })
    const keep = { name: hook.name, url: hook.url, spaceIds: [space.id] }
    expect(await refused(`${path}/${hook.id}`, 'PUT', { ...keep, url: `${receiver.url}/mine` })).toBe(
      'webhook.unseen-spaces',
    )
    expect(await refused(`${path}/${hook.id}`, 'PUT', { ...keep, spaceIds: [space.id, other.id] })).toBe(
      'webhook.unseen-spaces',
    )
    // They may switch it off all the same.
    const off = await blind.good<SavedWebhook>(`${path}/${hook.id}`, {
      method: 'PUT',
      body: input({ ...keep, enabled: false }),
    })
    expect(off).toMatchObject({ enabled: false, spaces: [{ id: space.id, name: null }] })
    await remove(hook.id)
  })
})

describe('somebody who lacks the apps of a space', () => {
  const roles = { 'quayside-portal-ui-iam-loginsettings': ['access', 'loginsettings.edit'] }
  type Who = ReturnType<typeof callsOf>
  const blind = async () => {
    const token = await world.tokenFor({ clientRoles: roles })
    return { ...callsOf(world, token), id: decodeJwt(token).sub ?? '' }
  }
  const letIn = (who: { id: string }, where: { id: string }, more: object = {}) =>
    admin.good(`/portal-api/v3/spaces/${where.id}/permissions`, {
      body: { principal: { type: 'user', id: who.id }, role: 'viewer', ...more },
    })
  const put = (hook: Webhook, more: object) => ({ method: 'PUT', body: input({ name: hook.name, ...more }) })

  it('gets no message that waits by taking the address over', async () => {
    const [who, hook] = [await blind(), await add({ spaceIds: [space.id] })]
    await letIn(who, other)
    receiver.answer = () => ({ status: 500 })
    await ends('waits-in-harbour')
    await expect.poll(async () => (await one(hook.id))?.waiting, patience).toBe(1)
    await expect.poll(() => got(hook).length, patience).toBe(1)
    receiver.answer = () => ({ status: 204 })
    const taken = await who.good<SavedWebhook>(
      `${path}/${hook.id}`,
      put(hook, { url: `${receiver.url}/mine`, spaceIds: [other.id] }),
    )
    expect(taken.waiting).toBe(0)
    await becomesDue(hook.id)
    await ends('in-quarry-then', { in: other })
    await expect.poll(() => ids(taken), patience).toEqual(['in-quarry-then'])
    await remove(hook.id)
  })

  it('reads no delivery about them, neither its app nor what a receiver repeats', async () => {
    const [who, hook] = [await blind(), await add()]
    await letIn(who, other)
    receiver.answer = () => ({ status: 410, text: 'gone: Crane has no image' })
    await ends('unseen')
    await expect.poll(async () => (await one(hook.id))?.enabled, patience).toBe(false)
    receiver.answer = () => ({ status: 204 })
    await admin.good(`${path}/${hook.id}/test`, { method: 'POST' })
    const shown = async (to: Who) =>
      (await to.good<{ data: WebhookDelivery[] }>(`${path}/${hook.id}/deliveries`)).data.map(({ type }) => type)
    expect(await shown(admin)).toEqual(['quayside.webhook.test', 'quayside.action.failed'])
    expect(await shown(who)).toEqual(['quayside.webhook.test'])
    expect(JSON.stringify(await who.good(path))).not.toContain('no image')
    await remove(hook.id)
  })

  it('neither switches on again what another has switched off, nor has it tell of more', async () => {
    const [who, hook] = [await blind(), await add({ spaceIds: [space.id] })]
    const as = { url: hook.url, spaceIds: [space.id] }
    const change = (by: Who, more: object) => by.call<ErrorReply>(`${path}/${hook.id}`, put(hook, { ...as, ...more }))
    const refused = { status: 403, body: { code: 'webhook.unseen-spaces', field: 'spaceIds' } }
    expect(await change(who, { events: ['action-failed', 'action-finished'] })).toMatchObject(refused)
    expect((await change(admin, { enabled: false })).status).toBe(200)
    expect(await change(who, { enabled: true })).toMatchObject(refused)
    expect((await change(who, { enabled: false })).status).toBe(200)
    await remove(hook.id)
  })

  it('makes no webhook of a sight that ends', async () => {
    const who = await blind()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    await letIn(who, space, { expiresAt })
    expect(await who.call<ErrorReply>(path, { body: input({ spaceIds: [space.id] }) })).toMatchObject({
      status: 403,
      body: { code: 'auth.escalation', field: 'spaceIds' },
    })
    await letIn(who, other)
    const hook = await who.good<SavedWebhook>(path, { body: input({ spaceIds: [other.id] }) })
    expect(await who.call(`${path}/${hook.id}`, put(hook, { spaceIds: [space.id, other.id] }))).toMatchObject({
      status: 403,
      body: { code: 'auth.escalation' },
    })
    await remove(hook.id)
  })
})

describe('a secret', () => {
  it('is told once when the portal makes it, and lies sealed with the address', async () => {
    const hook = await add({ url: `${receiver.url}/secret?key=s3cr3t-key` })
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const kept = JSON.stringify([await one(hook.id), await deliveries(hook.id)])
    expect(kept).not.toContain(hook.secret)
    const rows = await database.query(
      'select w::text as row from webhook w union all select a::text from audit_entry a',
    )
    const text = JSON.stringify(rows.rows)
    for (const part of [hook.secret ?? '', 's3cr3t-key', typedSecret]) expect(text).not.toContain(part)
    await remove(hook.id)
  })

  it('that is typed signs, stays when it is kept, and is told to nobody', async () => {
    const hook = await add({ signing: 'typed', secret: typedSecret })
    expect([hook.secret, hook.isSigned]).toEqual([null, true])
    const body = input({ name: hook.name, url: hook.url, signing: 'keep' })
    const kept = await admin.good<SavedWebhook>(`${path}/${hook.id}`, { method: 'PUT', body })
    expect([kept.secret, kept.isSigned]).toEqual([null, true])
    await admin.good(`${path}/${hook.id}/test`, { method: 'POST' })
    const [message] = got(hook)
    expect(message?.headers['webhook-signature']).toBe(signatureOf(message as Receiver['got'][number], typedSecret))
    const none = await admin.good<SavedWebhook>(`${path}/${hook.id}`, {
      method: 'PUT',
      body: { ...body, signing: 'none' },
    })
    expect(none.isSigned).toBe(false)
    await admin.good(`${path}/${hook.id}/test`, { method: 'POST' })
    expect(got(hook).at(-1)?.headers).not.toHaveProperty('webhook-signature')
    await remove(hook.id)
  })
})

describe('a test', () => {
  const tried = (id: string) => admin.good<WebhookDelivery>(`${path}/${id}/test`, { method: 'POST' })

  it('says in plain words how the receiver answers, and follows no redirect', async () => {
    const hook = await add()
    const host = new URL(hook.url).host
    expect(await tried(hook.id)).toMatchObject({
      state: 'delivered',
      status: 204,
      says: `${host} took it (status 204).`,
    })
    receiver.answer = () => ({ status: 500, text: `no\nplace\u0000 left${'x'.repeat(5000)}` })
    const failed = await tried(hook.id)
    expect(failed.says).toMatch(/^127\.0\.0\.1:\d+ answers with status 500: “no place leftx+…”$/)
    expect(failed.says.length).toBeLessThan(260)
    receiver.answer = () => ({ status: 302, headers: { location: `${inside.url}/there` } })
    expect((await tried(hook.id)).says).toContain('sends on to another address (status 302)')
    expect(inside.got).toEqual([])
    receiver.answer = () => ({ status: 204 })
    expect((await deliveries(hook.id)).map(({ type, state }) => `${type} ${state}`)).toEqual([
      'quayside.webhook.test failed',
      'quayside.webhook.test failed',
      'quayside.webhook.test delivered',
    ])
    await remove(hook.id)
  })

  it('waits in a line that has an end, and many push no event out of sight', async () => {
    const hook = await add()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    receiver.answer = () => opened.then(() => ({ status: 204 }))
    const six = Array.from({ length: 6 }, () => admin.call(`${path}/${hook.id}/test`, { method: 'POST' }))
    // The others are not answered before the receiver is.
    expect((await Promise.race(six)).status).toBe(429)
    open()
    expect((await Promise.all(six)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    receiver.answer = () => ({ status: 204 })
    for (let sent = 0; sent < 6; sent += 1) await tried(hook.id)
    expect(await deliveries(hook.id)).toHaveLength(10)
    await remove(hook.id)
  })

  it('reaches nothing inside by a name, and tells nothing of what is there', async () => {
    const hook = await add({ url: `https://localhost:${inside.port}/hook` })
    expect((await tried(hook.id)).says).toBe(
      `Nobody answers at localhost:${inside.port}, or this portal may not ask there.`,
    )
    await remove(hook.id)
  })
})

describe('events', () => {
  test('are sent signed, each once, to who wants their kind and space', async () => {
    const failures = await add()
    const here = await add({ spaceIds: [space.id], events: ['action-failed', 'action-finished'] })
    await ends('in-harbour')
    await ends('in-quarry', { in: other })
    await ends('of-a-cluster', { in: null, kind: 'DeregisterCluster' })
    await ends('well-done', { state: 'Success', kind: 'Deploy' })
    await expect.poll(() => ids(failures).sort(), patience).toEqual(['in-harbour', 'in-quarry', 'of-a-cluster'])
    await expect.poll(() => ids(here).sort(), patience).toEqual(['in-harbour', 'well-done'])
    const message = got(failures).find(
      ({ headers }) => headers['webhook-id'] === 'in-harbour',
    ) as Receiver['got'][number]
    expect(message.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
    expect(message.headers['webhook-signature']).toBe(signatureOf(message, failures.secret ?? ''))
    expect(Math.abs(Number(message.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    const { data, ...event } = JSON.parse(message.body)
    expect(event).toMatchObject({
      specversion: '1.0',
      id: 'in-harbour',
      type: 'quayside.action.failed',
      subject: 'actions/in-harbour',
    })
    expect(data).toEqual({
      summary: 'in-harbour has no image',
      link: expect.stringMatching(/^http.*\/en\/cloud-automation\/in-harbour$/),
      app: { id: 'crane01', name: 'Crane' },
      space: { id: space.id, name: 'Harbour' },
      action: { id: 'in-harbour', kind: 'Upgrade', state: 'failed', about: 'Crane' },
    })
    // The next looks find the same rows of the ledger, and queue none of them again.
    await ends('later')
    await expect.poll(() => ids(failures).length, patience).toBe(4)
    expect(ids(here)).toHaveLength(3)
    await Promise.all([remove(failures.id), remove(here.id)])
  })

  test('of health come from the outages that the inbox knows', async () => {
    const hook = await add({ events: ['app-health'], spaceIds: [space.id] })
    await makeApp('crane02')
    const types = () => got(hook).map(({ body }) => JSON.parse(body).type)
    await expect.poll(types, patience).toEqual(['quayside.app.unhealthy'])
    expect(JSON.parse(got(hook)[0]?.body ?? '').data).toMatchObject({
      app: { id: 'crane02' },
      summary: 'No pod runs',
      action: null,
    })
    await database.query(`update apps set state = 'healthy' where id = 'crane02'`)
    await expect.poll(types, patience).toEqual(['quayside.app.unhealthy', 'quayside.app.healthy'])
    await database.query(`delete from apps where id = 'crane02'`)
    await remove(hook.id)
  }, 60_000)

  test('are sent again after a refusal, under the same id and with a signature of that time, until they arrive', async () => {
    const hook = await add({ events: ['action-failed'] })
    receiver.answer = () => ({ status: 500, text: 'busy' })
    await ends('again')
    await expect
      .poll(async () => (await deliveries(hook.id))[0], patience)
      .toMatchObject({
        ...{ id: 'again', state: 'waiting', attempts: 1, status: 500, about: 'Crane', type: 'quayside.action.failed' },
        nextAttemptAt: expect.any(String),
      })
    expect(await one(hook.id)).toMatchObject({ waiting: 1, enabled: true, lastAttempt: { isDelivered: false } })
    receiver.answer = () => ({ status: 204 })
    await becomesDue(hook.id)
    await expect
      .poll(async () => (await deliveries(hook.id))[0], patience)
      .toMatchObject({ state: 'delivered', attempts: 2, nextAttemptAt: null })
    const [first, second] = got(hook) as [Receiver['got'][number], Receiver['got'][number]]
    expect(ids(hook)).toEqual(['again', 'again'])
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-signature']).toBe(signatureOf(second, hook.secret ?? ''))
    expect(await one(hook.id)).toMatchObject({ waiting: 0, lastAttempt: { isDelivered: true } })
    await remove(hook.id)
  })

  test('a receiver that never answers holds up nobody, and a portal that is killed meanwhile sends again under the same id', async () => {
    const silent = await add({ url: `${dead.url}/silent` })
    await ends('first')
    await expect.poll(() => dead.got.length, patience).toBe(1)
    const alive = await add()
    await ends('second')
    await expect.poll(() => ids(alive), patience).toEqual(['second'])
    await world.restartPortal('SIGKILL')
    // The lease of the attempt ends, as it would after half a minute.
    await database.query(`update webhook set lease_until = now() where id = $1`, [silent.id])
    dead.answer = () => ({ status: 200 })
    await expect
      .poll(async () => (await deliveries(silent.id)).map(({ state }) => state), patience)
      .toEqual(['delivered', 'delivered'])
    expect(dead.got.map(({ headers }) => headers['webhook-id']).filter((id) => id === 'first')).toHaveLength(2)
    expect(ids(alive)).toEqual(['second'])
    dead.answer = () => undefined
    await Promise.all([remove(silent.id), remove(alive.id)])
  }, 60_000)

  test('an answer that comes when somebody else sends by now is written down by nobody', async () => {
    const late = Promise.withResolvers<{ status: number }>()
    dead.answer = () => late.promise
    const hook = await add({ url: `${dead.url}/late` })
    await ends('overtaken')
    await expect.poll(() => dead.got.filter(({ path: at }) => at === '/late').length, patience).toBe(1)
    const take = `update webhook set lease = 'another', lease_until = now() + interval '1 minute' where id = $1 returning id`
    expect((await database.query(take, [hook.id])).rowCount).toBe(1)
    late.resolve({ status: 200 })
    const alive = await add()
    await ends('after it')
    await expect.poll(() => ids(alive), patience).toEqual(['after it'])
    expect((await deliveries(hook.id)).filter(({ id }) => id === 'overtaken')).toMatchObject([
      { state: 'waiting', attempts: 0 },
    ])
    expect((await database.query(`select lease from webhook where id = $1`, [hook.id])).rows).toEqual([
      { lease: 'another' },
    ])
    dead.answer = () => undefined
    await Promise.all([remove(hook.id), remove(alive.id)])
  })

  test('a webhook whose events all fail is switched off and says so; while it is off nothing is kept for it', async () => {
    const hook = await add()
    receiver.answer = () => ({ status: 503 })
    await database.query('update webhook set given_up = 9 where id = $1', [hook.id])
    await ends('last')
    await expect.poll(async () => (await deliveries(hook.id))[0]?.attempts, patience).toBe(1)
    await database.query('update webhook_delivery set attempts = 5, next_at = now() where webhook_id = $1', [hook.id])
    await expect
      .poll(() => one(hook.id), patience)
      .toMatchObject({
        enabled: false,
        offReason: expect.stringMatching(
          /^10 events in a row could not be delivered\. The last answer: .* status 503\.$/,
        ),
      })
    expect((await deliveries(hook.id))[0]).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('Given up after 6 attempts.'),
    })
    await ends('unheard')
    receiver.answer = () => ({ status: 204 })
    const body = input({ name: hook.name, url: hook.url, signing: 'keep' })
    const on = await admin.good<SavedWebhook>(`${path}/${hook.id}`, { method: 'PUT', body })
    expect(on).toMatchObject({ enabled: true, offReason: null })
    await ends('heard')
    await expect.poll(() => ids(hook).includes('heard'), patience).toBe(true)
    expect(ids(hook)).not.toContain('unheard')
    await remove(hook.id)
  })

  test('at most a thousand wait: the oldest are dropped and counted', async () => {
    const hook = await add({ url: `${dead.url}/full`, spaceIds: [other.id] })
    await database.query(
      `insert into webhook_delivery (tenant_id, webhook_id, event_id, type, about, at, body, state, next_at)
       select tenant_id, id, 'old' || n, 't', 'a', now() - interval '1 day' + make_interval(secs => n), '{}', 'waiting', now() + interval '1 day'
       from webhook, generate_series(1, 1000) n where id = $1`,
      [hook.id],
    )
    await ends('newest', { in: other })
    await expect.poll(() => one(hook.id), patience).toMatchObject({ waiting: 1000, dropped: 1 })
    const { rows } = await database.query(
      `select event_id from webhook_delivery where webhook_id = $1 and state = 'dropped'`,
      [hook.id],
    )
    expect(rows).toEqual([{ event_id: 'old1' }])
    await remove(hook.id)
  })
})

test('another tenant sees nothing of a webhook, changes nothing, and is told nothing', async () => {
  const hook = await add()
  const abroad = await world.addReplica({ realm: 'abroad' })
  const stranger = callsOf(abroad, await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] }))
  expect(await stranger.good(path)).toEqual({ data: [] })
  const theirs = await stranger.good<SavedWebhook>(path, { body: input() })
  const put = { method: 'PUT', body: input() }
  expect((await stranger.call(`${path}/${hook.id}`, put)).status).toBe(404)
  expect((await stranger.call(`${path}/${hook.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await stranger.call(`${path}/${hook.id}/test`, { method: 'POST' })).status).toBe(404)
  expect((await stranger.call(`${path}/${hook.id}/deliveries`)).status).toBe(404)
  const { rows } = await database.query(`select tenant_id from webhook where id = $1`, [hook.id])
  await database.query(
    `insert into action (id, tenant_id, kind, state, app_name, started_by, started_by_id, digest, input, final_at)
     values ('ours', $1, 'Upgrade', 'Failed', 'Crane', 'ines', 'nobody', 'd', 'sealed', now())`,
    [rows[0].tenant_id],
  )
  await expect.poll(() => ids(hook), patience).toEqual(['ours'])
  expect(ids(theirs)).toEqual([])
  await abroad.close()
  await remove(hook.id)
}, 60_000)
