import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { candidatesOf, detailOf } from './leftovers.ts'

const set = (more = '') => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: store }
spec:
  ${more}
  volumeClaimTemplates:
    - metadata: { name: data }
`
const claim = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'shop' },
  spec: { storageClassName: 'fast', resources: { requests: { storage: '8Gi' } } },
})
const told = (manifest: string, more: Partial<Parameters<typeof candidatesOf>[0]> = {}) =>
  candidatesOf({ objects: readManifest(manifest), hooks: [], claims: [], crds: [], ...more }).map(
    ({ kind, name }) => `${kind} ${name}`,
  )

describe('what an uninstall leaves', () => {
  test('objects that the chart marks to be kept', () => {
    const secret = (policy: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: login, annotations: { helm.sh/resource-policy: ${policy} } }\n`
    expect(told(secret('Keep'))).toEqual(['Secret login'])
    expect(told(secret('other'))).toEqual([])
  })

  test('claims of a StatefulSet, by their exact names, unless they go with it', () => {
    const claims = ['data-store-0', 'data-store-12', 'data-store-x', 'data-store-2-0', 'logs-store-0'].map(claim)
    expect(told(set(), { claims })).toEqual([
      'PersistentVolumeClaim data-store-0',
      'PersistentVolumeClaim data-store-12',
    ])
    expect(told(set('persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete }'), { claims })).toEqual([])
  })

  test('what hooks made, but for those of the deletion itself', () => {
    const hook = (...events: string[]) => ({
      events,
      objects: readManifest('apiVersion: batch/v1\nkind: Job\nmetadata: { name: migrate }\n'),
    })
    expect(told('', { hooks: [hook('post-install', 'post-upgrade'), hook('post-install')] })).toEqual(['Job migrate'])
    expect(told('', { hooks: [hook('pre-delete')] })).toEqual([])
  })

  test('definitions of the package, once', () => {
    expect(told('', { crds: ['ships.example.org', 'ships.example.org'] })).toEqual([
      'CustomResourceDefinition ships.example.org',
    ])
  })

  test('a volume says its size', () => {
    expect(detailOf(claim('data-store-0'))).toBe('8Gi · fast')
    expect(detailOf({ ...claim('x'), status: { capacity: { storage: '10Gi' } } })).toBe('10Gi · fast')
    expect(detailOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } })).toBeNull()
  })
})
