import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../cluster.test-support.ts'

let api: TestCluster
const HOME = '/api/v1/namespaces/team'

beforeAll(async () => {
  api = await testCluster()
  const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name } })
  await api.call('POST', '/api/v1/namespaces', { body: named('Namespace', 'team') })
  await api.call('POST', `${HOME}/serviceaccounts`, { body: named('ServiceAccount', 'default') })
})
afterAll(() => api[Symbol.asyncDispose]())

const pod = (name: string, resources?: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx', resources }] },
})

test('a quota refuses what goes beyond it, in the words of Kubernetes', async () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { pods: 2, 'requests.cpu': '1' } },
  }
  await api.call('POST', `${HOME}/resourcequotas`, { body: quota })
  const silent = await api.call('POST', `${HOME}/pods`, { body: pod('silent') })
  expect(silent.body.message).toBe('pods "silent" is forbidden: failed quota: q: must specify requests.cpu for: main')
  const ask = (name: string, cpu: string) =>
    api.call('POST', `${HOME}/pods`, { body: pod(name, { requests: { cpu } }) })
  expect((await ask('first', '600m')).code).toBe(201)
  expect((await ask('second', '600m')).body.message).toBe(
    'pods "second" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  )
  await api.call('DELETE', `${HOME}/pods/first`)
  expect((await ask('second', '600m')).code).toBe(201)
  await api.call('DELETE', `${HOME}/resourcequotas/q`)
})

test('a limit range gives amounts to those who name none, and bounds those who do', async () => {
  const limit = {
    type: 'Container',
    default: { memory: '256Mi' },
    defaultRequest: { memory: '128Mi' },
    max: { memory: '1Gi' },
  }
  const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'r' }, spec: { limits: [limit] } }
  await api.call('POST', `${HOME}/limitranges`, { body: range })
  const given = await api.call('POST', `${HOME}/pods`, { body: pod('given') })
  expect(given.body.spec.containers[0].resources).toEqual({
    limits: { memory: '256Mi' },
    requests: { memory: '128Mi' },
  })
  const greedy = await api.call('POST', `${HOME}/pods`, { body: pod('greedy', { limits: { memory: '2Gi' } }) })
  expect(greedy.body.message).toBe(
    'pods "greedy" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
  )
  const before = { name: 'before', image: 'registry.example/before:1', resources: { limits: { memory: '3Gi' } } }
  const early = pod('early', { limits: { memory: '1Gi' } })
  const first = await api.call('POST', `${HOME}/pods`, {
    body: { ...early, spec: { ...early.spec, initContainers: [before] } },
  })
  expect(first.body.message).toBe(
    'pods "early" is forbidden: maximum memory usage per Container is 1Gi, but limit is 3Gi',
  )
})
