import assert from 'node:assert/strict'
import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { as, rule, somebody } from '../../identities.ts'
import { configMap, IMAGE, pod } from '../../objects.ts'
import { APPLY, type Scope, STRATEGIC } from '../../scope.ts'

const ADMISSION = 'admissionregistration.k8s.io/v1'

const POLICIES = `${ADMISSION}/validatingadmissionpolicies`

const ON_MAPS = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
}

const policy = (name: string, validations: object[], more: object = {}) => ({
  apiVersion: ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { failurePolicy: 'Fail', matchConstraints: ON_MAPS, validations, ...more },
})

/** A policy in force in the namespace of the check. */
async function inForce(t: Scope, validations: object[], more: object = {}, bound: object = {}) {
  const name = t.unique('policy')
  await t.makeWide(POLICIES, policy(name, validations, more))
  await t.makeWide(`${ADMISSION}/validatingadmissionpolicybindings`, {
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: {
      policyName: name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.namespace } } },
      ...bound,
    },
  })
  return name
}

/** Refusal by the policy: creates the object (as a dry run) again and again until the policy is in force. */
const refusal = (t: Scope, body: object = configMap('bad')) =>
  t.until('the policy to be in force', async () => {
    const answer = await t.post('v1/configmaps?dryRun=All', body)
    return answer.code !== 201 && answer
  })

