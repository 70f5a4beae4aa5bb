import type { AppLink, AppLinkInput } from '@quayside/contract/app-links/endpoints'
import { longestUrl, mostTags } from '@quayside/contract/app-links/rules'
import { longest } from '@quayside/contract/http/limits'
import type { ListReply } from '@quayside/contract/http/paging'
import { socketPath } from '@quayside/contract/live/names'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const path = '/portal-api/v2/applinks'
const apps = 'quayside-portal-ui-apps'

let world: World
/** Keeps the links. */
let keeper: string
/** Reads them on the page of apps, and no more. */
let reader: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  keeper = await world.tokenFor({ clientRoles: { [apps]: ['access', 'apps.create'] } })
  reader = await world.tokenFor({ clientRoles: { [apps]: ['access'] } })
})
afterAll(() => world?.close())

type Init = NonNullable<Parameters<World['api']>[1]>

async function call<T = AppLink>(address = '', init: Init = {}) {
  const answer = await world.api(path + address, { token: keeper, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
}

let made = 0
const next = () => {
  made += 1
  return `Link ${made}`
}
const wiki = (more: object = {}) => ({ name: next(), url: 'https://wiki.example.org/start', ...more })
const add = (body: unknown) => call('', { body })
const change = (id: string, body: unknown) => call(`/${id}`, { method: 'PUT', body })
const listed = async (query = '', token = reader) => (await call<ListReply<AppLink>>(query, { token })).body
const read = async (id: string) => (await listed('?page.limit=1000')).data.find((one) => one.id === id)

const calls: [method: string, rest: string, body?: AppLinkInput][] = [
  ['GET', ''],
  ['POST', '', { name: 'Nobody', url: 'https://wiki.example.org' }],
  ['PUT', '/nothing', { name: 'Nobody', url: 'https://wiki.example.org' }],
  ['DELETE', '/nothing'],
  ['PUT', '/nothing/tags/a'],
  ['DELETE', '/nothing/tags/a'],
]

describe('who may', () => {
  test.each(calls)('%s %s wants a token', async (method, rest, body) => {
    expect((await world.api(path + rest, { method, body })).status).toBe(401)
  })

  test('everybody of the tenant reads them', async () => {
    const { id } = (await add(wiki())).body
    const nobody = await world.tokenFor({})
    expect((await listed('?page.limit=1000', nobody)).data.map((one) => one.id)).toContain(id)
  })

  test.each(calls.slice(1))('%s %s wants apps.create', async (method, rest, body) => {
    expect(await call(rest, { method, body, token: reader })).toMatchObject({
      status: 403,
      body: { code: 'auth.forbidden', details: { needs: [{ section: 'apps', role: 'apps.create' }] } },
    })
  })
})

describe('bad input', () => {
  test.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['blanks for a name', { name: ' \t ' }, 'name'],
    ['a name of nothing that is shown', { name: '\u200d\u200d' }, 'name'],
    ['a name with a space of no width', { name: 'Wi\u200bki' }, 'name'],
    ['a name that turns around', { name: 'gro.\u202eelpmaxe' }, 'name'],
    ['a name with a zero', { name: 'Wi\0ki' }, 'name'],
    ['a name over two lines', { name: 'Wi\nki' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(longest.displayName + 1) }, 'name'],
    ['no address', { url: undefined }, 'url'],
    ['an empty address', { url: '' }, 'url'],
    ['a script', { url: 'javascript:alert(document.cookie)' }, 'url'],
    ['a script in odd letters', { url: ' JaVaScRiPt:alert(1)' }, 'url'],
    ['a script with a line end in it', { url: 'java\nscript:alert(1)' }, 'url'],
    ['a script behind an address', { url: 'javascript://wiki.example.org/%0aalert(1)' }, 'url'],
    ['data', { url: 'data:text/html,<script>alert(1)</script>' }, 'url'],
    ['a file', { url: 'file:///etc/passwd' }, 'url'],
    ['a page inside of another protocol', { url: 'view-source:https://wiki.example.org' }, 'url'],
    ['no protocol', { url: 'wiki.example.org' }, 'url'],
    ['the protocol of the page', { url: '//wiki.example.org' }, 'url'],
    ['no host', { url: 'https://' }, 'url'],
    ['a port that there is not', { url: 'https://wiki.example.org:99999' }, 'url'],
    ['a user and a password', { url: 'https://mara:secret@wiki.example.org' }, 'url'],
    ['a user that looks like a host', { url: 'https://bank.example.org@wiki.example.org' }, 'url'],
    ['an address with a blank', { url: 'https://wiki.example.org/a b' }, 'url'],
    ['an address with what cannot be seen', { url: 'https://wiki.example.org/\u200b' }, 'url'],
    ['an address that is too long', { url: `https://wiki.example.org/${'x'.repeat(longestUrl)}` }, 'url'],
    ['an address that becomes too long', { url: `https://wiki.example.org/${'語'.repeat(longestUrl - 100)}` }, 'url'],
    ['a long description', { description: 'x'.repeat(longest.description + 1) }, 'description'],
    ['a word as a colour', { color: 'red' }, 'color'],
    ['a style as a colour', { color: '#112233;background:url(//x)' }, 'color'],
    ['an empty tag', { tags: ['a', ' '] }, 'tags.1'],
    ['too many tags', { tags: Array.from({ length: mostTags + 1 }, (_, at) => `t${at}`) }, 'tags'],
    ['one text as tags', { tags: 'a' }, 'tags'],
  ])('%s', async (_, wrong, field) => {
    const { id, name } = (await add(wiki())).body
    const body = { ...wiki(), ...wrong }
    expect(await add(body)).toMatchObject({ status: 400, body: { code: 'request.invalid', field } })
    expect(await change(id, body)).toMatchObject({ status: 400, body: { code: 'request.invalid', field } })
    expect((await read(id))?.name).toBe(name)
  })

  test.each(['id', 'tenantId', 'tenant_id', 'createdBy', 'updatedAt', '__proto__x'])(
    'the field %s, which a link does not take',
    async (field) => {
      const answer = await add({ ...wiki(), [field]: 'mine' })
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } })
      expect(JSON.stringify(answer.body)).toContain(field)
    },
  )

  test('a body that is larger than any link', async () => {
    expect((await add(wiki({ description: 'x'.repeat(3_000_000) }))).status).toBe(413)
  })

  test.each(['a%00b', '%20', 'x'.repeat(41), 'a%E2%80%8Bb'])('the tag %s', async (tag) => {
    const { id } = (await add(wiki())).body
    expect(await call(`/${id}/tags/${tag}`, { method: 'PUT' })).toMatchObject({ status: 400, body: { field: 'tag' } })
  })

  test('a form of another site, which no browser asks for before it sends it', async () => {
    const { total } = (await listed()).page
    const body = JSON.stringify(wiki())
    const headers = { origin: 'https://evil.example.org', cookie: `token=${keeper}` }
    const types = {
      'text/plain': 400,
      'application/x-www-form-urlencoded': 415,
      'multipart/form-data; boundary=x': 400,
    }
    for (const [type, refused] of Object.entries(types)) {
      const init = { method: 'POST', body, headers: { ...headers, 'content-type': type } }
      expect((await fetch(world.url + path, init)).status, type).toBe(401)
      const signed = { ...init.headers, authorization: `Bearer ${keeper}` }
      expect((await fetch(world.url + path, { ...init, headers: signed })).status, type).toBe(refused)
    }
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const preflight = await fetch(world.url + path, { method: 'OPTIONS', headers: { ...headers, ...asked } })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect((await listed()).page.total).toBe(total)
  })
})

