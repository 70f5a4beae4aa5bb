import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { WatchedKind } from '../workloads/namespace-view.ts'
import { keyOf, type Named, partsOf } from './app-parts.ts'

function object(kind: string, name: string, owner?: string, more: object = {}): KubeObject {
  const ownerReferences = owner ? [{ apiVersion: 'v1', kind: 'X', name: owner, uid: `uid-${owner}` }] : []
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'team', uid: `uid-${name}`, ownerReferences }, ...more }
}
const view = (objects: KubeObject[]) => ({ of: (kind: WatchedKind) => objects.filter((one) => one.kind === kind) })
function parts(objects: KubeObject[], named: Named[], hooks: Named[] = [], others = new Map()) {
  return partsOf({ namespace: 'team', objects: named, hooks, view: view(objects), others, now: 0 })
}
const row = ({ kind, name, parent }: { kind: string; name: string; parent: string | null }) =>
  `${kind} ${name} < ${parent ?? '-'}`
const stuckPod = {
  spec: { containers: [{ name: 'c', image: 'i' }] },
  status: { phase: 'Pending', containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
}

describe('the parts of an app', () => {
  it('are what the release names and what that made, with replica sets folded', () => {
    const objects = [
      object('Deployment', 'web', undefined, { spec: { replicas: 1 }, status: {} }),
      object('ReplicaSet', 'web-1', 'web'),
      object('Pod', 'web-1-a', 'web-1', stuckPod),
      object('Pod', 'stranger', undefined, stuckPod),
    ]
    const found = parts(objects, [{ kind: 'Deployment', name: 'web' }])
    expect(found.map(row)).toEqual(['Deployment web < -', 'Pod web-1-a < uid-web'])
    expect(found[0]?.state).toMatchObject({ state: 'degraded', message: 'ImagePullBackOff' })
  })

  it('are not what only carries the labels of the release', () => {
    const liar = object('Pod', 'liar')
    liar.metadata.labels = { 'app.kubernetes.io/instance': 'web', 'app.kubernetes.io/managed-by': 'Helm' }
    expect(parts([liar], [{ kind: 'Deployment', name: 'web' }]).map(({ name }) => name)).toEqual(['web'])
  })

  it('include the claims that their pods mount', () => {
    const volumes = [{ persistentVolumeClaim: { claimName: 'data-db-0' } }]
    const objects = [
      object('StatefulSet', 'db'),
      object('Pod', 'db-0', 'db', { spec: { volumes } }),
      object('PersistentVolumeClaim', 'data-db-0'),
      object('PersistentVolumeClaim', 'data-other-0'),
    ]
    expect(parts(objects, [{ kind: 'StatefulSet', name: 'db' }]).map(row)).toEqual([
      'StatefulSet db < -',
      'Pod db-0 < uid-db',
      'PersistentVolumeClaim data-db-0 < uid-db-0',
    ])
  })

  it('say what is missing and what is not told', () => {
    const others = new Map<string, KubeObject | 'unknown'>([
      [keyOf('ConfigMap', 'team', 'a'), object('ConfigMap', 'a')],
      [keyOf('Widget', 'team', 'w'), 'unknown'],
    ])
    const named = ['ConfigMap a', 'ConfigMap b', 'Widget w'].map((one) => {
      const [kind = '', name = ''] = one.split(' ')
      return { kind, name }
    })
    expect(parts([], named, [], others).map(({ state }) => state.detail)).toEqual(['Present', 'Missing', 'Unknown'])
  })

  it('show a hook only while it is there', () => {
    const hooks = [
      { kind: 'Job', name: 'migrate' },
      { kind: 'Job', name: 'gone' },
    ]
    expect(parts([object('Job', 'migrate')], [], hooks)).toMatchObject([{ name: 'migrate', hook: true }])
  })

  it('end even where owners go round in a circle', () => {
    const objects = [object('Pod', 'a', 'b'), object('Pod', 'b', 'a')]
    expect(parts(objects, [{ kind: 'Pod', name: 'a' }])).toHaveLength(2)
  })
})
