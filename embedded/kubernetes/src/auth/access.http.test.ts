import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../cluster.test-support.ts'
import { issueClientCertificate } from './certificates.ts'

let api: TestCluster
let token = ''

const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
const role = (name: string, rules: object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name },
  rules,
})
const binding = (name: string, kind: string, to: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: to },
  subjects: [{ kind: 'ServiceAccount', name: 'bob', namespace: 'default' }],
})

beforeAll(async () => {
  api = await testCluster()
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bob' } }
  await api.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account })
  const path = '/api/v1/namespaces/default/serviceaccounts/bob/token'
  token = (await api.call('POST', path, { body: { spec: { expirationSeconds: 900 } } })).body.status.token
})
afterAll(() => api[Symbol.asyncDispose]())

test('a service account may do nothing until a binding says so, and only there', async () => {
  const pods = '/api/v1/namespaces/default/pods'
  const refused = await api.call('GET', pods, { token })
  expect(refused.body).toMatchObject({
    code: 403,
    message:
      'pods is forbidden: User "system:serviceaccount:default:bob" cannot list resource "pods" in API group "" in the namespace "default"',
  })
  await api.call('POST', `${RBAC}/rolebindings`, { body: binding('bob-views', 'ClusterRole', 'view') })
  expect((await api.call('GET', pods, { token })).code).toBe(200)
  expect((await api.call('GET', '/api/v1/namespaces/kube-system/pods', { token })).code).toBe(403)
  expect((await api.call('GET', '/api/v1/namespaces/default/secrets', { token })).code).toBe(403)
  expect((await api.call('GET', '/api/v1/nodes', { token })).body.message).toContain('at the cluster scope')
  expect((await api.call('GET', '/apis', { token })).code).toBe(200)
  expect((await api.call('GET', '/quayside/faults', { token })).code).toBe(403)
})

test('nobody grants what they do not hold', async () => {
  const manage = {
    verbs: ['create', 'get'],
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
  }
  await api.call('POST', `${RBAC}/roles`, { body: role('role-maker', [manage]) })
  await api.call('POST', `${RBAC}/rolebindings`, { body: binding('bob-makes', 'Role', 'role-maker') })
  const greedy = role('greedy', [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }])
  const refused = await api.call('POST', `${RBAC}/roles`, { body: greedy, token })
  expect(refused.code).toBe(403)
  expect(refused.body.message).toContain('is attempting to grant RBAC permissions not currently held')
  const modest = role('modest', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }])
  expect((await api.call('POST', `${RBAC}/roles`, { body: modest, token })).code).toBe(201)
  const climb = await api.call('POST', `${RBAC}/rolebindings`, {
    body: binding('climb', 'ClusterRole', 'cluster-admin'),
    token,
  })
  expect(climb.code).toBe(403)
})

test('questions about rights are answered, for oneself and others', async () => {
  const ask = (spec: object, as?: string) =>
    api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      body: { spec },
      ...(as ? { token: as } : {}),
    })
  const resourceAttributes = { verb: 'delete', resource: 'pods', namespace: 'default' }
  expect((await ask({ resourceAttributes })).body.status.allowed).toBe(true)
  expect((await ask({ resourceAttributes }, token)).body.status.allowed).toBe(false)
  const review = {
    spec: { resourceAttributes: { ...resourceAttributes, verb: 'get' }, user: 'system:serviceaccount:default:bob' },
  }
  const other = await api.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body: review })
  expect(other.body.status.allowed).toBe(true)
  const who = await api.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {}, token })
  expect(who.body.status.userInfo.username).toBe('system:serviceaccount:default:bob')
})

test('acting as somebody else needs the right to', async () => {
  const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'devs' }
  const asJane = await api.call('GET', '/api/v1/namespaces', { headers })
  expect(asJane.body.message).toContain('User "jane" cannot list resource "namespaces"')
  const denied = await api.call('GET', '/api/v1/namespaces', { headers, token })
  expect(denied.body.message).toContain('cannot impersonate resource "users"')
})

test('each part of acting as somebody else is a right of its own, in its own API group', async () => {
  const impersonate = (apiGroups: string[], resources: string[]) => ({ verbs: ['impersonate'], apiGroups, resources })
  const bound = (name: string, rules: object[]) => [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules },
    { ...binding(name, 'ClusterRole', name), kind: 'ClusterRoleBinding' },
  ]
  const give = async (name: string, rules: object[]) => {
    const [made, given] = bound(name, rules)
    await api.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { body: made })
    await api.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { body: given })
  }
  const parts = {
    ...{ 'impersonate-user': 'jane', 'impersonate-group': 'devs' },
    ...{ 'impersonate-extra-scopes': 'view', 'impersonate-uid': '1234' },
  }
  const who = async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const { body } = await api.call('POST', path, { body: {}, headers: parts, token })
    return body.status.userInfo ?? body.message
  }
  await give('as-others', [impersonate([''], ['users', 'groups', 'uids', 'userextras/scopes'])])
  expect(await who()).toContain('cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io"')
  await give('as-extra', [impersonate(['authentication.k8s.io'], ['userextras/scopes'])])
  expect(await who()).toContain('cannot impersonate resource "uids" in API group "authentication.k8s.io"')
  await give('as-uid', [impersonate(['authentication.k8s.io'], ['uids'])])
  expect(await who()).toMatchObject({ username: 'jane', uid: '1234', extra: { scopes: ['view'] } })
})

test('a client certificate of the cluster is its bearer', async () => {
  const certificate = await issueClientCertificate(api.folder, 'jane, the admin', ['system:masters'], 600)
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const { userInfo } = (await api.call('POST', path, { body: {}, certificate })).body.status
  expect(userInfo).toEqual({ username: 'jane, the admin', groups: ['system:masters', 'system:authenticated'] })
})

test('a token dies with its account', async () => {
  const review = { spec: { token } }
  const ask = () => api.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: review })
  expect((await ask()).body.status.authenticated).toBe(true)
  await api.call('DELETE', '/api/v1/namespaces/default/serviceaccounts/bob')
  expect((await ask()).body.status.authenticated).toBe(false)
  expect((await api.call('GET', '/api', { token })).code).toBe(401)
})
