import { expect, test } from 'vitest'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { foreignObjects } from './ownership.ts'

const named = (kind: string, name: string, more: Partial<ManifestObject> = {}): ManifestObject => ({
  ...{ apiVersion: 'v1', kind, name, namespace: undefined, body: {} },
  ...more,
})
const annotated = (release: string, namespace: string) => ({
  'meta.helm.sh/release-name': release,
  'meta.helm.sh/release-namespace': namespace,
})
function cluster(annotations: Record<string, string> | undefined): ClusterConnection {
  const there = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', ...(annotations && { annotations }) } }
  return {
    resourceOf: async (_: string, kind: string) => ({ resource: `v1/${kind}`, namespaced: kind !== 'ClusterRole' }),
    get: async (_: string, namespace: string | undefined) =>
      namespace === 'theirs' ? undefined : (there as KubeObject),
  } as unknown as ClusterConnection
}
const release = { namespace: 'team', releaseName: 'web', isNew: true }
const lines = async (connection: ClusterConnection, object: ManifestObject, of = release) =>
  (await foreignObjects(connection, of, [object])).map(({ message, resultType }) => `${resultType}: ${message}`)
const ways = 'Choose another name in the values, or remove it first'

test.each([
  [
    annotated('db', 'team'),
    'Secret',
    `error: Secret x belongs to the release db already, and Helm takes nothing from another release. ${ways}`,
  ],
  [
    annotated('web', 'other'),
    'ClusterRole',
    `error: ClusterRole x belongs to a release of another namespace already, and Helm takes nothing from another release. ${ways}`,
  ],
  [
    undefined,
    'Secret',
    `error: Secret x is there already, and Helm has not made it, so that it takes it over from nobody. ${ways}`,
  ],
])('what Helm would not take over is an error with its owner: %o', async (annotations, kind, line) => {
  expect(await lines(cluster(annotations), named(kind, 'x'))).toEqual([line])
})

test.each<[string, ManifestObject, typeof release]>([
  ['its own object', named('Secret', 'x'), { ...release, releaseName: 'db' }],
  [
    'a hook, which is made anew',
    named('Job', 'x', { body: { metadata: { annotations: { 'helm.sh/hook': 'pre-install' } } } }),
    release,
  ],
  ['a definition beside the templates', named('CustomResourceDefinition', 'x', { source: 'web/crds/a.yaml' }), release],
  ['an object of another namespace', named('Secret', 'x', { namespace: 'theirs' }), release],
])('%s is none', async (_, object, of) => {
  expect(await lines(cluster(annotated('db', 'team')), object, of)).toEqual([])
})

test('an object without an owner may be of a release that is there already', async () => {
  expect(await lines(cluster(undefined), named('Secret', 'x'), { ...release, isNew: false })).toEqual([])
})
