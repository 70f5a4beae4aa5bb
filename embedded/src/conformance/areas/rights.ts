import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap, pod } from '../objects.ts'
import { MERGE, type Scope } from '../scope.ts'

const RBAC = 'rbac.authorization.k8s.io/v1'
const rule = (verbs: string[], resources: string[], more: object = {}) => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
})
const role = (name: string, ...rules: object[]) => ({ apiVersion: RBAC, kind: 'Role', metadata: { name }, rules })
const binding = (name: string, user: string, roleName = name, kind = 'Role') => ({
  apiVersion: RBAC,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName },
  subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
})
const as = (user: string, ...groups: string[]) => ({
  headers: { 'impersonate-user': user, ...(groups[0] ? { 'impersonate-group': groups[0] } : {}) },
})

/** Somebody who may do that in the namespace. */
async function somebody(t: Scope, ...rules: object[]): Promise<string> {
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

export const rights = area('rights', (check) => {
  check('without a token one is somebody else or nobody', async (t) => {
    const answer = await t.get('v1/configmaps', { token: null })
    if (answer.code === 401) refused(answer, 401, 'Unauthorized', 'Unauthorized')
    else refused(answer, 403, 'Forbidden', /^configmaps is forbidden: User "system:anonymous" cannot list resource/)
  })
  check('a token that nobody gave is 401', async (t) => {
    refused(await t.get('v1/configmaps', { token: 'guess' }), 401, 'Unauthorized', 'Unauthorized')
  })
  check('a refusal says who may not do what and where', async (t) => {
    const answer = await t.get('v1/configmaps', as('jane'))
    refused(
      answer,
      403,
      'Forbidden',
      `configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "${t.namespace}"`,
    )
    assert.deepEqual(answer.body.details, { kind: 'configmaps' })
  })
  check('a refusal names the object, the group and the subresource', async (t) => {
    refused(
      await t.get('apps/v1/deployments/web/scale', as('jane')),
      403,
      'Forbidden',
      `deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "${t.namespace}"`,
    )
  })
  check('a refusal across the cluster says so', async (t) => {
    refused(
      await t.call('GET', '/api/v1/nodes', as('jane')),
      403,
      'Forbidden',
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
    )
  })
  check('a refusal of a path says so', async (t) => {
    refused(
      await t.call('GET', '/metrics', as('jane')),
      403,
      'Forbidden',
      'forbidden: User "jane" cannot get path "/metrics"',
    )
  })
  check('a role gives what it says, and no more', async (t) => {
    const user = await somebody(t, rule(['get', 'list'], ['configmaps']))
    assert.equal((await t.get('v1/configmaps', as(user))).code, 200)
    assert.equal((await t.get('v1/secrets', as(user))).code, 403)
    assert.equal((await t.call('GET', '/api/v1/configmaps', as(user))).code, 403)
    assert.equal((await t.post('v1/configmaps', configMap('x'), as(user))).code, 403)
  })
  check('a role may name objects', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    await t.make('v1/configmaps', configMap('two'))
    const user = await somebody(t, rule(['list'], ['pods']), rule(['get'], ['configmaps'], { resourceNames: ['one'] }))
    assert.equal((await t.get('v1/configmaps/one', as(user))).code, 200)
    assert.equal((await t.get('v1/configmaps/two', as(user))).code, 403)
  })
  check('a right on an object is none on its parts', async (t) => {
    const user = await somebody(t, rule(['get'], ['pods']))
    assert.equal((await t.get('v1/pods/none', as(user))).code, 404)
    assert.equal((await t.get('v1/pods/none/log', as(user))).code, 403)
  })
  check('groups have rights', async (t) => {
    const group = t.unique('crew')
    await t.make(`${RBAC}/roles`, role('r', rule(['list'], ['configmaps'])))
    const bound = binding('r', group)
    await t.make(`${RBAC}/rolebindings`, { ...bound, subjects: [{ ...bound.subjects[0], kind: 'Group' }] })
    await t.until('the rights', async () => (await t.get('v1/configmaps', as('jane', group))).code === 200)
    assert.equal((await t.get('v1/configmaps', as('jane'))).code, 403)
  })
  check('a cluster role bound in a namespace counts there', async (t) => {
    const user = t.unique('user')
    await t.make(`${RBAC}/rolebindings`, binding('v', user, 'view', 'ClusterRole'))
    await t.until('the rights', async () => (await t.get('v1/configmaps', as(user))).code === 200)
    assert.equal((await t.get('v1/secrets', as(user))).code, 403)
    assert.equal((await t.call('GET', '/api/v1/nodes', as(user))).code, 403)
  })
  check('a binding to somebody who makes roles does not let him give more than he has', async (t) => {
    const user = await somebody(t, {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles'],
      verbs: ['create'],
    })
    const wanted = role('more', rule(['get'], ['secrets']))
    await t.until(
      'the rights',
      async () => (await t.post(`${RBAC}/roles?dryRun=All`, role('none'), as(user))).code === 201,
    )
    refused(
      await t.post(`${RBAC}/roles`, wanted, as(user)),
      403,
      'Forbidden',
      `roles.rbac.authorization.k8s.io "more" is forbidden: user "${user}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
    )
  })
  check('who may escalate gives what he does not have', async (t) => {
    const user = await somebody(t, rule(['list'], ['pods']), {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles'],
      verbs: ['create', 'escalate'],
    })
    await t.until('the rights', async () => {
      return (await t.post(`${RBAC}/roles`, role('more', rule(['get'], ['secrets'])), as(user))).code === 201
    })
  })
  check('a binding gives no more than the binder has', async (t) => {
    await t.make(`${RBAC}/roles`, role('secretive', rule(['get'], ['secrets'])))
    const bindings = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['create'] }
    const user = await somebody(t, rule(['list'], ['pods']), bindings)
    await t.until('the rights', async () => {
      const answer = await t.post(`${RBAC}/rolebindings`, binding('b', 'jane', 'secretive'), as(user))
      return answer.body.message?.includes('attempting to grant RBAC permissions not currently held')
    })
  })
  check('who may bind a role binds it', async (t) => {
    await t.make(`${RBAC}/roles`, role('secretive', rule(['get'], ['secrets'])))
    const group = ['rbac.authorization.k8s.io']
    const user = await somebody(
      t,
      rule(['list'], ['pods']),
      { apiGroups: group, resources: ['rolebindings'], verbs: ['create'] },
      { apiGroups: group, resources: ['roles'], verbs: ['bind'], resourceNames: ['secretive'] },
    )
    await t.until('the rights', async () => {
      return (await t.post(`${RBAC}/rolebindings`, binding('b', 'jane', 'secretive'), as(user))).code === 201
    })
  })
  check('what a binding binds to stays', async (t) => {
    await t.make(`${RBAC}/rolebindings`, binding('b', 'jane', 'one'))
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'two' }
    const answer = await t.patch(`${RBAC}/rolebindings/b`, MERGE, { roleRef })
    invalid(answer, ['roleRef', /cannot change roleRef$/])
  })
  check('a rule needs verbs and resources', async (t) => {
    invalid(
      await t.post(`${RBAC}/roles`, role('r', { apiGroups: [''] })),
      ['rules[0].verbs', 'Required value: verbs must contain at least one value'],
      ['rules[0].resources', 'Required value: resource rules must supply at least one resource'],
    )
  })
  check('a cluster role gathers those with its labels', 'controllers', async (t) => {
    const label = t.unique('part')
    const wide = (name: string, more: object) => ({
      apiVersion: RBAC,
      kind: 'ClusterRole',
      metadata: { name },
      ...more,
    })
    const whole = t.unique('whole')
    await t.makeWide(`${RBAC}/clusterroles`, {
      ...wide(whole, { rules: [] }),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { of: label } }] },
    })
    const rules = [rule(['get'], ['configmaps'])]
    await t.makeWide(`${RBAC}/clusterroles`, {
      ...wide(label, { rules }),
      metadata: { name: label, labels: { of: label } },
    })
    const find = async () => (await t.read(`${RBAC}/clusterroles/${whole}`)).rules?.length === 1
    await t.until('the rules', find)
    assert.deepEqual((await t.read(`${RBAC}/clusterroles/${whole}`)).rules, rules)
  })
})

export const reviews = area('reviews and impersonation', (check) => {
  const SAR = 'authorization.k8s.io/v1'
  const review = (kind: string, spec: object) => ({ apiVersion: SAR, kind, spec })
  check('one may ask what one may do', async (t) => {
    const resourceAttributes = { namespace: t.namespace, verb: 'delete', resource: 'secrets' }
    const body = review('SelfSubjectAccessReview', { resourceAttributes })
    const mine = expectCode(await t.post(`${SAR}/selfsubjectaccessreviews`, body), 201)
    assert.equal(mine.status.allowed, true)
    const other = expectCode(await t.post(`${SAR}/selfsubjectaccessreviews`, body, as('jane')), 201)
    assert.equal(other.status.allowed, false)
  })
  check('the reason names the binding', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const resourceAttributes = { namespace: t.namespace, verb: 'list', resource: 'configmaps' }
    const body = review('SelfSubjectAccessReview', { resourceAttributes })
    const { status } = (await t.post(`${SAR}/selfsubjectaccessreviews`, body, as(user))).body
    assert.equal(
      status.reason,
      `RBAC: allowed by RoleBinding "${user}/${t.namespace}" of Role "${user}" to User "${user}"`,
    )
  })
  check('one may ask for somebody else', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const ask = (verb: string) =>
      t.post(
        `${SAR}/subjectaccessreviews`,
        review('SubjectAccessReview', {
          user,
          resourceAttributes: { namespace: t.namespace, verb, resource: 'configmaps' },
        }),
      )
    assert.equal((await ask('list')).body.status.allowed, true)
    assert.equal((await ask('delete')).body.status.allowed, false)
  })
  check('a local review stays in its namespace', async (t) => {
    const spec = { user: 'jane', resourceAttributes: { namespace: 'other', verb: 'get', resource: 'pods' } }
    const path = `/apis/${SAR}/namespaces/${t.namespace}/localsubjectaccessreviews`
    const answer = await t.call('POST', path, { body: review('LocalSubjectAccessReview', spec) })
    assert.equal(answer.code, 422)
    assert.match(answer.body.message, /must match metadata\.namespace/)
  })
  check('a review of nothing is refused', async (t) => {
    const answer = await t.post(`${SAR}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview', {}))
    refused(answer, 422, 'Invalid', /exactly one of nonResourceAttributes or resourceAttributes must be specified/)
  })
  check('one may list what one may do', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const body = review('SelfSubjectRulesReview', { namespace: t.namespace })
    const { status } = expectCode(await t.post(`${SAR}/selfsubjectrulesreviews`, body, as(user)), 201)
    assert.equal(status.incomplete, false)
    assert.ok(status.resourceRules.some(({ resources }: Body) => resources.includes('configmaps')))
    assert.ok(status.nonResourceRules.length > 0)
  })
  check('one may ask who one is', async (t) => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const path = 'authentication.k8s.io/v1/selfsubjectreviews'
    const { status } = expectCode(await t.post(path, body, as('jane', 'crew')), 201)
    assert.equal(status.userInfo.username, 'jane')
    assert.deepEqual(status.userInfo.groups, ['crew', 'system:authenticated'])
  })
  check('to act as somebody needs the right to', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const made = await t.call('POST', '/api/v1/namespaces/default/serviceaccounts?dryRun=All', {
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } },
      ...as(user),
    })
    assert.equal(made.code, 403)
    const token = await tokenOf(t, 'weak')
    const answer = await t.get('v1/configmaps', { token, headers: { 'impersonate-user': 'jane' } })
    refused(
      answer,
      403,
      'Forbidden',
      `users "jane" is forbidden: User "system:serviceaccount:${t.namespace}:weak" cannot impersonate resource "users" in API group "" at the cluster scope`,
    )
  })
  check('to act as a group alone is refused', async (t) => {
    const answer = await t.get('v1/configmaps', { headers: { 'impersonate-group': 'crew' } })
    assert.ok(answer.code >= 400)
    assert.match(answer.body.message, /without impersonating a user|requested .* without/)
  })
  check('kubectl auth can-i says yes and no', async (t) => {
    assert.equal((await t.kubectl('auth can-i create pods')).out.trim(), 'yes')
    const no = await t.kubectl('auth can-i create pods --as jane')
    assert.deepEqual([no.out.trim(), no.code], ['no', 1])
  })
  check('kubectl auth can-i --list shows a table', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const { out } = await t.kubectl(`auth can-i --list --as ${user}`)
    assert.match(out, /^Resources +Non-Resource URLs +Resource Names +Verbs$/m)
    assert.match(out, /^configmaps +\[\] +\[\] +\[list\]$/m)
  })
  check('kubectl auth whoami says who', async (t) => {
    const { out } = await t.kubectl('auth whoami --as jane --as-group crew')
    assert.match(out, /^Username +jane$/m)
    assert.match(out, /^Groups +\[crew system:authenticated\]$/m)
  })
})

async function tokenOf(t: Scope, name: string, spec: object = {}): Promise<string> {
  await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  return tokenAgain(t, name, spec)
}

async function tokenAgain(t: Scope, name: string, spec: object): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  return expectCode(await t.post(`v1/serviceaccounts/${name}/token`, request), 201).status.token
}

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
