import { expect, test } from 'vitest'
import { deployment, liveCluster } from '../sandbox.test-support.ts'

test('a disruption budget counts what may go', async () => {
  using cluster = liveCluster()
  cluster.apply('policy/poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
  })
  cluster.apply('apps/deployments', deployment('web', { replicas: 3 }))
  await cluster.until('counted', () => cluster.get('policy/poddisruptionbudgets', 'web')?.status?.currentHealthy === 3)
  expect(cluster.get('policy/poddisruptionbudgets', 'web')?.status).toMatchObject({
    expectedPods: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
  })
})
