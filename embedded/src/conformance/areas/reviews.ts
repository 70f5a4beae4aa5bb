import assert from 'node:assert/strict'
import { type Body, expectCode, refused } from '../answers.ts'
import { area } from '../check.ts'
import { as, rule, somebody, tokenOf } from '../identities.ts'

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
