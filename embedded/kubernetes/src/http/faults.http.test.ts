import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../cluster.test-support.ts'

let api: TestCluster

beforeAll(async () => {
  api = await testCluster({ workloads: true, speed: 50 })
})
afterAll(() => api[Symbol.asyncDispose]())
afterEach(() => api.call('DELETE', '/quayside/faults'))

const MAPS = '/api/v1/namespaces/default/configmaps'
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
const ask = async (fault: object) => {
  expect((await api.call('POST', '/quayside/faults', { body: fault })).code).toBe(201)
}
const isThere = async (name: string) => (await api.call('GET', `${MAPS}/${name}`)).code === 200

test('slow: the answer comes, later, and to what is meant alone', async () => {
  await ask({ kind: 'slow', resource: 'configmaps', milliseconds: 300, count: 1 })
  expect((await api.call('GET', '/api/v1/nodes')).code).toBe(200)
  const since = performance.now()
  expect((await api.call('GET', MAPS)).code).toBe(200)
  expect(performance.now() - since).toBeGreaterThan(290)
})

test('429 and 500: refused in the words of the API, with the time to wait, and nothing is done', async () => {
  await ask({ kind: 'too-many-requests', method: 'POST', resource: 'configmaps', milliseconds: 3000, count: 1 })
  const many = await api.call('POST', MAPS, { body: map('many') })
  expect([many.code, many.headers['retry-after'], many.body.reason]).toEqual([429, '3', 'TooManyRequests'])
  await ask({ kind: 'server-error', method: 'POST', resource: 'configmaps', count: 1 })
  expect((await api.call('POST', MAPS, { body: map('many') })).body).toMatchObject({
    code: 500,
    reason: 'InternalError',
  })
  expect(await isThere('many')).toBe(false)
  expect((await api.call('POST', MAPS, { body: map('many') })).code).toBe(201)
})

test('reset: the connection breaks and nothing is done', async () => {
  await ask({ kind: 'reset', method: 'POST', resource: 'configmaps', count: 1 })
  await expect(api.call('POST', MAPS, { body: map('reset') })).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await isThere('reset')).toBe(false)
})

test('lost reply: it is done, and nobody hears of it', async () => {
  await ask({ kind: 'lost-reply', method: 'POST', resource: 'configmaps', count: 1 })
  await expect(api.call('POST', MAPS, { body: map('lost') })).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await isThere('lost')).toBe(true)
})

test('hang: no answer comes until the client leaves, and others are answered meanwhile', async () => {
  await ask({ kind: 'hang', resource: 'secrets', name: 'held', count: 1 })
  let answered = false
  const held = api.call('GET', '/api/v1/namespaces/default/secrets/held').then(
    () => {
      answered = true
    },
    () => undefined,
  )
  for (let round = 0; round < 5; round += 1) expect((await api.call('GET', MAPS)).code).toBe(200)
  expect(answered).toBe(false)
  await api.restart()
  await held
  expect(answered).toBe(false)
})

test('a fault that is none is refused, and only administrators ask for one', async () => {
  expect((await api.call('POST', '/quayside/faults', { body: { kind: 'odd' } })).code).toBe(400)
  expect((await api.call('GET', '/quayside/faults', { token: null })).code).toBe(401)
})

test('curl asks with `-d` alone, without saying that it sends JSON', async () => {
  const type = 'application/x-www-form-urlencoded'
  const body = { kind: 'server-error', resource: 'configmaps', count: 1 }
  expect((await api.call('POST', '/quayside/faults', { body, type })).code).toBe(201)
  expect((await api.call('GET', MAPS)).code).toBe(500)
  expect((await api.call('POST', MAPS, { body: map('form'), type })).code).toBe(415)
})

async function until(name: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within 10 s: ${name}`)
    await new Promise((next) => setTimeout(next, 20))
  }
}

const statusOf = (node: { status: { conditions: { type: string; status: string }[] } }) =>
  node.status.conditions.find(({ type }) => type === 'Ready')?.status

test('a node goes down and comes back by an annotation', async () => {
  const path = '/api/v1/nodes/sandbox-1'
  const mark = (fault: string | null) =>
    api.call('PATCH', path, {
      type: 'application/merge-patch+json',
      body: { metadata: { annotations: { 'sandbox.quayside.io/fault': fault } } },
    })
  const is = (status: string) => async () => statusOf((await api.call('GET', path)).body) === status
  await mark('node-down')
  await until('down', is('Unknown'))
  await mark(null)
  await until('back', is('True'))
})

test('a pool of nodes grows and shrinks; pods of nodes that go come up elsewhere', async () => {
  const pools = async () => (await api.call('GET', '/quayside/node-pools')).body.items
  expect(await pools()).toMatchObject([{ name: 'sandbox', count: 3, cpu: '16', memory: '64Gi' }])
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '8' } } }] },
  }
  const body = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 8, selector: { matchLabels: { app: 'web' } }, template },
  }
  expect((await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', { body })).code).toBe(201)
  const ready = async () =>
    (await api.call('GET', '/apis/apps/v1/namespaces/default/deployments/web')).body.status?.readyReplicas
  await until('six fit', async () => (await ready()) === 6)
  expect((await api.call('PUT', '/quayside/node-pools/sandbox', { body: { count: 5 } })).code).toBe(200)
  await until('eight fit', async () => (await ready()) === 8)
  await api.call('PUT', '/quayside/node-pools/large', { body: { count: 2, cpu: '64', memory: '256Gi' } })
  await api.call('PUT', '/quayside/node-pools/sandbox', { body: { count: 1 } })
  await until('moved', async () => (await ready()) === 8)
  expect((await api.call('GET', '/api/v1/nodes')).body.items).toHaveLength(3)
  expect((await api.call('PUT', '/quayside/node-pools/sandbox', { body: { count: -1 } })).code).toBe(400)
})
