import { expect, test } from 'vitest'
import type { ClusterUse } from '../../clusters/index.ts'
import { releaseKey, samplesOf } from './samples.ts'

const amounts = (usage: number | null, requests: number | null = null, limits: number | null = null) => ({
  usage,
  requests,
  limits,
})
const container = (name: string, cpu: ReturnType<typeof amounts>) => ({ name, cpu, memory: amounts(null) })

const use: Pick<ClusterUse, 'pods' | 'nodes'> = {
  pods: [
    {
      ...{ namespace: 'shop-1', name: 'web-a', release: 'web' },
      containers: [container('web', amounts(0.25, 0.5, 1)), container('proxy', amounts(0.25, 0.25))],
    },
    { namespace: 'shop-1', name: 'web-b', release: 'web', containers: [container('web', amounts(null, 0.5, 1))] },
    { namespace: 'shop-1', name: 'by-hand', release: 'unknown', containers: [container('one', amounts(0.5, null, 2))] },
    { namespace: 'elsewhere', name: 'other', release: 'web', containers: [container('one', amounts(8))] },
  ],
  nodes: [{ name: 'node-1', cpu: { usage: 1.5, capacity: 4 }, memory: { usage: 2, capacity: null } }],
}
const seen = {
  ...{ tenantId: 'demo', clusterId: 'c1', use },
  spaces: new Map([['shop-1', 's1']]),
  apps: new Map([[releaseKey('shop-1', 'web'), 'a1']]),
  whole: { requests: { cpu: 2, memory: 3 }, capacity: { cpu: 4, memory: 8 } },
}

const written = samplesOf(seen).map(({ labels: { __name__, ...labels }, value }) => ({ name: __name__, labels, value }))
const named = (name: string) => written.filter((one) => one.name === `quayside_${name}`)
const inSpace = { tenant: 'demo', cluster: 'c1', space: 's1', namespace: 'shop-1' }
const inApp = { ...inSpace, app: 'a1', release: 'web' }

test('an app and a space are the sums of their pods', () => {
  expect(named('app_cpu_usage_cores')).toEqual([{ name: 'quayside_app_cpu_usage_cores', labels: inApp, value: 0.5 }])
  expect(named('app_cpu_requests_cores')[0]?.value).toBe(1.25)
  expect(named('space_cpu_usage_cores')).toEqual([
    { name: 'quayside_space_cpu_usage_cores', labels: inSpace, value: 1 },
  ])
})

test('a limit is told where every container has one', () => {
  expect(named('app_cpu_limits_cores')).toEqual([])
  const limits = named('pod_cpu_limits_cores').map(({ labels, value }) => [labels.pod, value])
  expect(limits).toEqual([
    ['web-b', 1],
    ['by-hand', 2],
  ])
})

test('a pod that is not measured yet uses nothing that is known', () => {
  expect(named('pod_cpu_usage_cores').map(({ labels }) => labels.pod)).toEqual(['web-a', 'by-hand'])
  expect(named('app_memory_usage_bytes')).toEqual([])
})

test('a namespace that is no space of the tenant is left out', () => {
  expect(JSON.stringify(written)).not.toContain('elsewhere')
})

test('nodes and the cluster have what is used, requested and to be had', () => {
  expect(named('node_cpu_capacity_cores')).toMatchObject([{ labels: { node: 'node-1' }, value: 4 }])
  expect(named('node_memory_capacity_bytes')).toEqual([])
  expect(named('cluster_cpu_usage_cores')).toMatchObject([{ labels: { tenant: 'demo', cluster: 'c1' }, value: 1.5 }])
  expect(named('cluster_memory_requests_bytes')[0]?.value).toBe(3)
})

test('of very many pods the sums are kept alone', () => {
  const many = Array.from({ length: 16_000 }, (_, at) => ({
    ...{ namespace: 'shop-1', name: `web-${at}`, release: 'web' },
    containers: [container('web', amounts(0.5))],
  }))
  const samples = samplesOf({ ...seen, use: { pods: many, nodes: [] } })
  expect(samples.some(({ labels }) => labels.pod !== undefined)).toBe(false)
  expect(samples.find(({ labels }) => labels.__name__ === 'quayside_app_cpu_usage_cores')?.value).toBe(8000)
})
