import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, refused, says } from '../../answers.ts'
import { area } from '../../check.ts'
import { as, binding, RBAC, rule, somebody, tokenAgain, tokenOf } from '../../identities.ts'
import { pod } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const claimsOf = (token: string): Body => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const tokens = area('service account tokens', (check) => {
  const reviewOf = (t: Scope, token: string, more: object = {}) =>
    t.post('authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, ...more },
    })
  /** The API server compares such a token with its own copy of the Secret, which comes a moment later. */
  const known = (t: Scope, token: string) =>
    t.until('the token to be known', async () => (await t.get('v1/pods', { token })).code === 403)
  const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })
  const bound = (kind: string, name: string) => ({ apiVersion: 'v1', kind, name })
  const ask = (t: Scope, account: string, spec: object) =>
    t.post(`v1/serviceaccounts/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
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
  check('a token for a pod is for the account that the pod runs as', async (t) => {
    await tokenOf(t, 'robot')
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const answer = await ask(t, 'robot', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'one' } })
    const why = 'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.'
    refused(answer, 400, 'BadRequest', why)
  })
  check('a token dies with the secret that it is bound to', async (t) => {
    await tokenOf(t, 'robot')
    await t.make('v1/secrets', secret('lock'))
    const token = await tokenAgain(t, 'robot', { boundObjectRef: bound('Secret', 'lock') })
    assert.equal(claimsOf(token)['kubernetes.io'].secret.name, 'lock')
    assert.equal((await t.get('v1/pods', { token })).code, 403)
    await t.remove('v1/secrets/lock')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
    const { status } = expectCode(await reviewOf(t, token), 201)
    assert.equal(status.authenticated ?? false, false)
    assert.equal(status.error, '[invalid bearer token, service account token has been invalidated]')
  })
  check('a new secret of the same name does not bring the token back', async (t) => {
    await tokenOf(t, 'robot')
    await t.make('v1/secrets', secret('lock'))
    const token = await tokenAgain(t, 'robot', { boundObjectRef: bound('Secret', 'lock') })
    await t.remove('v1/secrets/lock')
    await t.make('v1/secrets', secret('lock'))
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
    const { status } = expectCode(await reviewOf(t, token), 201)
    says(status.error, /secret UID \(.*\) does not match service account secret ref claim/)
  })
  check('a token dies with its secret, and no other token of the account does', async (t) => {
    const free = await tokenOf(t, 'robot')
    await t.make('v1/secrets', secret('lock'))
    await t.make('v1/secrets', secret('other'))
    const [token, other] = await Promise.all(
      ['lock', 'other'].map((name) => tokenAgain(t, 'robot', { boundObjectRef: bound('Secret', name) })),
    )
    await t.remove('v1/secrets/lock')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
    assert.equal((await t.get('v1/pods', { token: other })).code, 403)
    assert.equal((await t.get('v1/pods', { token: free })).code, 403)
  })
  check('a token is bound to an object that is there', async (t) => {
    await tokenOf(t, 'robot')
    const answer = await ask(t, 'robot', { boundObjectRef: bound('Secret', 'none') })
    refused(answer, 404, 'NotFound', 'secrets "none" not found')
  })
  check('a token is bound to the very object that is meant', async (t) => {
    await tokenOf(t, 'robot')
    const { metadata } = await t.make('v1/secrets', secret('lock'))
    const answer = await ask(t, 'robot', { boundObjectRef: { ...bound('Secret', 'lock'), uid: 'another' } })
    const why = `the UID in the bound object reference (another) does not match the UID in record. The object might have been deleted and then recreated`
    refused(answer, 409, 'Conflict', `Operation cannot be fulfilled on Secret "lock": ${why}`)
    const { status } = expectCode(
      await ask(t, 'robot', { boundObjectRef: { ...bound('Secret', 'lock'), uid: metadata.uid } }),
      201,
    )
    assert.equal(claimsOf(status.token)['kubernetes.io'].secret.uid, metadata.uid)
  })
  check('a token is bound to a pod, a secret or a node, and to nothing else', async (t) => {
    await tokenOf(t, 'robot')
    const answer = await ask(t, 'robot', { boundObjectRef: bound('ConfigMap', 'map') })
    refused(answer, 400, 'BadRequest', 'cannot bind token to object of type /v1, Kind=ConfigMap')
    const foreign = { ...bound('Secret', 'map'), apiVersion: 'apps/v1' }
    const other = await ask(t, 'robot', { boundObjectRef: foreign })
    refused(other, 400, 'BadRequest', 'cannot bind token to object of type apps/v1, Kind=Secret')
  })
  check('a token dies with its node', async (t) => {
    const name = t.unique('node')
    await t.makeWide('v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
    await tokenOf(t, 'robot')
    const token = await tokenAgain(t, 'robot', { boundObjectRef: bound('Node', name) })
    assert.equal(claimsOf(token)['kubernetes.io'].node.name, name)
    const { status } = expectCode(await reviewOf(t, token), 201)
    assert.deepEqual(status.user.extra['authentication.kubernetes.io/node-name'], [name])
    await t.call('DELETE', `/api/v1/nodes/${name}`)
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
  })
  check('a review tells the pod that a token is bound to', async (t) => {
    await tokenOf(t, 'robot')
    const { metadata } = await t.make(
      'v1/pods',
      pod('one', { serviceAccountName: 'robot', nodeSelector: { never: 'here' } }),
    )
    const token = await tokenAgain(t, 'robot', { boundObjectRef: bound('Pod', 'one') })
    const { status } = expectCode(await reviewOf(t, token), 201)
    assert.deepEqual(status.user.extra, {
      'authentication.kubernetes.io/credential-id': [`JTI=${claimsOf(token).jti}`],
      'authentication.kubernetes.io/pod-name': ['one'],
      'authentication.kubernetes.io/pod-uid': [metadata.uid],
    })
    assert.deepEqual(status.audiences, claimsOf(token).aud)
  })
  check('a token for a pod lives for a year when it is asked for as pods do, and says for an hour', async (t) => {
    await tokenOf(t, 'robot')
    await t.make('v1/pods', pod('one', { serviceAccountName: 'robot', nodeSelector: { never: 'here' } }))
    const { status } = expectCode(
      await ask(t, 'robot', { boundObjectRef: bound('Pod', 'one'), expirationSeconds: 3607 }),
      201,
    )
    const claims = claimsOf(status.token)
    assert.equal(claims.exp - claims.iat, 365 * 24 * 3600)
    assert.equal(claims['kubernetes.io'].warnafter - claims.iat, 3607)
    assert.ok(Math.abs(Date.parse(status.expirationTimestamp) / 1000 - claims.iat - 3607) <= 1)
    const unbound = claimsOf(await tokenAgain(t, 'robot', { expirationSeconds: 3607 }))
    assert.equal(unbound.exp - unbound.iat, 3607)
    const foreign = { boundObjectRef: bound('Pod', 'one'), expirationSeconds: 3607, audiences: ['vault'] }
    const other = claimsOf(await tokenAgain(t, 'robot', foreign))
    assert.equal(other.exp - other.iat, 3607)
  })
  check('a token may be asked for ten years, where nothing limits it, and never for longer than 2^32 s', async (t) => {
    await tokenOf(t, 'robot')
    const years = 10 * 365 * 24 * 3600
    const claims = claimsOf(await tokenAgain(t, 'robot', { expirationSeconds: years }))
    assert.equal(claims.exp - claims.iat, years)
    invalid(await ask(t, 'robot', { expirationSeconds: 2 ** 32 + 1 }), [
      'spec.expirationSeconds',
      'Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ])
  })
  check('a request for a token is about the account in its path', async (t) => {
    await tokenOf(t, 'robot')
    const { metadata } = await t.read('v1/serviceaccounts/robot')
    const asked = (more: object) =>
      t.post('v1/serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: more,
        spec: {},
      })
    invalid(await asked({ name: 'other' }), [
      'metadata.name',
      'Invalid value: "other": must match the service account name if specified',
    ])
    const why = `the UID in the token request (another) does not match the UID of the service account (${metadata.uid})`
    const refusal = `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": ${why}`
    refused(await asked({ uid: 'another' }), 409, 'Conflict', refusal)
    const made = expectCode(await asked({ uid: metadata.uid }), 201)
    holds(made.metadata, { name: 'robot', namespace: t.namespace, uid: metadata.uid })
    assert.equal(made.spec.expirationSeconds, 3600)
  })
  check('a token is asked for by who may create that part of the account', async (t) => {
    await tokenOf(t, 'robot')
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const path = 'v1/serviceaccounts/robot/token'
    const weak = await somebody(t, rule(['create', 'update', 'get'], ['serviceaccounts']))
    refused(
      await t.post(path, request, as(weak)),
      403,
      'Forbidden',
      `serviceaccounts "robot" is forbidden: User "${weak}" cannot create resource "serviceaccounts/token" in API group "" in the namespace "${t.namespace}"`,
    )
    const all = await somebody(t, rule(['create'], ['*']))
    expectCode(await t.post(path, request, as(all)), 201)
    const parts = await somebody(t, rule(['list'], ['pods']), rule(['create'], ['*/token']))
    expectCode(await t.post(path, request, as(parts)), 201)
    const named = await somebody(
      t,
      rule(['list'], ['pods']),
      rule(['create'], ['serviceaccounts/token'], { resourceNames: ['other'] }),
    )
    assert.equal((await t.post(path, request, as(named))).code, 403)
  })
  check('an account that came again does not know the tokens of the one before', async (t) => {
    const token = await tokenOf(t, 'robot')
    await t.remove('v1/serviceaccounts/robot')
    await tokenOf(t, 'robot')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
  })
  check('a token that somebody changed is nobody', async (t) => {
    const [head = '', body = '', mark = ''] = (await tokenOf(t, 'robot')).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const other = encoded({ ...claims, sub: 'system:serviceaccount:kube-system:default' })
    const none = encoded({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg: 'none' })
    for (const token of [`${head}.${other}.${mark}`, `${none}.${body}.`, `${head}.${body}`]) {
      assert.equal((await t.get('v1/pods', { token })).code, 401)
    }
  })
  check('a review needs a token', async (t) => {
    refused(await reviewOf(t, ''), 400, 'BadRequest', 'token is required for TokenReview in authentication')
    const { status } = expectCode(await reviewOf(t, 'guess'), 201)
    assert.equal(status.error, 'invalid bearer token')
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
    await known(t, token)
  })
  check('the token of a secret dies with the secret', 'controllers', async (t) => {
    await tokenOf(t, 'robot')
    const annotations = { 'kubernetes.io/service-account.name': 'robot' }
    const body = { ...secret('s'), metadata: { name: 's', annotations }, type: 'kubernetes.io/service-account-token' }
    await t.make('v1/secrets', body)
    const tokenIn = () => t.until('the token', async () => (await t.read('v1/secrets/s')).data?.token)
    const token = Buffer.from(await tokenIn(), 'base64').toString()
    const claims = claimsOf(token)
    assert.deepEqual([claims.iss, claims.aud, claims.exp], ['kubernetes/serviceaccount', undefined, undefined])
    await known(t, token)
    await t.remove('v1/secrets/s')
    await t.until('the token to die', async () => (await t.get('v1/pods', { token })).code === 401)
    await t.make('v1/secrets', { ...body, type: 'Opaque' })
    assert.equal((await t.get('v1/pods', { token })).code, 401)
  })
  check('a secret for an account that is not there gets no token, and goes', 'controllers', async (t) => {
    const annotations = { 'kubernetes.io/service-account.name': 'none' }
    const body = { ...secret('s'), metadata: { name: 's', annotations }, type: 'kubernetes.io/service-account-token' }
    await t.make('v1/secrets', body)
    await t.until('the secret to go', async () => (await t.get('v1/secrets/s')).code === 404)
  })
  check('an account gets no secret by itself', 'controllers', async (t) => {
    await tokenOf(t, 'robot')
    await t.until('the default account', async () => (await t.get('v1/serviceaccounts/default')).code === 200)
    const { items } = await t.read('v1/secrets')
    assert.deepEqual(items, [])
    assert.equal((await t.read('v1/serviceaccounts/robot')).secrets, undefined)
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
