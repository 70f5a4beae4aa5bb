import assert from 'node:assert/strict'
import { type Body, expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { as, RBAC, rule, somebody, tokenOf } from '../../identities.ts'
import type { Scope } from '../../scope.ts'

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
  const mayActAs = (resource: string, resourceNames: string[], group = '') => ({
    apiGroups: [group],
    resources: [resource],
    resourceNames,
    verbs: ['impersonate'],
  })
  /** An account that may act as those, across the cluster; `list` says when that is known. */
  async function actor(t: Scope, ...rules: object[]): Promise<string> {
    const name = t.unique('actor')
    const token = await tokenOf(t, name)
    const list = { apiGroups: [''], resources: ['nodes'], verbs: ['list'] }
    await t.makeWide(`${RBAC}/clusterroles`, {
      apiVersion: RBAC,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [list, ...rules],
    })
    await t.makeWide(`${RBAC}/clusterrolebindings`, {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: t.namespace }],
    })
    await t.until('the rights', async () => (await t.call('GET', '/api/v1/nodes', { token })).code === 200)
    return token
  }
  const AUTHENTICATION = 'authentication.k8s.io'
  const whoIs = (t: Scope, headers: Record<string, string>, token: string) =>
    t.post(
      `${AUTHENTICATION}/v1/selfsubjectreviews`,
      { apiVersion: `${AUTHENTICATION}/v1`, kind: 'SelfSubjectReview' },
      { token, headers },
    )
  const wide = (resource: string, name: string, group = '') =>
    `"${name}" is forbidden: User "USER" cannot impersonate resource "${resource}" in API group "${group}" at the cluster scope`
  check('to act as a user is no right to act in a group', async (t) => {
    const token = await actor(t, mayActAs('users', ['jane']))
    expectCode(await whoIs(t, { 'impersonate-user': 'jane' }, token), 201)
    assert.equal((await whoIs(t, { 'impersonate-user': 'joe' }, token)).code, 403)
    const answer = await whoIs(t, { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }, token)
    assert.equal(answer.code, 403)
    const said = answer.body.message.replace(/User "[^"]*"/, 'User "USER"')
    assert.equal(said, `groups ${wide('groups', 'system:masters')}`)
  })
  check('each group is asked for', async (t) => {
    const token = await actor(t, mayActAs('users', ['jane']), mayActAs('groups', ['crew']))
    const { status } = expectCode(
      await whoIs(t, { 'impersonate-user': 'jane', 'impersonate-group': 'crew' }, token),
      201,
    )
    assert.deepEqual(status.userInfo.groups, ['crew', 'system:authenticated'])
    assert.equal((await whoIs(t, { 'impersonate-user': 'jane', 'impersonate-group': 'pilots' }, token)).code, 403)
  })
  check('extra values are asked for one by one, and so is the uid', async (t) => {
    const rules = [
      mayActAs('users', ['jane']),
      mayActAs('userextras/scopes', ['view'], AUTHENTICATION),
      mayActAs('uids', ['42'], AUTHENTICATION),
    ]
    const token = await actor(t, ...rules)
    const headers = { 'impersonate-user': 'jane', 'impersonate-extra-scopes': 'view', 'impersonate-uid': '42' }
    const { userInfo } = expectCode(await whoIs(t, headers, token), 201).status
    assert.deepEqual([userInfo.uid, userInfo.extra], ['42', { scopes: ['view'] }])
    const others: readonly (readonly [object, string])[] = [
      [
        { 'impersonate-extra-scopes': 'edit' },
        `userextras.${AUTHENTICATION} ${wide('userextras/scopes', 'edit', AUTHENTICATION)}`,
      ],
      [
        { 'impersonate-extra-team': 'view' },
        `userextras.${AUTHENTICATION} ${wide('userextras/team', 'view', AUTHENTICATION)}`,
      ],
      [{ 'impersonate-uid': '43' }, `uids.${AUTHENTICATION} ${wide('uids', '43', AUTHENTICATION)}`],
    ]
    for (const [more, message] of others) {
      const answer = await whoIs(t, { 'impersonate-user': 'jane', ...more }, token)
      assert.equal(answer.code, 403)
      assert.equal(answer.body.message.replace(/User "[^"]*"/, 'User "USER"'), message)
    }
  })
  check('an account is acted as where it is, and brings its groups', async (t) => {
    const target = `system:serviceaccount:${t.namespace}:default`
    const weak = await actor(t, mayActAs('users', [target]))
    refused(
      await whoIs(t, { 'impersonate-user': target }, weak),
      403,
      'Forbidden',
      /^serviceaccounts "default" is forbidden: User ".*" cannot impersonate resource "serviceaccounts" in API group "" in the namespace/,
    )
    const token = await actor(t, mayActAs('serviceaccounts', ['default']))
    const { userInfo } = expectCode(await whoIs(t, { 'impersonate-user': target }, token), 201).status
    assert.deepEqual(userInfo.groups, [
      'system:serviceaccounts',
      `system:serviceaccounts:${t.namespace}`,
      'system:authenticated',
    ])
  })
  check('what is done as somebody needs the rights of that one', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']))
    const token = await actor(t, mayActAs('users', [user]))
    const headers = { 'impersonate-user': user }
    assert.equal((await t.get('v1/configmaps', { token, headers })).code, 200)
    assert.equal((await t.call('GET', '/api/v1/nodes', { token, headers })).code, 403)
    assert.equal((await t.get('v1/configmaps', { token })).code, 403)
  })
  check('to act with a uid or extra values alone is refused', async (t) => {
    for (const header of ['impersonate-uid', 'impersonate-extra-scopes']) {
      const answer = await t.get('v1/configmaps', { headers: { [header]: 'view' } })
      assert.ok(answer.code >= 400)
      assert.match(answer.body.message, /without impersonating a user/)
    }
  })
  check('one may list what one may do in a namespace, and needs the right to ask', async (t) => {
    const body = review('SelfSubjectRulesReview', {})
    refused(await t.post(`${SAR}/selfsubjectrulesreviews`, body), 400, 'BadRequest', 'no namespace on request')
    const asked = review('SelfSubjectRulesReview', { namespace: t.namespace })
    const nobody = { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' } }
    assert.equal((await t.post(`${SAR}/selfsubjectrulesreviews`, asked, nobody)).code, 403)
  })
  check('a review tells rights on named objects, parts and deleting many', async (t) => {
    const user = await somebody(
      t,
      rule(['list', 'delete'], ['configmaps']),
      rule(['create'], ['serviceaccounts/token'], { resourceNames: ['robot'] }),
    )
    const ask = async (attributes: object) => {
      const spec = { user, resourceAttributes: { namespace: t.namespace, ...attributes } }
      return (await t.post(`${SAR}/subjectaccessreviews`, review('SubjectAccessReview', spec))).body.status.allowed
    }
    const token = { verb: 'create', resource: 'serviceaccounts', subresource: 'token' }
    assert.equal(await ask({ ...token, name: 'robot' }), true)
    assert.equal(await ask({ ...token, name: 'other' }), false)
    assert.equal(await ask(token), false)
    assert.equal(await ask({ verb: 'create', resource: 'serviceaccounts', name: 'robot' }), false)
    assert.equal(await ask({ verb: 'delete', resource: 'configmaps', name: 'any' }), true)
    assert.equal(await ask({ verb: 'deletecollection', resource: 'configmaps' }), false)
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
