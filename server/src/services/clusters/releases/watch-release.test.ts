import { expect, it } from 'vitest'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { WatchedKind } from '../workloads/namespace-view.ts'
import { waitingOf } from './watch-release.ts'

const object = (kind: string, name: string, more: object = {}, owner?: string): KubeObject => {
  const ownerReferences = owner ? [{ apiVersion: 'v1', kind: 'X', name: owner, uid: `uid-${owner}` }] : []
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'team', uid: `uid-${name}`, ownerReferences }, ...more }
}
const event = (uid: string, reason: string, at: string): KubeObject =>
  object('Event', `${uid}-${reason}`, { involvedObject: { uid }, reason, message: 'said', lastTimestamp: at })
const named = (kind: string, name: string): ManifestObject => ({
  apiVersion: 'v1',
  kind,
  name,
  namespace: undefined,
  body: {},
})

it('tells what is not ready first, with the last event of it or of what it made', () => {
  const ready = { spec: { replicas: 1 }, status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 } }
  const objects = [
    object('Deployment', 'a-ready', ready),
    object('Deployment', 'b-slow', { spec: { replicas: 1 }, status: {} }),
    object('ReplicaSet', 'b-1', {}, 'b-slow'),
    object('Pod', 'b-1-x', {}, 'b-1'),
    event('uid-b-slow', 'ScalingReplicaSet', '2026-01-01T00:00:01Z'),
    event('uid-b-1-x', 'Pulling', '2026-01-01T00:00:02Z'),
    event('uid-stranger', 'Killing', '2026-01-01T00:00:09Z'),
  ]
  const content = {
    objects: [
      named('Deployment', 'a-ready'),
      named('Deployment', 'b-slow'),
      named('Service', 'gone'),
      named('ConfigMap', 'c'),
    ],
    hooks: [],
  }
  const view = { of: (kind: WatchedKind) => objects.filter((one) => one.kind === kind) }
  expect(waitingOf(content, view, 'team')).toEqual({
    ready: 1,
    total: 3,
    objects: [
      { kind: 'Deployment', name: 'b-slow', ready: false, detail: '0 of 1 updated', lastEvent: 'Pulling: said' },
      { kind: 'Service', name: 'gone', ready: false, detail: 'Not there yet', lastEvent: null },
      { kind: 'Deployment', name: 'a-ready', ready: true, detail: '1 of 1 ready', lastEvent: null },
    ],
  })
})

it('of a removal tells what is there, what is going with what it made, and what is gone', () => {
  const going = object('Deployment', 'b-going', { spec: { replicas: 1 }, status: {} })
  const objects = [
    object('Deployment', 'a-there', {
      spec: { replicas: 1 },
      status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
    }),
    { ...going, metadata: { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    object('ReplicaSet', 'b-1', {}, 'b-going'),
    object('Pod', 'b-1-x', {}, 'b-1'),
    object('Job', 'hook', {}),
    object('PersistentVolumeClaim', 'kept', {}),
  ]
  const kept = named('PersistentVolumeClaim', 'kept')
  kept.body = { metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } }
  const content = {
    objects: [named('Deployment', 'a-there'), named('Deployment', 'b-going'), named('Service', 'gone'), kept],
    hooks: [{ kind: 'Job', name: 'hook' }],
  }
  const view = { of: (kind: WatchedKind) => objects.filter((one) => one.kind === kind) }
  expect(waitingOf(content, view, 'team', true)).toEqual({
    ready: 1,
    total: 3,
    objects: [
      { kind: 'Deployment', name: 'a-there', ready: false, detail: 'Still there', lastEvent: null },
      {
        kind: 'Deployment',
        name: 'b-going',
        ready: false,
        detail: 'Being removed, with 1 object that it made',
        lastEvent: null,
      },
      { kind: 'Service', name: 'gone', ready: true, detail: 'Removed', lastEvent: null },
    ],
  })
})
