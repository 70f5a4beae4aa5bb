import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { binding, RBAC, tokenAgain, tokenOf } from '../identities.ts'
import { pod } from '../objects.ts'
import type { Scope } from '../scope.ts'

const claimsOf = (token: string): Body => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const tokens = area('service account tokens', (check) => {
  const reviewOf = (t: Scope, token: string, more: object = {}) =>
    t.post('authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, ...more },
    })
  check('a token is asked for, and says whose it is', async (t) => {
    const claims = claimsOf(await tokenOf(t, 'robot', { expirationSeconds: 1200 }))
    assert.equal(claims.sub, `system:serviceaccount:${t.namespace}:robot`)
    assert.equal(claims['kubernetes.io'].namespace, t.namespace)
    assert.equal(claims['kubernetes.io'].serviceaccount.name, 'robot')
    assert.equal(claims.exp - claims.iat, 1200)
  })
  check('an account without rights is refused by its name', async (t) => {
    const token = await tokenOf(t, 'robot')
    refused(
      await t.get('v1/pods', { token }),
      403,
      'Forbidden',
      `pods is forbidden: User "system:serviceaccount:${t.namespace}:robot" cannot list resource "pods" in API group "" in the namespace "${t.namespace}"`,
    )
  })
  check('an account gets rights by a binding', async (t) => {
    const token = await tokenOf(t, 'robot')
    const bound = binding('b', '', 'view', 'ClusterRole')
    const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: t.namespace }]
    await t.make(`${RBAC}/rolebindings`, { ...bound, subjects })
    await t.until('the rights', async () => (await t.get('v1/pods', { token })).code === 200)
  })
  check('an account belongs to the groups of accounts', async (t) => {
    const token = await tokenOf(t, 'robot')
    const { status } = expectCode(await reviewOf(t, token), 201)
    assert.equal(status.authenticated, true)
    assert.deepEqual(status.user.groups, [
      'system:serviceaccounts',
      `system:serviceaccounts:${t.namespace}`,
      'system:authenticated',
    ])
  })
  check('a token that is none is not authenticated', async (t) => {
    const { status } = expectCode(await reviewOf(t, 'guess'), 201)
    assert.equal(status.authenticated ?? false, false)
  })
  check('a token for others is not for the API', async (t) => {
    const token = await tokenOf(t, 'robot', { audiences: ['vault'] })
    assert.deepEqual(claimsOf(token).aud, ['vault'])
    assert.equal((await t.get('v1/pods', { token })).code, 401)
    const { status } = (await reviewOf(t, token, { audiences: ['vault'] })).body
    assert.deepEqual([status.authenticated, status.audiences], [true, ['vault']])
  })
  check('a token may not live for less than ten minutes', async (t) => {
    await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 60 } }
    invalid(await t.post('v1/serviceaccounts/robot/token', request), [
      'spec.expirationSeconds',
      'Invalid value: 60: may not specify a duration less than 10 minutes',
    ])
  })
  check('a token dies with its account', async (t) => {
    const token = await tokenOf(t, 'robot')
    assert.equal((await t.get('v1/pods', { token })).code, 403)
    await t.remove('v1/serviceaccounts/robot')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
  })
  check('a token dies with the pod that it is bound to', async (t) => {
    await tokenOf(t, 'robot')
    await t.make('v1/pods', pod('one', { serviceAccountName: 'robot', nodeSelector: { never: 'here' } }))
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'one' }
    const token = await tokenAgain(t, 'robot', { boundObjectRef })
    assert.equal(claimsOf(token)['kubernetes.io'].pod.name, 'one')
    assert.equal((await t.get('v1/pods', { token })).code, 403)
    await t.remove('v1/pods/one')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
  })
  check('a secret gets a token of its account', 'controllers', async (t) => {
    await tokenOf(t, 'robot')
    const annotations = { 'kubernetes.io/service-account.name': 'robot' }
    const type = 'kubernetes.io/service-account-token'
    await t.make('v1/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations }, type })
    const data = await t.until('the token', async () => {
      const { data: found } = await t.read('v1/secrets/s')
      return found?.token ? found : undefined
    })
    assert.equal(Buffer.from(data.namespace, 'base64').toString(), t.namespace)
    const token = Buffer.from(data.token, 'base64').toString()
    assert.equal((await t.get('v1/pods', { token })).code, 403)
  })
  check('a pod runs as the default account with its token mounted', async (t) => {
    await t.account()
    const { spec } = await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    assert.equal(spec.serviceAccountName, 'default')
    const [volume] = spec.volumes
    assert.match(volume.name, /^kube-api-access-[a-z0-9]{5}$/)
    holds(volume.projected.sources[0], { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } })
    holds(spec.containers[0].volumeMounts[0], {
      mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      readOnly: true,
    })
  })
  check('a pod may do without the token', async (t) => {
    await t.account()
    const spec = { automountServiceAccountToken: false, nodeSelector: { never: 'here' } }
    assert.equal((await t.make('v1/pods', pod('one', spec))).spec.volumes, undefined)
  })
  check('a pod of an account that is not there is refused', async (t) => {
    refused(
      await t.post('v1/pods', pod('one', { serviceAccountName: 'none' })),
      403,
      'Forbidden',
      `pods "one" is forbidden: error looking up service account ${t.namespace}/none: serviceaccount "none" not found`,
    )
  })
  check('kubectl makes a token', async (t) => {
    await tokenOf(t, 'robot')
    const { out } = await t.kubectl('create token robot --duration=20m')
    assert.equal(claimsOf(out.trim()).sub, `system:serviceaccount:${t.namespace}:robot`)
  })
})
