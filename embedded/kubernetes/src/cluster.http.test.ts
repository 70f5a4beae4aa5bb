import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from './cluster.test-support.ts'

let slow: TestCluster
let fast: TestCluster

beforeAll(async () => {
  slow = await testCluster({ workloads: true, speed: 1 })
  fast = await testCluster({ workloads: true, speed: 100 })
})
afterAll(async () => {
  await slow[Symbol.asyncDispose]()
  await fast[Symbol.asyncDispose]()
})

const MAPS = '/api/v1/namespaces/default/configmaps'

test('two clusters in one process share neither objects nor keys', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } }
  expect((await slow.call('POST', MAPS, { body })).code).toBe(201)
  expect((await fast.call('GET', `${MAPS}/mine`)).code).toBe(404)
  const token = /token: "?([^"\s]+)/.exec(slow.cluster.kubeconfig)?.[1] ?? null
  expect((await slow.call('GET', MAPS, { token })).code).toBe(200)
  expect((await fast.call('GET', MAPS, { token })).code).toBe(401)
})

test('each has a speed of its own', async () => {
  const since = { slow: slow.cluster.clock.now(), fast: fast.cluster.clock.now() }
  const deadline = Date.now() + 5_000
  while (slow.cluster.clock.now() - since.slow < 50 && Date.now() < deadline)
    await new Promise((next) => setTimeout(next, 5))
  expect(fast.cluster.clock.now() - since.fast).toBeGreaterThan(20 * (slow.cluster.clock.now() - since.slow))
})
