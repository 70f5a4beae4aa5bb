import { expect, test } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { demandsOf, type Surroundings } from './demand.ts'

const nothing: Surroundings = { defaultRequests: {}, defaultClass: 'standard', nodes: 3 }
const of = (manifest: string, around: Partial<Surroundings> = {}) =>
  demandsOf(readManifest(manifest), { ...nothing, ...around })
const span = (low: number, expected = low, high = expected) => ({ low, expected, high })

const deployment = (container: string, more = '') => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  ${more}
  template: { spec: { containers: [{ name: web, ${container} }] } }
`
const cpuOf = (manifest: string, around?: Partial<Surroundings>) =>
  of(manifest, around).demands.find(({ resource }) => resource === 'cpu')?.amount

test('replicas times requests', () => {
  const manifest = deployment('resources: { requests: { cpu: 250m, memory: 512Mi } }', 'replicas: 4')
  expect(of(manifest)).toEqual({
    leftOut: [],
    demands: [
      { object: 'Deployment web', resource: 'cpu', storageClass: null, amount: span(1) },
      { object: 'Deployment web', resource: 'memory', storageClass: null, amount: span(2 ** 31) },
    ],
  })
})

test('a limit alone is the request, a limit range gives the rest, and what has none is left out by name', () => {
  expect(cpuOf(deployment('resources: { limits: { cpu: 2 } }'))).toEqual(span(2))
  expect(cpuOf(deployment('image: a'), { defaultRequests: { cpu: '100m' } })).toEqual(span(0.1))
  expect(of(deployment('image: a')).leftOut).toEqual([
    { object: 'Deployment web', container: 'web', why: 'no-cpu-request' },
    { object: 'Deployment web', container: 'web', why: 'no-memory-request' },
  ])
})

test.each([
  ['', 2, 2, 6],
  ['replicas: 4', 2, 4, 6],
  ['replicas: 1', 2, 2, 6],
  ['replicas: 9', 2, 6, 6],
])('an autoscaler decides how many run (%s)', (replicas, low, expected, high) => {
  const scaler = `
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 6 }
`
  expect(cpuOf(deployment('resources: { requests: { cpu: 1 } }', replicas) + scaler)).toEqual(span(low, expected, high))
})

test('claims of each copy, of pods and by themselves, each with its class', () => {
  const claims = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 3
  template:
    spec:
      containers: []
      volumes: [{ name: scratch, ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: 1Gi } } } } } }]
  volumeClaimTemplates: [{ spec: { storageClassName: fast, resources: { requests: { storage: 10Gi } } } }]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: files }
spec: { resources: { requests: { storage: 5Gi } } }
`
  expect(
    of(claims).demands.map(({ object, storageClass, amount }) => [object, storageClass, amount.low / 2 ** 30]),
  ).toEqual([
    ['StatefulSet db', 'fast', 30],
    ['StatefulSet db', 'standard', 3],
    ['PersistentVolumeClaim files', 'standard', 5],
  ])
})

test('load balancers count, daemons run on each node, sidecars go on running, and hooks and jobs end', () => {
  const manifest = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer }
---
apiVersion: v1
kind: Service
metadata: { name: inner }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  template:
    spec:
      containers: [{ name: a, resources: { requests: { cpu: 1, memory: 1 } } }]
      initContainers:
        - { name: side, restartPolicy: Always, resources: { requests: { cpu: 1, memory: 1 } } }
        - { name: first, resources: { requests: { cpu: 8, memory: 8 } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly }
---
apiVersion: v1
kind: Pod
metadata: { name: try, annotations: { helm.sh/hook: test } }
spec: { containers: [{ name: a, resources: { requests: { cpu: 1, memory: 1 } } }] }
`
  const { demands, leftOut } = of(manifest)
  expect(demands.map(({ object, resource, amount }) => [object, resource, amount.expected])).toEqual([
    ['Service web', 'loadBalancer', 1],
    ['DaemonSet agent', 'cpu', 6],
    ['DaemonSet agent', 'memory', 6],
  ])
  expect(leftOut).toEqual([{ object: 'CronJob nightly', container: null, why: 'runs-for-a-time' }])
})
