import { type Body, expectCode } from './answers.ts'
import type { Scope } from './scope.ts'

export const RBAC = 'rbac.authorization.k8s.io/v1'

export const rule = (verbs: string[], resources: string[], more: object = {}) => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
})

export const role = (name: string, ...rules: object[]) => ({
  apiVersion: RBAC,
  kind: 'Role',
  metadata: { name },
  rules,
})

export const binding = (name: string, user: string, roleName = name, kind = 'Role') => ({
  apiVersion: RBAC,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName },
  subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
})

/** Headers of a call on behalf of somebody else. */
export const as = (user: string, group?: string) => ({
  headers: { 'impersonate-user': user, ...(group ? { 'impersonate-group': group } : {}) },
})

/** Somebody who may do that in the namespace. */
export async function somebody(t: Scope, ...rules: object[]): Promise<string> {
  const user = t.unique('user')
  await t.make(`${RBAC}/roles`, role(user, ...rules))
  await t.make(`${RBAC}/rolebindings`, binding(user, user))
  await t.until('the rights to be known', async () => {
    const spec = {
      user,
      resourceAttributes: { namespace: t.namespace, ...firstOf(rules) },
    }
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
    return (
      rules.length === 0 || (await t.post('authorization.k8s.io/v1/subjectaccessreviews', review)).body.status.allowed
    )
  })
  return user
}

const firstOf = ([rule]: Body[]) => ({
  verb: rule?.verbs[0],
  group: rule?.apiGroups[0],
  resource: rule?.resources[0],
})

export async function tokenOf(t: Scope, name: string, spec: object = {}): Promise<string> {
  await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  return tokenAgain(t, name, spec)
}

export async function tokenAgain(t: Scope, name: string, spec: object): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  return expectCode(await t.post(`v1/serviceaccounts/${name}/token`, request), 201).status.token
}
