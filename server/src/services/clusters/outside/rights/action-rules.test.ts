import { expect, it } from 'vitest'
import { actionRules } from './action-rules.ts'

const group = 'rbac.authorization.k8s.io'
const role = {
  group,
  plural: 'clusterroles',
  kind: 'ClusterRole',
  name: 'web',
  namespace: null,
  isGoing: false,
  stays: false,
}
const reader = {
  group,
  plural: 'rolebindings',
  kind: 'RoleBinding',
  name: 'web',
  namespace: 'kube-system',
  isGoing: false,
  stays: false,
}

it('gives rights on the names of the action alone, and nothing that others could use', () => {
  const bound = [
    { kind: 'ClusterRole', name: 'web', namespace: null },
    { kind: 'Role', name: 'reader', namespace: 'kube-system' },
  ] as const
  const { wide, inNamespaces } = actionRules([role, reader], { mayGrant: true, bound })
  for (const rule of [...wide, ...[...inNamespaces.values()].flat()])
    expect(rule.resourceNames !== undefined || rule.verbs.every((verb) => verb === 'list' || verb === 'watch')).toBe(
      true,
    )
  expect(wide).toContainEqual({
    ...{ apiGroups: [group], resources: ['clusterroles'], resourceNames: ['web'] },
    verbs: ['get', 'delete', 'create', 'update', 'patch', 'escalate'],
  })
  // A role that is bound in one namespace may be bound there alone.
  expect(wide.filter(({ verbs }) => verbs.includes('bind'))).toEqual([
    { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['web'], verbs: ['bind'] },
  ])
  expect(inNamespaces.get('kube-system')).toContainEqual({
    ...{ apiGroups: [group], resources: ['roles'], resourceNames: ['reader'], verbs: ['bind'] },
  })
  expect([...inNamespaces.keys()]).toEqual(['kube-system'])
})

it('lets nothing be given where what Helm applies was stored where others write', () => {
  const { wide } = actionRules([role], {
    mayGrant: false,
    bound: [{ kind: 'ClusterRole', name: 'web', namespace: null }],
  })
  expect(wide.flatMap(({ verbs }) => verbs)).not.toContain('escalate')
  expect(wide.flatMap(({ verbs }) => verbs)).not.toContain('bind')
})

it('lets nothing be made or changed that the release will not have', () => {
  const { wide } = actionRules([{ ...role, isGoing: true }], { mayGrant: true, bound: [] })
  expect(new Set(wide.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'delete', 'list', 'watch']))
})

it('lets a definition be changed and not deleted, with which the objects of others would go', () => {
  const definition = { ...role, group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions', stays: true }
  const verbsOf = (isGoing: boolean) =>
    actionRules([{ ...definition, isGoing }], { mayGrant: true, bound: [] }).wide.flatMap(({ verbs }) => verbs)
  expect(verbsOf(false)).toEqual(expect.arrayContaining(['create', 'update', 'patch']))
  expect([...verbsOf(false), ...verbsOf(true)]).not.toContain('delete')
})
