import { expect, test } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { WatchedKind } from '../workloads/namespace-view.ts'
import { hopelessIn } from './watch-release.ts'

const made = (kind: string, name: string, more: Record<string, unknown> = {}, owner?: string): KubeObject => {
  const { metadata, ...rest } = more
  const ownerReferences = owner ? [{ apiVersion: 'v1', kind: 'X', name: owner, uid: `uid-${owner}` }] : []
  const named = { name, namespace: 'team', uid: `uid-${name}`, ownerReferences, ...(metadata as object) }
  return { apiVersion: 'v1', kind, metadata: named, ...rest }
}
const revision = (number: string) => ({ metadata: { annotations: { 'deployment.kubernetes.io/revision': number } } })
const unready = { spec: { replicas: 1 }, status: { replicas: 1, updatedReplicas: 1, readyReplicas: 0 } }
const web = made('Deployment', 'web', { ...unready, ...revision('2') })
const newSet = made('ReplicaSet', 'web-2', { ...unready, ...revision('2') }, 'web')
const oldSet = made('ReplicaSet', 'web-1', { ...unready, ...revision('1') }, 'web')

function podOf(set: string, container: Record<string, unknown>, status: Record<string, unknown> = {}): KubeObject {
  const containers = [{ name: 'app', image: 'shop/web:9' }]
  const statuses = [{ name: 'app', ready: false, restartCount: 0, ...container }]
  return made(
    'Pod',
    `${set}-x`,
    { spec: { containers }, status: { phase: 'Pending', containerStatuses: statuses, ...status } },
    set,
  )
}
const waiting = (reason: string, message: string, restartCount = 0) =>
  podOf('web-2', { restartCount, state: { waiting: { reason, message } } })
const event = (about: KubeObject, reason: string, message: string) =>
  made('Event', `${about.metadata.name}-${reason}`, { involvedObject: { uid: about.metadata.uid }, reason, message })

function found(objects: readonly KubeObject[], roots: readonly KubeObject[] = [web]) {
  const view = { of: (kind: WatchedKind) => objects.filter((one) => one.kind === kind) }
  const named = roots.map(({ apiVersion, kind, metadata: { name } }) => ({
    ...{ apiVersion, kind, name, namespace: undefined, body: {} },
  }))
  return hopelessIn({ objects: named, hooks: [] }, view, 'team').map(
    ({ graceSeconds, because }) => [graceSeconds, because] as const,
  )
}
const ofPod = (pod: KubeObject, ...events: KubeObject[]) => found([web, newSet, pod, ...events])

const app = 'Container app of pod web-2-x'
const pending = podOf('web-2', { state: { waiting: { reason: 'ContainerCreating' } } })
const unscheduled = (message: string) => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  return podOf('web-2', {}, { conditions })
}

test.each<[string, readonly KubeObject[], number, string]>([
  ['an image name', [waiting('InvalidImageName', 'bad')], 5, `${app} cannot pull its image shop/web:9: bad`],
  [
    'no such image',
    [waiting('ErrImagePull', 'web:9: not found')],
    15,
    `${app} cannot pull its image shop/web:9: web:9: not found`,
  ],
  ['a busy registry', [waiting('ImagePullBackOff', 'timeout')], 90, `${app} cannot pull its image shop/web:9: timeout`],
  ['crashes', [waiting('CrashLoopBackOff', 'exit 1', 4)], 10, `${app} has crashed 5 times: exit 1`],
  [
    'a missing key',
    [waiting('CreateContainerConfigError', 'secret "db" not found')],
    45,
    `${app} cannot start: secret "db" not found`,
  ],
  [
    'a missing volume source',
    [pending, event(pending, 'FailedMount', 'MountVolume.SetUp failed: configmap "c" not found')],
    45,
    'Pod web-2-x cannot start: MountVolume.SetUp failed: configmap "c" not found',
  ],
  ['no node', [unscheduled('0/3 nodes are available')], 150, 'No node can run Pod web-2-x: 0/3 nodes are available'],
  [
    'an unbound claim',
    [unscheduled('pod has unbound immediate PersistentVolumeClaims')],
    60,
    'Pod web-2-x waits for its volume: pod has unbound immediate PersistentVolumeClaims',
  ],
  [
    'a quota',
    [event(newSet, 'FailedCreate', 'pods "x" is forbidden: exceeded quota: q')],
    20,
    'Deployment web may not make its pods, the quota of the space is used up: pods "x" is forbidden: exceeded quota: q',
  ],
  [
    'a rule on pods',
    [event(newSet, 'FailedCreate', 'pods "x" is forbidden: violates PodSecurity')],
    30,
    'Deployment web may not make its pods: pods "x" is forbidden: violates PodSecurity',
  ],
])('%s is without hope after a while', (_, objects, grace, because) => {
  expect(found([web, newSet, ...objects])).toEqual([[grace, because]])
})

const job = made('Job', 'load', {
  status: { conditions: [{ type: 'Failed', status: 'True', message: 'backoff limit' }] },
})
const claim = made('PersistentVolumeClaim', 'data', { status: { phase: 'Pending' } })
const late = made('Deployment', 'late', {
  ...unready,
  status: {
    ...unready.status,
    conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }],
  },
})
test.each<[KubeObject, readonly KubeObject[], number, string]>([
  [job, [], 3, 'Job load has failed: backoff limit'],
  [
    claim,
    [event(claim, 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set')],
    45,
    'PersistentVolumeClaim data gets no volume: no persistent volumes available for this claim and no storage class is set',
  ],
  [late, [], 3, 'Deployment late did not come up in time: timed out'],
])('$metadata.name is without hope', (root, more, grace, because) => {
  expect(found([root, ...more], [root])).toEqual([[grace, because]])
})

const running = { state: { running: {} }, restartCount: 6 }
const oldPod = podOf('web-1', { state: { waiting: { reason: 'InvalidImageName' } } })
const unseen = made('Deployment', 'web', { ...unready, metadata: { generation: 3 }, status: { observedGeneration: 2 } })
test.each<[string, readonly KubeObject[]]>([
  ['a pod that is on its way', [web, newSet, pending]],
  ['a container that runs again after crashes', [web, newSet, podOf('web-2', running, { phase: 'Running' })]],
  ['the first crashes', [web, newSet, waiting('CrashLoopBackOff', 'exit 1', 2)]],
  ['a pod of the revision before', [web, newSet, oldSet, oldPod]],
  ['a workload that its controller has not seen yet', [unseen, newSet, waiting('InvalidImageName', 'bad')]],
  ['a claim that waits for its first pod', [claim, event(claim, 'WaitForFirstConsumer', 'waiting for first consumer')]],
  ['a slow probe', [web, newSet, podOf('web-2', { state: { running: {} } }, { phase: 'Running' })]],
])('%s has hope', (_, objects) => {
  expect(found(objects, [web, claim])).toEqual([])
})
test('a pod without hope of a workload that is ready holds up nobody', () => {
  const ready = made('Deployment', 'web', {
    ...revision('2'),
    ...{ spec: { replicas: 1 }, status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 } },
  })
  expect(found([ready, newSet, waiting('InvalidImageName', 'bad')])).toEqual([])
  expect(ofPod(waiting('InvalidImageName', 'bad'))).toHaveLength(1)
})
