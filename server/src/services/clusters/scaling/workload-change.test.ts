import { expect, it } from 'vitest'
import { withChange, wordsOf } from './workload-change.ts'

const now = new Date('2026-02-03T04:05:06Z')
const web = () => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '7' },
  spec: {
    replicas: 2,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        serviceAccountName: 'web',
        containers: [
          { name: 'web', image: 'nginx', resources: { limits: { cpu: '1', 'nvidia.com/gpu': '1' } } },
          { name: 'proxy', image: 'envoy' },
        ],
      },
    },
  },
})
const none = { cpu: null, memory: null }

it('sets replicas and nothing else', () => {
  const changed = withChange(web(), { set: 'replicas', kind: 'Deployment', name: 'web', replicas: 0 }, now)
  expect(changed).toEqual({ ...web(), spec: { ...web().spec, replicas: 0 } })
})

it('replaces CPU and memory of one container and keeps what else it asks for', () => {
  const change = {
    set: 'limits',
    kind: 'Deployment',
    name: 'web',
    container: 'web',
    requests: { cpu: '100m', memory: null },
    limits: { cpu: null, memory: '1Gi' },
  } as const
  expect(withChange(web(), change, now)).toMatchObject({
    spec: {
      template: {
        spec: {
          serviceAccountName: 'web',
          containers: [
            {
              image: 'nginx',
              resources: { requests: { cpu: '100m' }, limits: { 'nvidia.com/gpu': '1', memory: '1Gi' } },
            },
            { name: 'proxy', image: 'envoy' },
          ],
        },
      },
    },
  })
  expect(JSON.stringify(withChange(web(), change, now))).not.toContain('"cpu":"1"')
  expect(withChange(web(), { ...change, container: 'absent' }, now)).toBeUndefined()
})

it('restarts as kubectl does, with the labels kept', () => {
  const changed = withChange(web(), { set: 'restart', kind: 'Deployment', name: 'web' }, now)
  expect(changed).toMatchObject({
    spec: {
      template: {
        metadata: {
          labels: { app: 'web' },
          annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-02-03T04:05:06.000Z' },
        },
      },
    },
  })
})

it.each([
  [{ set: 'replicas', kind: 'Deployment', name: 'web', replicas: 1 } as const, 'Deployment web is scaled to 1 replica'],
  [{ set: 'restart', kind: 'StatefulSet', name: 'db' } as const, 'StatefulSet db is restarted'],
  [
    {
      set: 'limits',
      kind: 'Deployment',
      name: 'web',
      container: 'proxy',
      requests: none,
      limits: { cpu: '2', memory: '1Gi' },
    } as const,
    'Container proxy of Deployment web now has requests none, limits 2 CPU and 1Gi memory',
  ],
])('%o in words', (change, words) => expect(wordsOf(change)).toBe(words))
