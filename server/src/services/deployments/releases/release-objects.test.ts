import { expect, test } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import type { LeftObject } from '../ports.ts'
import { objectsToCheck, objectsToGo } from './release-objects.ts'

const left = (kind: string, name: string, more: Partial<LeftObject> = {}): LeftObject => ({
  apiVersion: 'v1',
  kind,
  name,
  namespace: 'space',
  uid: name,
  why: '',
  detail: null,
  refusal: null,
  ...more,
})
const keepAccess = { grants: false, redirectUris: false }

test('everything of a manifest goes but for what the chart marks to be kept', () => {
  const manifest = `apiVersion: v1
kind: Secret
metadata: { name: login, annotations: { helm.sh/resource-policy: Keep } }
---
apiVersion: v1
kind: Service
metadata: { name: web, annotations: { helm.sh/resource-policy: other } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: elsewhere }
`
  expect(objectsToGo(readManifest(manifest))).toEqual([
    { apiVersion: 'v1', kind: 'Service', name: 'web', namespace: null },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', namespace: 'elsewhere' },
  ])
})

test('what was remembered and what was found of a lost release is looked at, and nothing that somebody chose to keep', () => {
  const remembered = ['web', 'kept'].map((name) => ({ apiVersion: 'v1', kind: 'Service', name, namespace: null }))
  const plan = {
    remove: [left('Service', 'web', { goes: true }), left('Service', 'more', { goes: true }), left('Secret', 'login')],
    keep: [left('Service', 'kept', { goes: true })],
    keepAccess,
  }
  expect(objectsToCheck(remembered, plan).map(({ name }) => name)).toEqual(['web', 'more'])
  expect(objectsToCheck(remembered, undefined)).toEqual(remembered)
})
