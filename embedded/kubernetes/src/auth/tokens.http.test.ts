import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../cluster.test-support.ts'

const DAY = 24 * 3600
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
let api: TestCluster

beforeAll(async () => {
  api = await testCluster({ maxTokenSeconds: DAY })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }
  await api.call('POST', ACCOUNTS, { body: account })
})
afterAll(() => api[Symbol.asyncDispose]())

const ask = (spec: object) => api.call('POST', `${ACCOUNTS}/robot/token`, { body: { spec } })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

test('where a cluster limits tokens, one that is asked for ten years lives for as long as it may, and says so', async () => {
  const years = 10 * 365 * DAY
  const { code, headers, body } = await ask({ expirationSeconds: years })
  expect(code).toBe(201)
  expect(headers.warning).toBe(`299 - "requested expiration of ${years} seconds shortened to ${DAY} seconds"`)
  expect(body.spec.expirationSeconds).toBe(DAY)
  const { exp, iat } = claimsOf(body.status.token)
  expect(exp - iat).toBe(DAY)
  expect(Math.abs(Date.parse(body.status.expirationTimestamp) / 1000 - exp)).toBeLessThanOrEqual(1)
})

test('one that asks for less gets what it asks for', async () => {
  const { headers, body } = await ask({ expirationSeconds: 1200 })
  expect(headers.warning).toBeUndefined()
  expect(body.spec.expirationSeconds).toBe(1200)
})

test('a token that is bound dies with its object at once, also after a restart', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lock' } }
  await api.call('POST', '/api/v1/namespaces/default/secrets', { body: secret })
  const { body } = await ask({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'lock' } })
  const { token } = body.status
  const use = async () => (await api.call('GET', '/api/v1/namespaces/default/pods', { token })).code
  expect(await use()).toBe(403)
  await api.restart()
  expect(await use()).toBe(403)
  await api.call('DELETE', '/api/v1/namespaces/default/secrets/lock')
  expect(await use()).toBe(401)
  await api.call('POST', '/api/v1/namespaces/default/secrets', { body: secret })
  expect(await use()).toBe(401)
})