describe('a link', () => {
  test('is made, changed and deleted', async () => {
    const sent = { description: ' Where it is written down ', color: '#3b6fd4', tags: ['docs', 'team', 'docs'] }
    const { status, body: link } = await add({ ...sent, name: '  Handbook ', url: 'HTTPS://Wiki.Example.ORG:443' })
    expect(status).toBe(201)
    expect(link).toEqual({
      ...{ id: link.id, name: 'Handbook', url: 'https://wiki.example.org/', description: 'Where it is written down' },
      ...{ color: '#3b6fd4', tags: ['docs', 'team'], createdBy: link.updatedBy, createdAt: link.updatedAt },
      ...{ updatedAt: expect.stringMatching(/Z$/), updatedBy: expect.stringMatching(/^service-account-/) },
    })
    expect(await read(link.id)).toEqual(link)

    const { body: changed } = await change(link.id, { name: 'Handbook', url: 'http://wiki.example.org/new' })
    expect(changed).toEqual({ ...link, url: 'http://wiki.example.org/new', updatedAt: changed.updatedAt })
    const emptied = { name: 'Handbook', url: changed.url, description: '', color: null, tags: [] }
    expect((await change(link.id, emptied)).body).toMatchObject(emptied)

    expect((await call(`/${link.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await call(`/${link.id}`, { method: 'DELETE' })).toMatchObject({
      status: 404,
      body: { code: 'app-link.not-found' },
    })
    expect(await read(link.id)).toBeUndefined()
  })

  test('says who has changed it and when, but not for a change of nothing', async () => {
    const { body: link } = await add(wiki({ tags: ['a'] }))
    const other = await world.tokenFor({ clientRoles: { [apps]: ['access', 'apps.create'] } })
    const same = { name: link.name, url: link.url }
    expect((await call(`/${link.id}`, { method: 'PUT', body: same, token: other })).body).toEqual(link)
    expect((await call(`/${link.id}/tags/a`, { method: 'PUT', token: other })).body).toEqual(link)
    const { body: changed } = await call(`/${link.id}/tags/b`, { method: 'PUT', token: other })
    expect(changed.createdBy).toBe(link.createdBy)
    expect(changed.updatedBy).not.toBe(link.updatedBy)
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(link.updatedAt))
  })

  test('has a name that no other link looks like', async () => {
    const { name } = (await add(wiki())).body
    const { body: other } = await add(wiki())
    const taken = { status: 409, body: { code: 'app-link.name-taken', field: 'name' } }
    const [first, ...rest] = name
    for (const like of [name, name.toUpperCase(), `${first}\u200d${rest.join('')}`, name.replace(' ', '\u2003')]) {
      expect(await add(wiki({ name: like })), JSON.stringify(like)).toMatchObject(taken)
      expect(await change(other.id, wiki({ name: like })), JSON.stringify(like)).toMatchObject(taken)
    }
    expect(await read(other.id)).toEqual(other)
    // Its own name in another case is no other link's.
    expect((await change(other.id, { name: other.name.toUpperCase(), url: other.url })).status).toBe(200)
  })

  test('of one name is made once, however many ask at the same moment', async () => {
    const name = next()
    const answers = await Promise.all(Array.from({ length: 12 }, () => add(wiki({ name }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  })

  test('keeps all tags that are added at the same moment, and has 30 at most', async () => {
    const { body: link } = await add(wiki())
    const tags = Array.from({ length: mostTags + 3 }, (_, at) => `tag ${at}`)
    const answers = await Promise.all(
      tags.map((tag) => call(`/${link.id}/tags/${encodeURIComponent(tag)}`, { method: 'PUT' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(mostTags)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { code: 'app-link.too-many-tags', field: 'tag' },
    })
    expect((await read(link.id))?.tags).toHaveLength(mostTags)
  })

  test('gets and loses tags, whatever stands in them', async () => {
    const { body: link } = await add(wiki())
    for (const tag of ['50% off', 'a/b', 'ends; here', 'عربي']) {
      const address = `/${link.id}/tags/${encodeURIComponent(tag)}`
      expect((await call(address, { method: 'PUT', body: tag })).body.tags, tag).toEqual([tag])
      expect(await call(address, { method: 'PUT', body: 'another' })).toMatchObject({
        status: 400,
        body: { field: 'tag' },
      })
      expect((await call(address, { method: 'DELETE' })).body.tags, tag).toEqual([])
      expect((await call(address, { method: 'DELETE' })).status, tag).toBe(200)
    }
  })
})

test('another tenant has links of its own, and finds none of these', async () => {
  const { body: link } = await add(wiki())
  const replica = await world.addReplica({ realm: 'abroad' })
  await replica.close()
  const token = await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] })
  expect(await listed('', token)).toMatchObject({ data: [], page: { total: 0 } })
  const asked: [string, string, object?][] = [
    ['PUT', `/${link.id}`, wiki()],
    ['DELETE', `/${link.id}`],
    ['PUT', `/${link.id}/tags/theirs`],
    ['DELETE', `/${link.id}/tags/theirs`],
  ]
  for (const [method, rest, body] of asked)
    expect(await call(rest, { method, body, token })).toMatchObject({
      status: 404,
      body: { code: 'app-link.not-found' },
    })
  // The name is free there.
  expect((await call('', { body: { name: link.name, url: link.url }, token })).status).toBe(201)
  expect(await read(link.id)).toEqual(link)
})

test('every change is told at once', async () => {
  const socket = io(world.url, { path: socketPath, auth: { token: reader }, forceNew: true })
  const heard: unknown[] = []
  socket.on('changed', (note) => heard.push(note))
  const hears = () => vi.waitFor(() => expect(heard.splice(0)).toContainEqual({ topic: 'app-links' }))
  try {
    await vi.waitFor(() => expect(socket.connected).toBe(true))
    socket.emit('watch', { topic: 'app-links' })
    let id = ''
    await vi.waitFor(async () => {
      id = (await add(wiki())).body.id
      expect(heard.length).toBeGreaterThan(0)
    })
    await hears()
    for (const again of [
      () => change(id, wiki()),
      () => call(`/${id}/tags/a`, { method: 'PUT' }),
      () => call(`/${id}/tags/a`, { method: 'DELETE' }),
      () => call(`/${id}`, { method: 'DELETE' }),
    ]) {
      heard.length = 0
      await again()
      await hears()
    }
  } finally {
    socket.disconnect()
  }
})

test('10,000 links are sorted, searched and paged', async () => {
  const before = (await listed()).page.total
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant', '*', false)`)
    await client.query(`insert into app_links
      (id, tenant_id, name, name_key, url, description, tags, created_by, updated_by)
      select 'many' || n, t.id, 'Many ' || lpad(n::text, 5, '0'), 'many ' || lpad(n::text, 5, '0'), 'https://x.org/', '',
        array[case when n % 100 = 0 then 'rare' else 'common' end], 'mara', 'mara'
      from generate_series(0, 9999) n, tenants t where t.realm = '${world.realm}'`)
  } finally {
    await client.end()
  }
  const page = await listed('?search=many;sort.name=DESC;page.skip=9990;page.limit=50')
  expect(page.page).toEqual({ skip: 9990, limit: 50, total: 10_000 })
  expect(page.data.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, at) => `Many 0000${9 - at}`))
  expect((await listed('?filters.tag=rare;page.limit=1')).page.total).toBe(100)
  expect((await listed()).page.total).toBe(before + 10_000)
  expect((await listed('?search=many 04')).data[0]?.name).toBe('Many 04000')
})
