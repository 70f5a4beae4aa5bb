import { expect, it } from 'vitest'
import { foreignBindings, heldKey } from './foreign-bindings.ts'

const spaces = [
  { spaceId: 'a', namespace: 'team-a' },
  { spaceId: 'b', namespace: 'team-b' },
]
const binding = (...subjects: object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'wide' },
  subjects,
})
const account = (namespace: string) => ({ kind: 'ServiceAccount', name: 'worker', namespace })

it.each([
  ['an account', [account('team-a')], ['a']],
  ['an account as a user', [{ kind: 'User', name: 'system:serviceaccount:team-b:worker' }], ['b']],
  ['all accounts of a space', [{ kind: 'Group', name: 'system:serviceaccounts:team-b' }], ['b']],
  ['accounts of two spaces', [account('team-a'), account('team-b')], ['a', 'b']],
  ['all accounts of the cluster', [{ kind: 'Group', name: 'system:serviceaccounts' }], []],
  ['somebody else', [account('kube-system'), { kind: 'User', name: 'ann' }], []],
])('a binding of %s', (_, subjects, expected) => {
  const found = foreignBindings([binding(...subjects)], spaces, new Set())
  expect(found.map(({ spaceId }) => spaceId)).toEqual(expected)
})

it('what a release holds covers its own space alone', () => {
  const held = new Set([heldKey('a', 'wide')])
  const found = foreignBindings([binding(account('team-a'), account('team-b'))], spaces, held)
  expect(found.map(({ spaceId }) => spaceId)).toEqual(['b'])
})
