import { describe, expect, it } from 'vitest'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../platform/http/errors.ts'
import { factsOf, lookAt } from './health.ts'

const node = (name: string, ready: boolean): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }],
  },
})
const requests = (cpu: string, memory: string) => ({ resources: { requests: { cpu, memory } } })
const pod = (spec: object): KubeObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec })

function answering(lists: Record<string, KubeObject[]>): ClusterConnection {
  const connection: Partial<ClusterConnection> = {
    version: async () => ({ gitVersion: 'v1.35.0' }),
    list: async (resource) => lists[resource] ?? [],
    get: async () => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'kube-system', uid: 'of-this-cluster' },
    }),
  }
  return connection as ClusterConnection
}

describe('a look at a cluster', () => {
  it('adds up what there is and what is asked for', () => {
    const pods = [
      pod({ containers: [requests('100m', '64Mi'), requests('200m', '64Mi')] }),
      pod({ containers: [requests('100m', '1Mi')], initContainers: [requests('1', '1Mi')] }),
      pod({}),
    ]
    expect(factsOf([node('a', true), node('b', false)], pods)).toEqual({
      nodes: { ready: 1, total: 2 },
      capacity: { cpuMillis: 8000, memoryBytes: 16 * 1024 ** 3, pods: 220 },
      requested: { cpuMillis: 1300, memoryBytes: 129 * 1024 ** 2, pods: 3 },
    })
  })

  it('is healthy, or says what is not', async () => {
    const well = await lookAt(answering({ 'v1/nodes': [node('a', true)] }))
    expect(well.report).toMatchObject({ health: 'healthy', version: 'v1.35.0', health_message: null })
    const ill = await lookAt(answering({ 'v1/nodes': [node('a', true), node('b', false)] }))
    expect(ill.report).toMatchObject({ health: 'degraded', health_message: '1 of 2 nodes are ready' })
    const dead = await lookAt({
      version: () => Promise.reject(fail('cluster.unreachable')),
    } as unknown as ClusterConnection)
    expect(dead.report).toMatchObject({ health: 'unreachable', version: null })
    expect(dead.checks).toMatchObject([{ name: 'API server', state: 'failed' }])
  })
})
