import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../../adapters/helm/manifest.ts'
import { judgeUnserved, onUnservedGroups } from './unserved-groups.ts'

const rbac = 'apiVersion: rbac.authorization.k8s.io/v1'
const served = new Map([
  ['v1/Pod', true],
  ['apps/v1/Deployment', true],
  ['rbac.authorization.k8s.io/v1/Role', true],
])
const role = (rules: string, more = '') => `---\n${rbac}\nkind: Role\nmetadata: {name: web${more}}\nrules: ${rules}\n`
const judged = (manifest: string, resourceScopes: ReadonlyMap<string, boolean> = served) =>
  judgeUnserved(onUnservedGroups(readManifest(manifest), { namespace: 'team-a', resourceScopes }), 'team-a')

const dex = '{apiGroups: [dex.coreos.com], resources: ["*"], verbs: ["*"]}'

describe('somebody can be asked to lend', () => {
  it('exactly the rights on groups that nothing serves, and says what they become', () => {
    const rules = `[{apiGroups: [apps, build.example.com], resources: [builds, deployments], resourceNames: [a], verbs: [get]}, {apiGroups: [""], resources: [pods], verbs: [list]}, ${dex}]`
    expect(judged(role(rules))).toMatchObject([
      {
        ...{ kind: 'Role', name: 'web', namespace: 'team-a', never: null, isForAll: true, elevates: false },
        lent: [
          {
            apiGroups: ['build.example.com'],
            resources: ['builds', 'deployments'],
            resourceNames: ['a'],
            verbs: ['get'],
          },
          { apiGroups: ['dex.coreos.com'], resources: ['*'], verbs: ['*'] },
        ],
        grants: [
          expect.stringMatching(
            /^counts once the cluster serves build\.example\.com, dex\.coreos\.com, whoever brings that/,
          ),
          'get on builds, deployments of build.example.com named a in the namespace team-a',
          'everything (*) on everything (*) of dex.coreos.com in the namespace team-a',
        ],
      },
    ])
  })

  it('another time when the rights are others, and not when the rest of the role is', () => {
    const [first] = judged(role(`[${dex}]`))
    const [more] = judged(role(`[${dex}, {apiGroups: [""], resources: [pods], verbs: [get]}]`))
    const [less] = judged(role('[{apiGroups: [dex.coreos.com], resources: ["*"], verbs: [get]}]'))
    expect(more?.digest).toBe(first?.digest)
    expect(less?.digest).not.toBe(first?.digest)
  })

  it('what a binding in the space gives of a cluster role of the same chart', () => {
    const wide = `---\n${rbac}\nkind: ClusterRole\nmetadata: {name: wide}\nrules: [${dex}]\n`
    const binding = (to: string) =>
      `---\n${rbac}\nkind: RoleBinding\nmetadata: {name: binds}\nroleRef: {kind: ClusterRole, name: ${to}}\nsubjects: []\n`
    expect(judged(wide + binding('wide'))).toMatchObject([{ kind: 'RoleBinding', name: 'binds', never: null }])
    expect(judged(wide + binding('view'))).toEqual([])
  })
})

it.each([
  ['that the cluster serves', role('[{apiGroups: [apps], resources: [deployments], verbs: [get]}]')],
  ['of everything', role('[{apiGroups: ["*"], resources: [pods], verbs: [get]}]')],
  ['in another namespace, which are judged otherwise', role(`[${dex}]`, ', namespace: other')],
  [
    'that the chart defines',
    `${role(`[${dex}]`)}---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.dex.coreos.com}\nspec: {group: dex.coreos.com, names: {plural: a, kind: A}, scope: Namespaced, versions: [{name: v1}]}\n`,
  ],
])('nothing is lent for groups %s', (_, manifest) => {
  expect(judged(manifest)).toEqual([])
})

it('nothing is lent where discovery says nothing', () => {
  expect(judged(role(`[${dex}]`), new Map())).toEqual([])
})

it.each([
  [
    'a group whose programs act with the rights of the cluster',
    '[{apiGroups: [helm.cattle.io], resources: ["*"], verbs: [get]}]',
  ],
  ['certificates of the cluster', '[{apiGroups: [certificates.k8s.io], resources: ["*"], verbs: [get]}]'],
  ['what is no name of a group', '[{apiGroups: ["a.io/b"], resources: ["*"], verbs: [get]}]'],
  ['verbs that are no texts', '[{apiGroups: [dex.coreos.com], resources: ["*"], verbs: [get, 5]}]'],
])('nobody is asked for %s', (_, rules) => {
  expect(judged(role(rules))).toMatchObject([{ never: expect.any(String) }])
})
