import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import { deployment, liveCluster, template } from '../sandbox.test-support.ts'

const containers = [
  { name: 'app', image: 'registry.example/web:1', resources: { requests: { cpu: '100m', memory: '64Mi' } } },
]

const scaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 4,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  },
}

test('load above the target brings more replicas, up to the most allowed', async () => {
  using cluster = liveCluster()
  cluster.apply(
    'apps/deployments',
    deployment(
      'web',
      { replicas: 1, template: template('web', { containers }) },
      { 'sandbox.quayside.io/cpu-load': '200' },
    ),
  )
  cluster.apply('autoscaling/horizontalpodautoscalers', scaler)
  await cluster.until('scaled', () => cluster.get('apps/deployments', 'web')?.spec.replicas === 4)
  await cluster.until(
    'limited',
    () =>
      conditionOf(cluster.get('autoscaling/horizontalpodautoscalers', 'web')?.status?.conditions, 'ScalingLimited')
        ?.reason === 'TooManyReplicas',
  )
  expect(cluster.events('web').some((line) => line.startsWith('SuccessfulRescale New size: 4'))).toBe(true)
})

test('without a target it says so', async () => {
  using cluster = liveCluster()
  cluster.apply('autoscaling/horizontalpodautoscalers', scaler)
  await cluster.until(
    'told',
    () =>
      conditionOf(cluster.get('autoscaling/horizontalpodautoscalers', 'web')?.status?.conditions, 'AbleToScale')
        ?.reason === 'FailedGetScale',
  )
})
