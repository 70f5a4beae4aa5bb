import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { collectorAt } from './collector.ts'

const received: { entries: Record<string, unknown>[]; authorization: string | undefined }[] = []
let answers = 503
const collector = createServer(async (request: IncomingMessage, response) => {
  const body = await text(request)
  const entries = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  if (answers === 200) received.push({ entries, authorization: request.headers.authorization })
  response.writeHead(answers).end()
})

let world: World
let admin: string
let operator: string
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/audit`
  world = await World.start({ cluster: false, env: { QUAYSIDE_AUDIT_URL: url, QUAYSIDE_AUDIT_TOKEN: 'collected' } })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  operator = await world.tokenFor({ realmRoles: ['quayside-operator'] })
})
afterAll(async () => {
  await world?.close()
  collector.close()
})

const log = async (query = '') =>
  (await callsOf(world, admin).good<{ data: AuditEntry[]; next: string | null }>(`/portal-api/v1/audit?${query}`)).data
const make = (displayName: string) =>
  callsOf(world, admin).good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName, clusterIds: [] } })

describe('the audit log', () => {
  test('is for who holds the right alone', async () => {
    for (const path of ['/portal-api/v1/audit', '/portal-api/v1/audit/export']) {
      expect((await world.api(path)).status).toBe(401)
      expect((await world.api(path, { token: operator })).status).toBe(403)
    }
    expect((await world.api('/portal-api/v1/audit?filters.outcome=odd', { token: admin })).status).toBe(400)
    expect((await world.api('/portal-api/v1/audit?filters.from=soon', { token: admin })).status).toBe(400)
  })

  test('has who made a thing, by which name, from where and by which client, as soon as that is answered', async () => {
    const { id } = await make('Harbour')
    const [entry] = await log('filters.capability=spaces')
    expect(entry).toMatchObject({
      ...{ call: 'POST /portal-api/v3/spaces', title: 'Make a space', name: 'Harbour', outcome: 'done', status: 201 },
      ...{ ipAddress: '127.0.0.1', about: { id, displayName: 'Harbour' }, code: null },
    })
    expect(entry?.who.username).toMatch(/^service-account-world-/)
    expect(entry?.client).toMatch(/^world-/)
  })

  test('knows the name of what was deleted', async () => {
    const { id } = await make('Quarry')
    expect((await world.api(`/portal-api/v3/spaces/${id}`, { method: 'DELETE', token: admin })).ok).toBe(true)
    const [deleted, made] = await log(`filters.about=${id}`)
    expect(deleted).toMatchObject({ title: 'Delete a space', name: 'Quarry', outcome: 'done' })
    expect(made).toMatchObject({ title: 'Make a space', name: 'Quarry' })
  })

  test('has what was refused for a missing right, by role and by scope, and nothing of what only reads', async () => {
    const { id } = await make('Cliff')
    const member = await world.tokenFor({ realmRoles: ['quayside-member'] })
    const before = (await log()).length
    const tries = [
      { path: '/iam/v3/users', body: { username: 'intruder' }, status: 403 },
      { path: `/portal-api/v3/spaces/${id}`, method: 'DELETE', status: 404 },
    ]
    for (const { path, status, ...call } of tries)
      expect((await world.api(path, { ...call, token: member })).status).toBe(status)
    await world.api('/portal-api/v2/spaces', { token: member })
    await world.api('/deployment/v1/convert/tojson', { token: admin, body: { config: [], originalYaml: 'a: 1' } })
    const now = await log('filters.outcome=refused')
    expect(now.slice(0, 2)).toMatchObject([
      { call: 'DELETE /portal-api/v3/spaces/:id', code: 'space.not-found', about: { id }, status: 404 },
      { call: 'POST /iam/v3/users', code: 'auth.forbidden', status: 403, about: {} },
    ])
    expect((await log()).length).toBe(before + 2)
  })

  test('finds a change of a member by the space, with whom it was about and what was given', async () => {
    const { good } = callsOf(world, admin)
    const { id } = await make('Shore')
    const { id: person } = await good<{ id: string }>('/iam/v3/users', { body: { username: 'shoreman' } })
    const list = `/portal-api/v3/spaces/${id}/permissions`
    const principal = { type: 'user', id: person }
    const entry = await good<{ id: string }>(list, { body: { principal, role: 'viewer' } })
    const changed = { id: entry.id, role: 'manager', owner: true, expiresAt: null }
    await good(list, { method: 'PUT', body: changed })
    const [change, grant] = await log(`filters.about=${id}`)
    expect(change).toMatchObject({
      ...{ call: 'PUT /portal-api/v3/spaces/:id/permissions', name: 'Shore' },
      about: {
        ...{ id, 'body.id': entry.id, role: 'manager', owner: 'true', expiresAt: 'never' },
        ...{ 'principal.id': person, 'principal.name': 'shoreman' },
      },
    })
    expect(grant).toMatchObject({ about: { id, 'answer.id': entry.id, 'principal.name': 'shoreman' } })
    const before = (await log(`filters.about=${person}`)).length
    const forged = { id: person, name: 'Forged', address: 'https://nobody.invalid', clientId: 'a', clientSecret: 'b' }
    expect((await world.api('/iam/v3/identity-providers', { token: admin, body: forged })).status).toBe(409)
    expect((await log())[0]).toMatchObject({ about: { 'body.id': person, name: 'Forged' } })
    expect(await log(`filters.about=${person}`)).toHaveLength(before)
  })

  test('has who was shown a mail with a link in it', async () => {
    const { good } = callsOf(world, admin)
    const { id: person } = await good<{ id: string }>('/iam/v3/users', {
      body: { username: 'addressee', email: 'addressee@example.org' },
    })
    await good(`/iam/v2/users/${person}/execute-actions-email`, { method: 'PUT', body: ['UPDATE_PASSWORD'] })
    const { data } = await good<{ data: { id: string }[] }>('/iam/v3/outbox')
    const path = `/iam/v3/outbox/${data[0]?.id}`
    await good(path)
    expect((await world.api(path, { token: operator })).status).toBe(403)
    expect(await log(`filters.about=${data[0]?.id}`)).toMatchObject([
      { call: 'GET /iam/v3/outbox/:id', outcome: 'refused' },
      { call: 'GET /iam/v3/outbox/:id', outcome: 'done', capability: 'mail' },
    ])
  })

  test('has a call whose texts end in half a character once they are cut, or hold a null character', async () => {
    const long = `${'x'.repeat(198)}😀bbbb`
    for (const name of [long, 'a\0b']) {
      const path = `/cluster/v1/clusters/${encodeURIComponent(name)}`
      expect((await world.api(path, { method: 'DELETE', token: operator })).status).toBe(403)
      expect((await log())[0]).toMatchObject({
        ...{ call: 'DELETE /cluster/v1/clusters/:id', outcome: 'refused' },
        about: { id: expect.stringMatching(/^(x{198}|a)\ufffd/) },
      })
    }
    const body = { role: 'clusters:clusters.edit', reason: long, hours: 1 }
    const member = await world.tokenFor({ realmRoles: ['quayside-member'] })
    expect((await world.api('/portal-api/v3/role-requests', { token: member, body })).status).toBe(201)
    expect((await log())[0]).toMatchObject({ about: { reason: expect.stringMatching(/^x{198}\ufffd/) } })
  })

  test('holds no secret of what was sent or answered', async () => {
    const created = await callsOf(world, admin).good<{ id: string; clientSecret?: string; secret?: string }>(
      '/iam/v3/users',
      { body: { username: 'secretive', password: { value: 'Correct-horse-9-battery', temporary: false } } },
    )
    const client = await callsOf(world, admin).good<Record<string, string>>('/iam/v2/clients', {
      body: { clientId: 'audited-script', realmRoles: ['quayside-viewer'] },
    })
    const all = JSON.stringify(await log('page.limit=100'))
    expect(all).toContain(created.id)
    expect(all).not.toContain('Correct-horse-9-battery')
    for (const [name, value] of Object.entries(client)) if (/secret/i.test(name)) expect(all, name).not.toContain(value)
  })

  test('is paged, searched by title, and exported whole', async () => {
    const first = await callsOf(world, admin).good<{ data: AuditEntry[]; next: string }>(
      '/portal-api/v1/audit?page.limit=2',
    )
    const second = await callsOf(world, admin).good<{ data: AuditEntry[] }>(first.next)
    const all = await log('page.limit=100')
    expect([...first.data, ...second.data.slice(0, 2)].map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id))
    const found = await log('search=delete%20a%20space')
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ title }) => title === 'Delete a space')).toBe(true)
    const ndjson = await world.api('/portal-api/v1/audit/export', { token: admin })
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="audit.ndjson"')
    const lines = (await ndjson.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry)
    expect(lines.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    const csv = await world.api('/portal-api/v1/audit/export?format=csv&search=Quarry', { token: admin })
    const [head, ...rows] = (await csv.text()).trim().split('\r\n')
    expect(head).toMatch(/^When,Who,/)
    expect(rows).toHaveLength(2)
  })

  test('is that of the own tenant alone', async () => {
    const other = await world.addReplica({ realm: 'elsewhere' })
    const token = await world.tokenFor({ realm: 'elsewhere', realmRoles: ['quayside-admin'] })
    const answer = await other.api('/portal-api/v1/audit', { token })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { data: AuditEntry[] }).data).toEqual([])
    await other.close()
  })

  test('has a call whose portal was killed meanwhile, with an end that nobody knows', async () => {
    const holder = new pg.Client({ connectionString: world.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table spaces in share mode')
    const calling = make('Half-way').catch(() => undefined)
    const isWaitedFor = async () => {
      const { rows } = await holder.query(`select from pg_locks where not granted and relation = 'spaces'::regclass`)
      return rows.length > 0
    }
    await vi.waitFor(async () => expect(await isWaitedFor()).toBe(true), 20_000)
    await world.restartPortal('SIGKILL')
    await holder.end()
    await calling
    const [entry] = await log('search=Half-way')
    expect(entry).toMatchObject({ title: 'Make a space', outcome: 'running', status: null })
  })
})

describe('a collector', () => {
  test('that was away gets everything once it is back, in order, with the tenant', async () => {
    answers = 200
    const last = await make('Collected')
    const taken = () => received.flatMap(({ entries }) => entries)
    await vi.waitFor(() => expect(JSON.stringify(taken())).toContain(last.id), 20_000)
    expect(received[0]?.authorization).toBe('Bearer collected')
    const ids = taken().map(({ id }) => String(id))
    expect(ids).toEqual([...ids].sort())
    expect(new Set(taken().map(({ tenant }) => tenant))).toEqual(new Set(['demo']))
    expect(taken()).toContainEqual(expect.objectContaining({ title: 'Delete a space', outcome: 'done' }))
  })

  test('that speaks syslog gets frames', async () => {
    const [entry] = await log()
    const got: Promise<string>[] = []
    const syslog = createTcpServer((socket) => got.push(text(socket)))
    syslog.listen(0, '127.0.0.1')
    await once(syslog, 'listening')
    const { port } = syslog.address() as AddressInfo
    await collectorAt({ url: `syslog://127.0.0.1:${port}`, token: undefined })([
      { ...(entry as AuditEntry), tenant: 'demo' },
    ])
    await vi.waitFor(() => expect(got).toHaveLength(1))
    expect(await got[0]).toMatch(/^\d+ <11\d>1 20/)
    syslog.close()
    await expect(
      collectorAt({ url: `syslog://127.0.0.1:${port}`, token: undefined })([
        { ...(entry as AuditEntry), tenant: 'demo' },
      ]),
    ).rejects.toThrow()
  })
})
