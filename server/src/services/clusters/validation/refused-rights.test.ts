import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { placed } from '../releases/placed.ts'
import { comingGroups, plainRefusal, roleOfBinding, withoutComing } from './refused-rights.ts'

const rbac = 'apiVersion: rbac.authorization.k8s.io/v1'
const definition = (group: string) =>
  `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.${group}}\nspec: {group: ${group}, scope: Namespaced, names: {kind: Thing, plural: things}, versions: [{name: v1}]}\n`
const objectOf = (manifest: string) => placed(readManifest(manifest)[0] as never, 'team-a')

it('groups that a release brings are those of its definitions, but for such as hand out rights', () => {
  const manifest = [definition('a.io'), definition('oauth.openshift.io'), definition('rbac.authorization.k8s.io')]
  expect([...comingGroups(readManifest(manifest.join('')), [])]).toEqual(['a.io'])
})

describe('a role without its rights on coming groups', () => {
  const left = (rules: string, kind = 'Role') =>
    withoutComing(objectOf(`${rbac}\nkind: ${kind}\nmetadata: {name: web}\nrules: ${rules}\n`), new Set(['a.io']))
      ?.rules

  it('keeps every other right', () => {
    const other = '{apiGroups: [""], resources: [secrets], verbs: [get]}'
    const shared = '{apiGroups: [a.io, apps], resources: ["*"], verbs: ["*"]}'
    expect(left(`[{apiGroups: [a.io], resources: [things], verbs: ["*"]}, ${other}, ${shared}]`)).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
    ])
  })

  it('is not told of a role that has none, of a right on everything, and of other kinds', () => {
    expect(left('[{apiGroups: [""], resources: [pods], verbs: [get]}]')).toBeUndefined()
    expect(left('[{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]')).toBeUndefined()
    expect(left('[{apiGroups: [a.io], resources: [things], verbs: [get]}]', 'ClusterRole')).toBeUndefined()
  })
})

describe('a binding to a cluster role of its own release', () => {
  const role = `---\n${rbac}\nkind: ClusterRole\nmetadata: {name: web}\nrules: [{apiGroups: [""], resources: [nodes], verbs: [get]}, {nonResourceURLs: [/metrics], verbs: [get]}]\n`
  const binding = (kind: string, to = 'ClusterRole') =>
    `---\n${rbac}\nkind: ${kind}\nmetadata: {name: web}\nroleRef: {kind: ${to}, name: web}\n`
  const tried = (manifest: string) => roleOfBinding(objectOf(binding('RoleBinding')), readManifest(manifest))

  it('is tried as a role of the space with the same rights', () => {
    expect(tried(role)).toMatchObject({
      role: { kind: 'Role', metadata: { namespace: 'team-a' }, rules: [{ resources: ['nodes'] }] },
      addresses: ['/metrics'],
    })
  })

  it('is not tried where the action may bind that role, and where the release does not bring it', () => {
    expect(tried(role + binding('ClusterRoleBinding'))).toBeUndefined()
    expect(tried('')).toBeUndefined()
    expect(roleOfBinding(objectOf(binding('RoleBinding', 'Role')), readManifest(role))).toBeUndefined()
  })
})

describe('the refusal of Kubernetes', () => {
  const user = 'user "system:serviceaccount:quayside-system:space-1" (groups=["system:authenticated"])'
  const refused = (missing: string) =>
    `roles.rbac.authorization.k8s.io "web" is forbidden: ${user} is attempting to grant RBAC permissions not currently held:\n${missing}`

  it('names the missing rights and the way on', () => {
    const missing =
      '{APIGroups:["a.io"], Resources:["things"], ResourceNames:["one"], Verbs:["get" "list"]}\n{NonResourceURLs:["/metrics"], Verbs:["get"]}\n{APIGroups:[""], Resources:["*"], Verbs:["*"]}'
    expect(plainRefusal('Role web', refused(missing))).toBe(
      'Role web gives rights that the account of this space does not have: get, list on things of a.io named one; get on the addresses /metrics; everything (*) on everything (*). A role gives no more than the space itself has. Where the cluster does not know an API group, install its definitions first; otherwise leave the role or these rights out by the values of the chart',
    )
  })

  it('says that there are more rights where its words were cut off', () => {
    const one = (name: string) => `{APIGroups:["a.io"], Resources:["${name}"], Verbs:["get"]}`
    const many = Array.from({ length: 8 }, (_, index) => one(`r${index}`)).join('\n')
    expect(plainRefusal('Role web', refused(many))).toContain('get on r5 of a.io; and more. ')
    expect(plainRefusal('Role web', refused(`${one('r')}\n{APIGroups:["a.`))).toContain('get on r of a.io; and more. ')
  })

  it.each([
    [
      'resourcequotas is forbidden: User "u" cannot patch resource "resourcequotas" in API group "" in the namespace "a"',
      'X x cannot be made: who looks after the cluster sets quotas and limits of a space, and no chart does. Leave it out by the values of the chart',
    ],
    [
      'x is forbidden: User "u" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
      'X x cannot be made: charts may not make subjectaccessreviews of authorization.k8s.io in a space. Leave it out by the values of the chart',
    ],
    ['pods "x" is forbidden: exceeded quota', undefined],
    ['admission webhook "no" denied the request: no', undefined],
  ])('%s', (message, said) => {
    expect(plainRefusal('X x', message)).toBe(said)
  })
})
