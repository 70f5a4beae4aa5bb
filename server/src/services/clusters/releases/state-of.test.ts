import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { stateOf, worstOf } from './state-of.ts'

const now = Date.parse('2026-01-01T00:10:00Z')
function object(kind: string, spec: object, status: object, metadata: object = {}): KubeObject {
  const base = { name: 'x', creationTimestamp: '2026-01-01T00:00:00Z' }
  return { apiVersion: 'v1', kind, metadata: { ...base, ...metadata }, spec, status }
}
const spec = { containers: [{ name: 'main', image: 'web:1' }] }
const waiting = (reason: string, message = '') => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'main', ready: false, state: { waiting: { reason, message } } }],
})
const condition = (type: string, status: string, reason: string, message = '') => ({ type, status, reason, message })
const through = condition('Progressing', 'True', 'NewReplicaSetAvailable')

describe('the state of a pod', () => {
  it.each([
    [
      'ready',
      { phase: 'Running', containerStatuses: [{ name: 'main', ready: true, state: { running: {} } }] },
      'healthy',
      null,
    ],
    [
      'running, not ready',
      { phase: 'Running', containerStatuses: [{ name: 'main', ready: false, state: { running: {} } }] },
      'progressing',
      'Running, not ready yet',
    ],
    ['creating', waiting('ContainerCreating'), 'progressing', 'ContainerCreating'],
    [
      'unpullable',
      waiting('ImagePullBackOff', 'Back-off pulling image'),
      'degraded',
      'ImagePullBackOff: Back-off pulling image',
    ],
    ['completed', { phase: 'Succeeded' }, 'healthy', null],
    [
      'evicted',
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory' },
      'failed',
      'The node was low on memory',
    ],
    [
      'unschedulable',
      {
        phase: 'Pending',
        conditions: [condition('PodScheduled', 'False', 'Unschedulable', '0/3 nodes: Insufficient cpu')],
      },
      'degraded',
      '0/3 nodes: Insufficient cpu',
    ],
    ['nothing known', {}, 'progressing', 'Waiting'],
  ])('%s', (_, status, state, message) => {
    expect(stateOf(object('Pod', spec, status), now)).toMatchObject({ state, message })
  })

  it('names the exit code behind a crash loop', () => {
    const containerStatuses = [
      {
        name: 'main',
        ready: false,
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 137 } },
      },
    ]
    const pod = object('Pod', spec, { phase: 'Running', containerStatuses })
    expect(stateOf(pod, now)).toMatchObject({
      state: 'degraded',
      message: 'CrashLoopBackOff: it ended with exit code 137',
    })
  })

  it('is patient with the scheduler for a moment', () => {
    const status = { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'Unschedulable', 'no')] }
    expect(stateOf(object('Pod', spec, status, { creationTimestamp: '2026-01-01T00:09:55Z' }), now).state).toBe(
      'progressing',
    )
  })
})

describe('the state of a workload', () => {
  it.each([
    [
      'Deployment',
      'ready',
      { replicas: 2 },
      { replicas: 2, updatedReplicas: 2, readyReplicas: 2, conditions: [through] },
      'healthy',
    ],
    [
      'Deployment',
      'rolling out',
      { replicas: 2 },
      { replicas: 2, updatedReplicas: 2, readyReplicas: 1 },
      'progressing',
    ],
    ['Deployment', 'replacing', { replicas: 2 }, { replicas: 3, updatedReplicas: 2, readyReplicas: 3 }, 'progressing'],
    [
      'Deployment',
      'that lost a pod',
      { replicas: 2 },
      { replicas: 2, updatedReplicas: 2, readyReplicas: 1, conditions: [through] },
      'degraded',
    ],
    [
      'Deployment',
      'past its deadline',
      { replicas: 1 },
      { conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')] },
      'failed',
    ],
    [
      'Deployment',
      'over quota',
      { replicas: 1 },
      { conditions: [condition('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')] },
      'degraded',
    ],
    ['Deployment', 'scaled to zero', { replicas: 0 }, {}, 'healthy'],
    [
      'StatefulSet',
      'ready',
      { replicas: 3 },
      { readyReplicas: 3, currentRevision: 'a', updateRevision: 'a' },
      'healthy',
    ],
    ['StatefulSet', 'starting', { replicas: 3 }, { readyReplicas: 1 }, 'progressing'],
    [
      'StatefulSet',
      'rolling',
      { replicas: 3 },
      { readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
      'progressing',
    ],
    ['DaemonSet', 'ready', {}, { desiredNumberScheduled: 3, numberReady: 3, updatedNumberScheduled: 3 }, 'healthy'],
    ['DaemonSet', 'on some nodes', {}, { desiredNumberScheduled: 3, numberReady: 2 }, 'progressing'],
    ['Job', 'complete', {}, { conditions: [condition('Complete', 'True', '')] }, 'healthy'],
    ['Job', 'failed', {}, { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] }, 'failed'],
    ['Job', 'running', {}, { active: 1 }, 'progressing'],
    ['CronJob', 'idle', { schedule: '* * * * *' }, {}, 'healthy'],
    ['PersistentVolumeClaim', 'bound', {}, { phase: 'Bound', capacity: { storage: '1Gi' } }, 'healthy'],
    ['PersistentVolumeClaim', 'lost', {}, { phase: 'Lost' }, 'failed'],
    ['PersistentVolumeClaim', 'pending', {}, { phase: 'Pending' }, 'progressing'],
    ['Service', 'inside', { type: 'ClusterIP' }, {}, 'healthy'],
    ['Service', 'without its address', { type: 'LoadBalancer' }, { loadBalancer: {} }, 'progressing'],
    ['Certificate', 'not ready', {}, { conditions: [condition('Ready', 'False', 'Pending', 'waiting')] }, 'degraded'],
    ['ConfigMap', 'there', {}, {}, 'healthy'],
  ])('%s %s', (kind, _, spec, status, state) => {
    expect(stateOf(object(kind, spec, status), now).state).toBe(state)
  })

  it('waits for a controller that has not looked yet, and sees a deletion', () => {
    const late = object(
      'Deployment',
      { replicas: 1 },
      { observedGeneration: 1, readyReplicas: 1, updatedReplicas: 1, replicas: 1 },
      { generation: 2 },
    )
    expect(stateOf(late, now).state).toBe('progressing')
    const going = object('Service', {}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    expect(stateOf(going, now).detail).toBe('Terminating')
  })

  it('survives objects of any shape', () => {
    for (const kind of ['Pod', 'Deployment', 'Job', 'Service', 'PersistentVolumeClaim', 'Anything'])
      expect(stateOf(object(kind, 7 as never, 'x' as never), now).state).toBeTypeOf('string')
  })
})

it('takes the worst of many', () => {
  expect(worstOf(['healthy', 'progressing', 'degraded'])).toBe('degraded')
  expect(worstOf(['unknown', 'healthy'])).toBe('unknown')
  expect(worstOf([])).toBe('healthy')
})