export const policies = area('admission policies', (check) => {
  check('a policy denies what its expression does not hold for', async (t) => {
    const name = await inForce(t, [{ expression: 'has(object.data) && "ok" in object.data', message: 'ok is missing' }])
    refused(
      await refusal(t),
      422,
      'Invalid',
      `configmaps "bad" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: ok is missing`,
    )
    expectCode(await t.post('v1/configmaps?dryRun=All', configMap('good', { ok: '1' })), 201)
  })
  check('without a message the expression is told', async (t) => {
    await inForce(t, [{ expression: "object.metadata.name != 'bad'" }])
    const answer = await refusal(t)
    assert.match(answer.body.message, /denied request: failed expression: object\.metadata\.name != 'bad'$/)
  })
  check('a message may be made', async (t) => {
    await inForce(t, [
      { expression: "object.metadata.name != 'bad'", messageExpression: "'no ' + object.metadata.name" },
    ])
    assert.match((await refusal(t)).body.message, /denied request: no bad$/)
  })
  check('a reason may be given', async (t) => {
    await inForce(t, [{ expression: 'false', message: 'no', reason: 'Forbidden' }])
    refused(await refusal(t), 403, 'Forbidden', /denied request: no$/)
  })
  check('variables are computed once', async (t) => {
    await inForce(t, [{ expression: 'variables.n == 0', message: 'has data' }], {
      variables: [{ name: 'n', expression: 'has(object.data) ? size(object.data) : 0' }],
    })
    assert.match((await refusal(t, configMap('bad', { a: '1' }))).body.message, /has data$/)
  })
  check('conditions say when it counts', async (t) => {
    await inForce(t, [{ expression: 'false', message: 'no' }], {
      matchConditions: [{ name: 'bad-ones', expression: "object.metadata.name.startsWith('bad')" }],
    })
    await refusal(t)
    expectCode(await t.post('v1/configmaps?dryRun=All', configMap('good')), 201)
  })
  check('an update sees what was', async (t) => {
    const expression = 'oldObject == null || !has(oldObject.data) || object.data.a == oldObject.data.a'
    await inForce(t, [{ expression, message: 'a stays' }, { expression: "object.metadata.name != 'bad'" }])
    await refusal(t)
    const made = await t.make('v1/configmaps', configMap('one', { a: '1' }))
    const answer = await t.put('v1/configmaps/one', { ...made, data: { a: '2' } })
    refused(answer, 422, 'Invalid', /denied request: a stays$/)
  })
  check('a policy may warn instead', async (t) => {
    await inForce(t, [{ expression: 'false', message: 'careful' }], {}, { validationActions: ['Warn'] })
    const warning = await t.until('a warning', async () => {
      const answer = await t.post('v1/configmaps?dryRun=All', configMap('one'))
      assert.equal(answer.code, 201)
      return answer.headers.warning
    })
    assert.match(String(warning), /Validation failed for ValidatingAdmissionPolicy '.*' with binding '.*': careful/)
  })
  const onRights = (resources: string[], operations: string[], apiGroups = ['']) => ({
    matchConstraints: { resourceRules: [{ apiGroups, apiVersions: ['v1'], operations, resources }] },
  })
  check('a policy holds for what is applied, by name and by whoever acts', async (t) => {
    const expression = "object.metadata.name != 'bad' || request.userInfo.username == 'friend'"
    await inForce(t, [{ expression, message: 'no' }])
    await refusal(t)
    const applied = await t.patch('v1/configmaps/bad?fieldManager=me', APPLY, configMap('bad'))
    refused(applied, 422, 'Invalid', /denied request: no$/)
    const asFriend = { headers: { 'impersonate-user': 'friend', 'impersonate-group': 'system:masters' } }
    expectCode(await t.post('v1/configmaps?dryRun=All', configMap('bad'), asFriend), 201)
  })
  check('a policy may keep objects from being deleted', async (t) => {
    await t.make('v1/configmaps', configMap('kept'))
    await t.make('v1/configmaps', configMap('free'))
    await inForce(
      t,
      [
        {
          expression: "oldObject.metadata.name != 'kept' && object == null && request.operation == 'DELETE'",
          message: 'stays',
        },
      ],
      onRights(['configmaps'], ['DELETE']),
    )
    const answer = await t.until('the policy to be in force', async () => {
      const said = await t.call('DELETE', t.path('v1/configmaps/kept?dryRun=All'))
      return said.code !== 200 && said
    })
    refused(answer, 422, 'Invalid', /^configmaps "kept" is forbidden: .* denied request: stays$/)
    expectCode(await t.remove('v1/configmaps/free'), 200)
  })
  check('a policy may limit the tokens of accounts', async (t) => {
    await t.make('v1/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    await inForce(
      t,
      [{ expression: 'object.spec.expirationSeconds <= 3600', message: 'an hour at most' }],
      onRights(['serviceaccounts/token'], ['CREATE']),
    )
    const ask = (expirationSeconds: number) =>
      t.post('v1/serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds },
      })
    const answer = await t.until('the policy to be in force', async () => {
      const said = await ask(7200)
      return said.code !== 201 && said
    })
    refused(answer, 422, 'Invalid', /^serviceaccounts "robot" is forbidden: .* denied request: an hour at most$/)
    expectCode(await ask(3600), 201)
  })
  check('a policy sees the ephemeral containers of a pod', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    await inForce(
      t,
      [{ expression: '!has(object.spec.ephemeralContainers)', message: 'no debugging' }],
      onRights(['pods/ephemeralcontainers'], ['UPDATE']),
    )
    const body = { spec: { ephemeralContainers: [{ name: 'debug', image: IMAGE }] } }
    const answer = await t.until('the policy to be in force', async () => {
      const said = await t.patch('v1/pods/one/ephemeralcontainers?dryRun=All', STRATEGIC, body)
      return said.code !== 200 && said
    })
    refused(answer, 422, 'Invalid', /denied request: no debugging$/)
  })
  check('a policy asks what somebody may do', async (t) => {
    const mayRead = (name: string) => `authorizer.group('').resource('nodes').name('${name}').check('get').allowed()`
    await inForce(t, [
      { expression: `object.metadata.name != 'bad' && ${mayRead('one')}`, message: 'not without nodes' },
    ])
    await refusal(t)
    expectCode(await t.post('v1/configmaps?dryRun=All', configMap('good')), 201)
    const other = as(await somebody(t, rule(['create'], ['configmaps'])))
    const answer = await t.post('v1/configmaps?dryRun=All', configMap('good'), other)
    refused(answer, 422, 'Invalid', /denied request: not without nodes$/)
  })
  check('an expression that cannot be compiled is refused', async (t) => {
    const answer = await t.post(POLICIES, policy(t.unique('policy'), [{ expression: 'object.' }]))
    refused(answer, 422, 'Invalid', /spec\.validations\[0\]\.expression: Invalid value: .*compilation failed/)
  })
  check('a binding that both denies and warns is refused', async (t) => {
    const body = {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: t.unique('b') },
      spec: { policyName: 'x', validationActions: ['Deny', 'Warn'] },
    }
    const answer = await t.post(`${ADMISSION}/validatingadmissionpolicybindings`, body)
    refused(answer, 422, 'Invalid', /must not contain both Deny and Warn/)
  })
})
