import { expect, test } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { demandOf, limitLines, quotaLines } from './quota-check.ts'

const manifest = (replicas: number, cpu = '500m') =>
  readManifest(`# Source: web/templates/all.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - name: web
          resources: { requests: { cpu: ${cpu}, memory: 1Gi }, limits: { cpu: 2 } }
---
# Source: web/templates/all.yaml
apiVersion: v1
kind: Service
metadata:
  name: web
`)
const quota = (hard: object, used: object, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'small' },
  spec: { hard, ...spec },
  status: { hard, used },
})

test('what all copies take is held against what is left', () => {
  expect(Object.fromEntries(demandOf(manifest(3)))).toMatchObject({
    pods: 3,
    'requests.cpu': 1.5,
    'limits.cpu': 6,
    services: 1,
  })
  const quotas = [
    quota({ 'requests.cpu': '2', memory: '4Gi', pods: '10' }, { 'requests.cpu': '1', memory: '1Gi', pods: '1' }),
  ]
  expect(quotaLines(quotas, manifest(2), [])).toEqual([])
  expect(quotaLines(quotas, manifest(4), []).map(({ message }) => message)).toEqual([
    'Quota small: requests.cpu: 2 more needed, 1 of 2 left',
    'Quota small: memory: 4096Mi more needed, 3072Mi of 4Gi left',
  ])
})

test('an upgrade needs only what it adds', () => {
  const quotas = [quota({ pods: '3' }, { pods: '3' })]
  expect(quotaLines(quotas, manifest(3), manifest(3))).toEqual([])
  expect(quotaLines(quotas, manifest(4), manifest(3))).toHaveLength(1)
})

test('a quota that counts only some pods is left to the cluster', () => {
  expect(quotaLines([quota({ pods: '0' }, {}, { scopes: ['BestEffort'] })], manifest(1), [])).toEqual([])
})

test('a container keeps to the limits of the namespace', () => {
  const range = {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'r' },
    spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '600m' } }] },
  }
  expect(limitLines([range], manifest(1)).map(({ message }) => message)).toEqual([
    'Deployment web: container web: cpu 2, at most 1 is allowed',
    'Deployment web: container web: cpu 500m, at least 600m is allowed',
  ])
})

test('each line says which object it is about, and where in it', () => {
  const web = { kind: 'Deployment', name: 'web', source: 'web/templates/all.yaml' }
  const placed = (path: string) => ({ ...web, path })
  const resources = 'spec.template.spec.containers[0].resources'
  const quotas = [quota({ pods: '1', 'limits.cpu': '1', memory: '1Gi', services: '0' }, {})]
  expect(quotaLines(quotas, manifest(2), []).map(({ object }) => object)).toEqual([
    placed('spec.replicas'),
    placed(`${resources}.limits.cpu`),
    placed(`${resources}.requests.memory`),
    { ...web, kind: 'Service' },
  ])
  const range = {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'r' },
    spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '600m' } }] },
  }
  expect(limitLines([range], manifest(1)).map(({ object }) => object)).toEqual([
    placed(`${resources}.limits.cpu`),
    placed(`${resources}.requests.cpu`),
  ])
})
