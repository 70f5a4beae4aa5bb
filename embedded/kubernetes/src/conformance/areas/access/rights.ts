import assert from 'node:assert/strict'
import { expectCode, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { as, binding, RBAC, role, rule, somebody } from '../../identities.ts'
import { configMap } from '../../objects.ts'
import { APPLY, MERGE } from '../../scope.ts'

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
  const GROUP = ['rbac.authorization.k8s.io']
  const onRoles = (verbs: string[], more: object = {}) => ({ apiGroups: GROUP, resources: ['roles'], verbs, ...more })
  const onBindings = (verbs: string[]) => ({ apiGroups: GROUP, resources: ['rolebindings'], verbs })
  check('what is granted too much is told once, by resource', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']), onRoles(['create']))
    const wanted = role(
      'more',
      rule(['list', 'get'], ['secrets', 'configmaps']),
      rule(['get'], ['pods'], { resourceNames: ['a', 'b'] }),
    )
    const missing = [
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["list" "get"]}',
    ].join('\n')
    refused(
      await t.post(`${RBAC}/roles`, wanted, as(user)),
      403,
      'Forbidden',
      `roles.rbac.authorization.k8s.io "more" is forbidden: user "${user}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${missing}`,
    )
  })
  check('a right to everything but for names is more than one to a name', async (t) => {
    const user = await somebody(
      t,
      rule(['list'], ['pods']),
      rule(['get'], ['configmaps'], { resourceNames: ['one'] }),
      onRoles(['create']),
    )
    const named = (...resourceNames: string[]) => role(t.unique('r'), rule(['get'], ['configmaps'], { resourceNames }))
    expectCode(await t.post(`${RBAC}/roles`, named('one'), as(user)), 201)
    assert.equal((await t.post(`${RBAC}/roles`, named('two'), as(user))).code, 403)
    assert.equal((await t.post(`${RBAC}/roles`, named(), as(user))).code, 403)
  })
  check('a role is not widened by an update or a patch either', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']), onRoles(['update', 'patch', 'get']))
    const made = await t.make(`${RBAC}/roles`, role('r', rule(['list'], ['configmaps'])))
    const wider = { ...made, rules: [rule(['*'], ['*'])] }
    assert.equal((await t.put(`${RBAC}/roles/r`, wider, as(user))).code, 403)
    const patched = await t.patch(`${RBAC}/roles/r`, MERGE, { rules: wider.rules }, as(user))
    refused(patched, 403, 'Forbidden', /not currently held:\n\{APIGroups:\[""\], Resources:\["\*"\], Verbs:\["\*"\]\}$/)
    const fewer = await t.patch(`${RBAC}/roles/r`, MERGE, { rules: [] }, as(user))
    expectCode(fewer, 200)
  })
  check('of a role that holds more than the writer, owners and finalizers alone may change', async (t) => {
    const user = await somebody(t, rule(['list'], ['configmaps']), onRoles(['update', 'patch', 'get']))
    await t.make(`${RBAC}/roles`, role('strong', rule(['get'], ['secrets'])))
    const change = (metadata: object) => t.patch(`${RBAC}/roles/strong`, MERGE, { metadata }, as(user))
    refused(await change({ labels: { a: 'b' } }), 403, 'Forbidden', /not currently held/)
    refused(await change({ annotations: { a: 'b' } }), 403, 'Forbidden', /not currently held/)
    expectCode(await change({ finalizers: ['example.org/wait'] }), 200)
    expectCode(await change({ finalizers: null }), 200)
  })
  check('of a binding that grants more than the writer has, neither subjects nor labels may change', async (t) => {
    await t.make(`${RBAC}/roles`, role('secretive', rule(['get'], ['secrets'])))
    await t.make(`${RBAC}/rolebindings`, binding('b', 'jane', 'secretive'))
    const user = await somebody(t, rule(['list'], ['pods']), onBindings(['update', 'patch', 'get']))
    const change = (body: object) => t.patch(`${RBAC}/rolebindings/b`, MERGE, body, as(user))
    refused(await change({ subjects: binding('b', user).subjects }), 403, 'Forbidden', /not currently held/)
    refused(await change({ metadata: { labels: { a: 'b' } } }), 403, 'Forbidden', /not currently held/)
    expectCode(await change({ metadata: { finalizers: [] } }), 200)
  })
  check('who may escalate one role escalates it alone, and by a path that names it', async (t) => {
    await t.make(`${RBAC}/roles`, role('one'))
    await t.make(`${RBAC}/roles`, role('two'))
    const user = await somebody(
      t,
      rule(['list'], ['pods']),
      onRoles(['create', 'patch']),
      onRoles(['escalate'], { resourceNames: ['one', 'three'] }),
    )
    const rules = [rule(['get'], ['secrets'])]
    expectCode(await t.patch(`${RBAC}/roles/one`, MERGE, { rules }, as(user)), 200)
    assert.equal((await t.patch(`${RBAC}/roles/two`, MERGE, { rules }, as(user))).code, 403)
    assert.equal((await t.post(`${RBAC}/roles`, role('three', ...rules), as(user))).code, 403)
    const applied = await t.patch(`${RBAC}/roles/three?fieldManager=me`, APPLY, role('three', ...rules), as(user))
    expectCode(applied, 201)
  })
  check('who may bind one role binds no other', async (t) => {
    await t.make(`${RBAC}/roles`, role('one', rule(['get'], ['secrets'])))
    await t.make(`${RBAC}/roles`, role('two', rule(['get'], ['secrets'])))
    const user = await somebody(
      t,
      rule(['list'], ['pods']),
      onBindings(['create']),
      onRoles(['bind'], { resourceNames: ['one'] }),
    )
    expectCode(await t.post(`${RBAC}/rolebindings`, binding('b', 'jane', 'one'), as(user)), 201)
    assert.equal((await t.post(`${RBAC}/rolebindings`, binding('c', 'jane', 'two'), as(user))).code, 403)
    const wide = binding('d', 'jane', 'one', 'ClusterRole')
    assert.equal((await t.post(`${RBAC}/rolebindings`, wide, as(user))).code, 404)
  })
  check('nobody binds to a role that is not there, for it may come', async (t) => {
    const user = await somebody(t, rule(['list'], ['pods']), onBindings(['create']))
    const answer = await t.post(`${RBAC}/rolebindings`, binding('b', user, 'none'), as(user))
    refused(answer, 404, 'NotFound', 'rolebindings.rbac.authorization.k8s.io "none" not found')
    expectCode(await t.post(`${RBAC}/rolebindings`, binding('b', 'jane', 'none')), 201)
  })
  check('a role that gathers others is for who may do everything', async (t) => {
    const user = t.unique('user')
    const name = t.unique('maker')
    const wide = { apiGroups: GROUP, resources: ['clusterroles'], verbs: ['create', 'patch'] }
    await t.makeWide(`${RBAC}/clusterroles`, { ...role(name, wide), kind: 'ClusterRole' })
    await t.makeWide(`${RBAC}/clusterrolebindings`, {
      ...binding(name, user, name, 'ClusterRole'),
      kind: 'ClusterRoleBinding',
    })
    const gathering = {
      ...role(t.unique('whole')),
      kind: 'ClusterRole',
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { of: 'none' } }] },
    }
    const answer = await t.until('the rights', async () => {
      const { body } = await t.post(
        `${RBAC}/clusterroles?dryRun=All`,
        { ...gathering, aggregationRule: undefined },
        as(user),
      )
      return body.kind === 'ClusterRole' && (await t.post(`${RBAC}/clusterroles`, gathering, as(user)))
    })
    refused(answer, 403, 'Forbidden', /must have cluster-admin privileges to use the aggregationRule$/)
  })
  check('applying what is not there asks for the right to create it, by its name', async (t) => {
    const maps = ['configmaps']
    const apply = (name: string, user: string) =>
      t.patch(`v1/configmaps/${name}?fieldManager=me`, APPLY, configMap(name), as(user))
    const patcher = await somebody(t, rule(['list', 'patch'], maps))
    refused(
      await apply('one', patcher),
      403,
      'Forbidden',
      `configmaps "one" is forbidden: User "${patcher}" cannot create resource "configmaps" in API group "" in the namespace "${t.namespace}"`,
    )
    const named = await somebody(
      t,
      rule(['list'], ['pods']),
      rule(['patch', 'create'], maps, { resourceNames: ['one'] }),
    )
    assert.equal((await t.post('v1/configmaps', configMap('one'), as(named))).code, 403)
    assert.equal((await apply('two', named)).code, 403)
    expectCode(await apply('one', named), 201)
    expectCode(await apply('one', patcher), 200)
    const creator = await somebody(t, rule(['list', 'create'], maps))
    const answer = await apply('three', creator)
    refused(answer, 403, 'Forbidden', /cannot patch resource "configmaps"/)
  })
  check('other patches do not make what is not there', async (t) => {
    const user = await somebody(t, rule(['list', 'patch', 'create'], ['configmaps']))
    const answer = await t.patch('v1/configmaps/none', MERGE, { data: {} }, as(user))
    refused(answer, 404, 'NotFound', 'configmaps "none" not found')
  })
  check('who may read one object may list and watch it by its name', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const user = await somebody(
      t,
      rule(['list'], ['pods']),
      rule(['list', 'watch'], ['configmaps'], { resourceNames: ['one'] }),
    )
    const list = (name: string) => t.get(`v1/configmaps?fieldSelector=metadata.name%3D${name}`, as(user))
    expectCode(await list('one'), 200)
    assert.equal((await list('two')).code, 403)
    assert.equal((await t.get('v1/configmaps', as(user))).code, 403)
    assert.equal((await t.get('v1/configmaps?fieldSelector=metadata.name%21%3Done', as(user))).code, 403)
  })
  check('to delete many is a right of its own', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const one = await somebody(t, rule(['list', 'delete'], ['configmaps']))
    const answer = await t.call('DELETE', t.path('v1/configmaps'), as(one))
    const why = `configmaps is forbidden: User "${one}" cannot deletecollection resource "configmaps" in API group "" in the namespace "${t.namespace}"`
    refused(answer, 403, 'Forbidden', why)
    expectCode(await t.call('DELETE', t.path('v1/configmaps/one'), as(one)), 200)
    const many = await somebody(t, rule(['list', 'deletecollection'], ['configmaps']))
    expectCode(await t.call('DELETE', t.path('v1/configmaps'), as(many)), 200)
  })
  check('everything of a group includes its parts', async (t) => {
    const user = await somebody(t, rule(['get', 'create'], ['*']))
    await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    expectCode(await t.post('v1/serviceaccounts/robot/token', request, as(user)), 201)
    assert.equal((await t.get('v1/pods/none/log', as(user))).code, 404)
    assert.equal((await t.get('apps/v1/deployments', as(user))).code, 403)
  })
  check('who edits by the usual role makes tokens, and who views does not', async (t) => {
    await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const answerOf = async (roleName: string) => {
      const user = t.unique('user')
      await t.make(`${RBAC}/rolebindings`, binding(user, user, roleName, 'ClusterRole'))
      await t.until('the rights', async () => (await t.get('v1/configmaps', as(user))).code === 200)
      return (await t.post('v1/serviceaccounts/robot/token', request, as(user))).code
    }
    assert.deepEqual([await answerOf('view'), await answerOf('edit'), await answerOf('admin')], [403, 201, 201])
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
