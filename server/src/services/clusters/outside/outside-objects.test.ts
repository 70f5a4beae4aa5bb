import { expect, it } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { outsideOf } from './outside-objects.ts'

const definition = (group: string, kind: string, scope: string, apiVersion = 'apiextensions.k8s.io/v1') =>
  `---\napiVersion: ${apiVersion}\nkind: CustomResourceDefinition\nmetadata: {name: x.${group}}\nspec: {group: ${group}, scope: ${scope}, names: {kind: ${kind}}}\n`
const object = (group: string, kind: string) => `---\napiVersion: ${group}/v1\nkind: ${kind}\nmetadata: {name: it}\n`

/** Where the object named `it` is: null for the whole cluster, undefined for the space. */
function placeOfIt(manifest: string) {
  const space = { namespace: 'team-a', resourceScopes: new Map() }
  return outsideOf(readManifest(manifest), space).find((one) => one.object.name === 'it')?.namespace
}

const rbac = 'rbac.authorization.k8s.io'
const admission = 'admissionregistration.k8s.io'

it.each([
  ['as its definition says', definition('x.io', 'Thing', 'Cluster') + object('x.io', 'Thing'), null],
  ['as its definition says', definition('x.io', 'Thing', 'Namespaced') + object('x.io', 'Thing'), undefined],
  [
    'as the definition with the longer reach says',
    definition('x.io', 'Thing', 'Cluster') + definition('x.io', 'Thing', 'Namespaced') + object('x.io', 'Thing'),
    null,
  ],
  ['as Kubernetes has it', definition(rbac, 'ClusterRole', 'Namespaced') + object(rbac, 'ClusterRole'), null],
  [
    'as Kubernetes has it',
    definition(admission, 'MutatingWebhookConfiguration', 'Namespaced') +
      object(admission, 'MutatingWebhookConfiguration'),
    null,
  ],
  ['in the space', definition('apps', 'Deployment', 'Cluster') + object('apps', 'Deployment'), undefined],
  [
    'as no other kind of definition says',
    definition('x.io', 'StorageClass', 'Namespaced', 'x.io/v1') + object('x.io', 'StorageClass'),
    null,
  ],
])('%#: an object of a kind that discovery does not know is %s', (_, manifest, place) => {
  expect(placeOfIt(manifest)).toBe(place)
})
