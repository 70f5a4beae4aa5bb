import assert from 'node:assert/strict'
import { invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { as, binding, RBAC, role, rule, somebody } from '../identities.ts'
import { configMap } from '../objects.ts'
import { MERGE } from '../scope.ts'

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
