import { expect, test, vi } from 'vitest'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { createSpaceAssets } from './space-assets.ts'

const object = (name: string, spec: object, release?: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Any', spec },
  metadata: { name, namespace: 'shop', ...(release ? { annotations: { 'meta.helm.sh/release-name': release } } : {}) },
})
const claim = (name: string, release?: string) =>
  object(name, { storageClassName: 'fast', resources: { requests: { storage: '2Gi' } } }, release)
const place = { clusterId: 'c', namespace: 'shop' }

test('a claim belongs to the release whose pod mounts it, and else to the one that it names', async () => {
  const objects: Record<string, KubeObject[]> = {
    'v1/persistentvolumeclaims': [claim('data-db-0'), claim('pod-scratch'), claim('files', 'web'), claim('left')],
    'v1/services': [object('web', { type: 'LoadBalancer' }, 'web'), object('inner', {}, 'web')],
  }
  const list = vi.fn(async (path: string) => objects[path] ?? [])
  const pod = object('pod', {
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
      { name: 'scratch', ephemeral: {} },
    ],
  })
  const assets = createSpaceAssets()
  const { claims, loadBalancers } = await assets(place, { list: list as never }, [{ pod, release: 'db' }])
  expect(claims.map(({ release }) => release)).toEqual(['db', 'db', 'web', null])
  expect(claims[0]).toMatchObject({ storageClass: 'fast', bytes: 2 ** 31 })
  expect(loadBalancers).toEqual([{ namespace: 'shop', release: 'web' }])
  // Releases follow the pods of each round, and the lists are not read again.
  expect((await assets(place, { list: list as never }, [])).claims[0]?.release).toBeNull()
  expect(list).toHaveBeenCalledTimes(2)
})
