import { describe, expect, it } from 'vitest'
import { checkManifest, type ManifestPolicy } from './check-manifest.ts'
import { ManifestUnreadableError, readManifest } from './manifest.ts'

const policy = {
  namespace: 'team-abc1234',
  clusterScopedAllowed: false,
  resourceScopes: new Map([
    ['v1/ConfigMap', true],
    ['example.com/v1/Widget', false],
  ]),
}
const doc = (apiVersion: string, kind: string, name: string, more = '') =>
  `---\n# Source: x\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`

const check = (manifest: string, given: ManifestPolicy) => checkManifest(readManifest(manifest), given)

describe('what a manifest may hold', () => {
  it('is anything of its own namespace', () => {
    const text = doc('v1', 'ConfigMap', 'a') + doc('v1', 'Secret', 'b', '  namespace: team-abc1234\n')
    expect(check(text, policy)).toEqual([])
  })

  it('is nothing of another namespace, also inside a List', () => {
    const list = `---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: kube-system}}\n`
    const found = check(doc('v1', 'ConfigMap', 'a', '  namespace: other\n') + list, policy)
    expect(found.map(({ kind, name, rule, source, path }) => [kind, name, rule, source, path])).toEqual([
      ['ConfigMap', 'a', 'namespace', 'x', 'metadata.namespace'],
      ['ConfigMap', 'c', 'namespace', undefined, 'metadata.namespace'],
    ])
  })

  it('is nothing of the whole cluster, unless allowed', () => {
    const text = doc('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r') + doc('example.com/v1', 'Widget', 'w')
    expect(check(text, policy).map(({ kind }) => kind)).toEqual(['ClusterRole', 'Widget'])
    expect(check(text, { ...policy, clusterScopedAllowed: true })).toEqual([])
  })

  it('knows the kinds that the chart defines itself', () => {
    const crd = doc('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.x.io')
    const spec = 'spec:\n  group: x.io\n  scope: Cluster\n  names:\n    kind: Thing\n'
    const found = check(crd + spec + doc('x.io/v1', 'Thing', 't'), policy)
    expect(found.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'Thing'])
  })
})

describe('a manifest', () => {
  it('may hold empty documents, comments and text with dashes', () => {
    const text = `---\n# nothing\n---\n${doc('v1', 'ConfigMap', 'a', 'data:\n  x: |\n    ---\n    y\n')}\n---\n`
    expect(readManifest(text).map(({ name }) => name)).toEqual(['a'])
  })
  it('says of the items of a list what they are, when only the list does', () => {
    const text =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleList\nitems:\n- metadata: {name: all}\n  rules: []\n'
    expect(readManifest(text)).toMatchObject([
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'all', listed: true },
    ])
    expect(check(text, policy).map(({ rule }) => rule)).toEqual(['cluster-scoped'])
  })
  it('keeps the objects around one that only Helm can read, and lets that one stay in no fenced space', () => {
    const odd =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  labels: {}\n  name: odd\nspec:\n  args:\n    - '\n    run;\n    '\n"
    const text = `${doc('v1', 'ConfigMap', 'a')}---\n${odd}`
    expect(readManifest(text).map(({ kind, name, unreadable }) => [kind, name, unreadable])).toEqual([
      ['ConfigMap', 'a', undefined],
      ['Pod', 'odd', true],
    ])
    expect(check(text, policy).map(({ rule }) => rule)).toEqual(['unreadable'])
    expect(check(text, { ...policy, clusterScopedAllowed: true })).toEqual([])
  })
  it.each([
    ['does not parse', 'a: [1'],
    ['is nested too deeply', `a: ${'['.repeat(50_000)}`],
    [
      'is an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`).join('\n')}\n`,
    ],
  ])('that %s is refused', (_, text) => {
    expect(() => readManifest(text)).toThrow(ManifestUnreadableError)
  })
})
