import { expect, test, vi } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { createPodReleases } from './pod-releases.ts'

interface Made {
  owner?: { kind: string; name: string; uid?: string }
  release?: string
}

function made(name: string, { owner, release }: Made = {}): KubeObject {
  const references = owner && [{ apiVersion: 'apps/v1', controller: true, uid: `uid-${owner.name}`, ...owner }]
  return {
    apiVersion: 'v1',
    kind: 'Any',
    metadata: {
      ...{ name, namespace: 'shop', uid: `uid-${name}` },
      ...(references ? { ownerReferences: references } : {}),
      ...(release === undefined ? {} : { annotations: { 'meta.helm.sh/release-name': release } }),
    },
  }
}

function clusterOf(objects: readonly KubeObject[]) {
  return {
    resourceOf: async (_: string, kind: string) => ({ resource: `apps/v1/${kind.toLowerCase()}s`, namespaced: true }),
    get: vi.fn(async (_resource: string, _namespace: string | undefined, name: string) =>
      objects.find(({ metadata }) => metadata.name === name),
    ),
  }
}

const set = made('web-1', { owner: { kind: 'Deployment', name: 'web' } })
const deployment = made('web', { release: 'shop' })
const pod = (name: string) => made(name, { owner: { kind: 'ReplicaSet', name: 'web-1' } })

test('a pod belongs to the release of the controller at the top, which is read once', async () => {
  const cluster = clusterOf([set, deployment])
  const releases = createPodReleases()
  const releaseOf = releases('c1', cluster, Infinity)
  expect([await releaseOf(pod('a')), await releaseOf(pod('b'))]).toEqual(['shop', 'shop'])
  expect(await releases('c1', cluster, Infinity)(pod('c'))).toBe('shop')
  expect(cluster.get).toHaveBeenCalledTimes(2)
  // Another cluster may tell the same UID.
  expect(await releases('c2', clusterOf([]), Infinity)(pod('d'))).toBeNull()
})

test.each<[string, KubeObject, KubeObject[]]>([
  ['a controller that is gone', pod('a'), []],
  ['another object of the name', made('a', { owner: { kind: 'ReplicaSet', name: 'web-1', uid: 'before' } }), [set]],
  ['a name that no release has', made('a', { release: 'x'.repeat(54) }), []],
  ['owners in a ring', pod('a'), [made('web-1', { owner: { kind: 'ReplicaSet', name: 'web-1' } })]],
])('%s is no release', async (_, one, objects) => {
  expect(await createPodReleases()('c1', clusterOf(objects), Infinity)(one)).toBeNull()
})

test('a release that one round had no reads left for is found by the next one', async () => {
  const single = Array.from({ length: 199 }, (_, at) => made(`set-${at}`, { release: 'other' }))
  const cluster = clusterOf([...single, set, deployment])
  const releases = createPodReleases()
  const first = releases('c1', cluster, Infinity)
  for (const { metadata } of single) await first(made('one', { owner: { kind: 'ReplicaSet', name: metadata.name } }))
  expect(await first(pod('a'))).toBeNull()
  expect(cluster.get).toHaveBeenCalledTimes(200)
  expect(await releases('c1', cluster, Infinity)(pod('a'))).toBe('shop')
})

test('a pod of its own has the release that Helm noted on it, and a slow round reads no owners', async () => {
  const cluster = clusterOf([set, deployment])
  const releaseOf = createPodReleases()('c1', cluster, 0)
  expect(await releaseOf(made('job', { release: 'shop' }))).toBe('shop')
  expect(await releaseOf(pod('a'))).toBeNull()
  expect(cluster.get).not.toHaveBeenCalled()
})
