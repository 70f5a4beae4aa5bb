import { readFileSync } from 'node:fs'
import { socketPath } from '@quayside/contract/live/names'
import { World } from '@quayside/embedded/world'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiDocument, type Case, casesOf, shownOf } from './openapi-cases.ts'

let world: World
let token: string
let document: ApiDocument
let ids: Record<string, string>

/** `HOSTILE=all` asks everything, else one request in 19: each value, and each operation. */
const every = process.env.HOSTILE === 'all' ? 1 : 19
const patienceMs = every === 1 ? 1_800_000 : 300_000

/** Texts and values that have broken servers: their parsers, their databases, their regular expressions. */
const hostile: readonly unknown[] = [
  'a\0b',
  '\u001b[2J',
  '\ud800',
  `${'a'.repeat(3000)}!`,
  "'; drop table apps; --",
  '%00',
  '%',
  '../../../etc/passwd',
  '__proto__',
  '\u202eevil\u2066',
  '',
  ' ',
  '-1',
  '99999999999999999999',
  'NaN',
  '1e400',
  -1,
  2 ** 53,
  1.5,
  true,
  null,
  [],
  [null],
  {},
  { __proto__: null, constructor: { prototype: { admin: true } } },
]

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { LOG_LEVEL: 'error' } })
  token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  document = (await (await world.api('/openapi.json')).json()) as ApiDocument
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await made('/cluster/v1/clusters', { displayName: 'Here', kubeconfig })
  const space = await made('/portal-api/v3/spaces', { displayName: 'Team', clusterIds: [cluster] })
  ids = { spaces: space, clusters: cluster, realm: world.realm }
})
afterAll(() => world?.close())

async function made(path: string, body: object): Promise<string> {
  const answer = await world.api(path, { token, body })
  expect(answer.ok, `${path}: ${await answer.clone().text()}`).toBe(true)
  return ((await answer.json()) as { id: string }).id
}

const limitMs = 15_000

async function answerTo({ method, path, body }: Case): Promise<number> {
  const answer = await fetch(world.url + path, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(limitMs),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  await answer.body?.cancel()
  return answer.status
}

/** Statuses 5xx that are no fault of the portal: the call needs something that is not there. */
const elsewhere = new Set([501, 502, 503])

test('no value in any place of any call is an error of the portal', { timeout: patienceMs }, async () => {
  const cases = casesOf({ document, hostile, ids, every })
  const broken: string[] = []
  const operations = new Set<string>()
  const untried = new Set(hostile.map(shownOf))
  let count = 0
  const ask = async () => {
    for (const one of cases) {
      // Deletions run only against ids that do not exist, because the other calls need the things that do.
      if (one.method === 'DELETE' && Object.values(ids).some((id) => one.path.includes(id))) continue
      count += 1
      operations.add(one.about.split(': ')[0] ?? '')
      untried.delete(one.about.split(' is ').at(-1) ?? '')
      const status = await answerTo(one).catch((error: unknown) => String(error))
      if (typeof status === 'string' || (status >= 500 && !elsewhere.has(status))) broken.push(`${status} ${one.about}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, ask))
  expect(broken).toEqual([])
  expect(operations.size).toBeGreaterThan(80)
  expect([...untried]).toEqual([])
  expect(count).toBeGreaterThan(20_000 / every)
  expect((await world.api('/readyz')).status).toBe(200)
})

test.each([
  ['an app that is to change nothing', 'PATCH', '/portal-api/v2/apps/abc1234', {}, 404],
  ['a search for a zero', 'GET', '/portal-api/v2/apps?search=%00', undefined, 400],
  ['a space named with a zero', 'POST', '/portal-api/v3/spaces', { displayName: 'a\0b' }, 400],
  ['a space named over two lines', 'POST', '/portal-api/v3/spaces', { displayName: 'a\nb' }, 400],
  ['a tag with a zero', 'PUT', '/portal-api/v2/apps/abc1234/tags/a%00b', undefined, 400],
  ['a filter named with a zero', 'GET', '/catalog/v2/items?filters.a%00b=c', undefined, 400],
] as const)('%s is answered', async (_, method, path, body, status) => {
  const answer = await world.api(path, { token, method, body })
  expect(answer.status).toBe(status)
})

test('a socket that names no text is told so', async () => {
  const socket = io(world.url, { path: socketPath, auth: { token }, transports: ['websocket'] })
  try {
    const hostile = ['a\0b', '\ud800', { releaseName: 'a\0b' }, { releaseName: 'a', actionId: '\0' }]
    for (const asked of hostile)
      expect(await socket.timeout(limitMs).emitWithAck('register', asked), JSON.stringify(asked)).toMatchObject({
        ok: false,
        code: 'request.invalid',
      })
  } finally {
    socket.disconnect()
  }
})

test('a socket that sends something else where an answer would go does not end the portal', async () => {
  const socket = io(world.url, { path: socketPath, auth: { token }, transports: ['websocket'], reconnection: false })
  try {
    for (const name of ['register', 'token', 'watch', 'deregister'])
      for (const odd of ['no function', 1, {}, [null]]) socket.emit(name, 'app', odd)
    expect(await socket.timeout(limitMs).emitWithAck('register', 'app')).toMatchObject({ ok: true })
    expect((await world.api('/readyz')).status).toBe(200)
  } finally {
    socket.disconnect()
  }
})
