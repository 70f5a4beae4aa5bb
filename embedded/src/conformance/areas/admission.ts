import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap } from '../objects.ts'
import type { Scope } from '../scope.ts'

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

/** What is said once the policy is known. */
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

const webhook = (more: object = {}) => ({
  name: 'check.example.com',
  clientConfig: { url: 'https://hooks.example.com/check' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
  ...more,
})
const configuration = (kind: string, name: string, ...webhooks: object[]) => ({
  apiVersion: ADMISSION,
  kind,
  metadata: { name },
  webhooks,
})

export const webhooks = area('webhook configurations', (check) => {
  check('a validating one gets defaults', async (t) => {
    const name = t.unique('hook')
    const made = await t.makeWide(
      `${ADMISSION}/validatingwebhookconfigurations`,
      configuration('ValidatingWebhookConfiguration', name, webhook()),
    )
    const [one] = made.webhooks
    holds(one, { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 })
    assert.deepEqual([one.namespaceSelector, one.objectSelector], [{}, {}])
    assert.equal(one.rules[0].scope, '*')
    assert.equal(made.metadata.generation, 1)
  })
  check('a mutating one is called once more never', async (t) => {
    const name = t.unique('hook')
    const body = configuration('MutatingWebhookConfiguration', name, webhook())
    const made = await t.makeWide(`${ADMISSION}/mutatingwebhookconfigurations`, body)
    assert.equal(made.webhooks[0].reinvocationPolicy, 'Never')
  })
  check('a service gets a port', async (t) => {
    const clientConfig = { service: { name: 's', namespace: 'n' } }
    const body = configuration('MutatingWebhookConfiguration', t.unique('hook'), webhook({ clientConfig }))
    const made = await t.makeWide(`${ADMISSION}/mutatingwebhookconfigurations`, body)
    assert.equal(made.webhooks[0].clientConfig.service.port, 443)
  })
  const mistakes: [string, object, string, RegExp | string][] = [
    ['a name of three parts', { name: 'check' }, 'webhooks[0].name', /should be a domain with at least three segments/],
    [
      'side effects',
      { sideEffects: 'Some' },
      'webhooks[0].sideEffects',
      'Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      'versions of the review',
      { admissionReviewVersions: [] },
      'webhooks[0].admissionReviewVersions',
      /must specify one of v1, v1beta1/,
    ],
    [
      'an address',
      { clientConfig: {} },
      'webhooks[0].clientConfig',
      'Required value: exactly one of url or service is required',
    ],
    [
      'a short wait',
      { timeoutSeconds: 31 },
      'webhooks[0].timeoutSeconds',
      'Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    ],
  ]
  for (const [what, more, field, why] of mistakes) {
    check(`a webhook needs ${what}`, async (t) => {
      const body = configuration('ValidatingWebhookConfiguration', t.unique('hook'), webhook(more))
      invalid(await t.post(`${ADMISSION}/validatingwebhookconfigurations`, body), [field, why])
    })
  }
})

const CSR = 'certificates.k8s.io/v1/certificatesigningrequests'
/** A request for jane of the crew; nobody keeps the key. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHTnlaWGN4RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVN3R1J4aitZc2pSc2xqVW9vcFBiNk5XckhYdHF0K3FHVHZST0RICml2QWpQV0xWUG9Rd3RNcnlDVTQ4di9nZ1VaaWh6RW1ZZFRlUTFXTjlYRGp3K1IrRm9BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUloQU9nNGl1bTg4MUJ1RHBoL1hYRnBSeVVQcTJFNHFta25lYzNZZTRITi9SYk1BaUJoRTJaaQptQnhCTFM2RFl6S1JZNGkzc0N3MjluRFRQQVJGYVQvZFpSQnpoZz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='
const csr = (name: string, more: object = {}) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: { request: REQUEST, signerName: 'example.com/none', usages: ['client auth'], ...more },
})

export const certificates = area('certificate requests', (check) => {
  check('a request notes who asks', async (t) => {
    const { spec } = await t.makeWide(CSR, csr(t.unique('csr')))
    assert.ok(spec.username)
    assert.ok(spec.groups.includes('system:authenticated'))
  })
  check('a request is approved by its own door', async (t) => {
    const made = await t.makeWide(CSR, csr(t.unique('csr')))
    const condition = { type: 'Approved', status: 'True', reason: 'Fine', message: 'yes' }
    const body = { ...made, status: { conditions: [condition] } }
    const next = expectCode(await t.put(`${CSR}/${made.metadata.name}/approval`, body), 200)
    assert.equal(next.status.conditions[0].type, 'Approved')
    const again = await t.put(`${CSR}/${made.metadata.name}/approval`, { ...next, status: { conditions: [] } })
    refused(again, 422, 'Invalid', /updates may not remove a condition of type "Approved"/)
  })
  check('a request stays as it was made', async (t) => {
    const made = await t.makeWide(CSR, csr(t.unique('csr')))
    const path = `${CSR}/${made.metadata.name}`
    const answer = await t.patch(path, 'application/merge-patch+json', { spec: { usages: ['server auth'] } })
    if (answer.code === 200) assert.deepEqual(answer.body.spec.usages, ['client auth'])
    else refused(answer, 422, 'Invalid')
  })
  check('a request must be one', async (t) => {
    const answer = await t.post(CSR, csr(t.unique('csr'), { request: Buffer.from('nothing').toString('base64') }))
    refused(answer, 422, 'Invalid', /spec\.request: Invalid value: .*: PEM block type must be CERTIFICATE REQUEST/)
  })
  check('kubectl approves and denies', async (t) => {
    const names = [t.unique('csr'), t.unique('csr')]
    for (const name of names) await t.makeWide(CSR, csr(name))
    const [yes, no] = names
    assert.match((await t.kubectl(`certificate approve ${yes}`)).out, /approved$/m)
    assert.match((await t.kubectl(`certificate deny ${no}`)).out, /denied$/m)
    const { out } = await t.kubectl(`get csr ${yes} ${no}`)
    assert.match(out, new RegExp(`^${yes} .*Approved`, 'm'))
    assert.match(out, new RegExp(`^${no} .*Denied`, 'm'))
  })
})

const leaseOf = (spec: object) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader' },
  spec,
})

export const leasesAndEvents = area('leases and events', (check) => {
  const LEASES = 'coordination.k8s.io/v1/leases'
  check('a lease is taken, kept and lost', async (t) => {
    const made = await t.make(
      LEASES,
      leaseOf({ holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' }),
    )
    assert.equal(made.spec.renewTime, '2026-01-01T00:00:00.000000Z')
    expectCode(await t.put(`${LEASES}/leader`, { ...made, spec: { ...made.spec, holderIdentity: 'b' } }), 200)
    refused(await t.put(`${LEASES}/leader`, { ...made, spec: { ...made.spec, holderIdentity: 'c' } }), 409, 'Conflict')
  })
  check('a lease lasts longer than nothing', async (t) => {
    invalid(await t.post(LEASES, leaseOf({ holderIdentity: 'a', leaseDurationSeconds: 0 })), [
      'spec.leaseDurationSeconds',
      'Invalid value: 0: must be greater than 0',
    ])
  })
  const event = (namespace: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace, name: 'web', apiVersion: 'v1' },
    reason: 'Started',
    message: 'it runs',
    type: 'Normal',
    ...more,
  })
  check('an event is seen by both groups', async (t) => {
    await t.make('v1/events', event(t.namespace, { count: 3, source: { component: 'tests' } }))
    const seen = await t.read('events.k8s.io/v1/events/e')
    holds(seen, { regarding: { kind: 'Pod', name: 'web' }, note: 'it runs', deprecatedCount: 3, reason: 'Started' })
    assert.equal(seen.deprecatedSource.component, 'tests')
  })
  check('an event of the new group needs its parts', async (t) => {
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      regarding: { namespace: t.namespace, name: 'web', kind: 'Pod' },
    }
    const answer = await t.post('events.k8s.io/v1/events', body)
    refused(answer, 422, 'Invalid', /eventTime: Required value/)
  })
  check('events are found by what they are about', async (t) => {
    await t.make('v1/events', event(t.namespace))
    const query = 'fieldSelector=involvedObject.name=web,reason=Started,type=Normal'
    assert.equal((await t.read(`v1/events?${query}`)).items.length, 1)
    assert.equal((await t.read('v1/events?fieldSelector=involvedObject.name=other')).items.length, 0)
  })
  check('an event is about something in its namespace', async (t) => {
    const answer = await t.post('v1/events', event('elsewhere'))
    refused(
      answer,
      422,
      'Invalid',
      /involvedObject\.namespace: Invalid value: "elsewhere": does not match event\.namespace/,
    )
  })
  check('kubectl shows events', async (t) => {
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
    await t.make('v1/events', event(t.namespace, { count: 1, firstTimestamp: now, lastTimestamp: now }))
    const { out } = await t.kubectl('get events')
    assert.match(out, /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/m)
    assert.match(out, /^\S+ +Normal +Started +pod\/web +it runs$/m)
    assert.match((await t.kubectl('events')).out, /Pod\/web +it runs/)
  })
})

export const containers = area('inside of pods', (check) => {
  const running = async (t: Scope, name: string) => {
    await t.account()
    await t.make('v1/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    })
    await t.until('the pod to run', async () => {
      const { status } = await t.read(`v1/pods/${name}`)
      return status.conditions?.some(({ type, status: is }: Body) => type === 'Ready' && is === 'True')
    })
  }
  check('logs are told, from the end, and with times', 'sandbox', async (t) => {
    await running(t, 'one')
    const lines = await t.until('some lines', async () => {
      const { body } = await t.get('v1/pods/one/log')
      return typeof body === 'string' && body.trim().split('\n').length > 1 && body.trim().split('\n')
    })
    const last = await t.get('v1/pods/one/log?tailLines=1')
    assert.equal(last.body.trim().split('\n').length, 1)
    const timed = await t.get('v1/pods/one/log?timestamps=true&limitBytes=4000')
    assert.match(timed.body, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /)
    assert.ok(lines.length > 1)
  })
  check('logs need a container that is there', 'nodes', async (t) => {
    await running(t, 'one')
    const answer = await t.get('v1/pods/one/log?container=other')
    refused(answer, 400, 'BadRequest', 'container other is not valid for pod one')
  })
  check('a pod that waits has no logs yet', async (t) => {
    await t.account()
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { nodeSelector: { never: 'here' }, containers: [{ name: 'main', image: 'x' }] },
    }
    await t.make('v1/pods', body)
    assert.equal((await t.get('v1/pods/one/log')).code, 204)
  })
  check('logs of two containers need a choice', async (t) => {
    await t.account()
    const pair = ['a', 'b'].map((name) => ({ name, image: 'x' }))
    await t.make('v1/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { nodeSelector: { never: 'here' }, containers: pair },
    })
    refused(
      await t.get('v1/pods/one/log'),
      400,
      'BadRequest',
      'a container name must be specified for pod one, choose one of: [a b]',
    )
  })
  check('kubectl follows logs', 'sandbox', async (t) => {
    await running(t, 'one')
    const { code, out } = await t.until('some lines', async () => {
      const said = await t.kubectl('logs one --tail=2 --timestamps')
      return said.out.includes('\n') && said
    })
    assert.equal(code, 0)
    assert.ok(out.trim().split('\n').length <= 2)
  })
  check('exec, attach and port-forward are refused with the reason', 'sandbox', async (t) => {
    await running(t, 'one')
    for (const part of ['exec?command=ls', 'attach', 'portforward'])
      refused(await t.call('POST', t.path(`v1/pods/one/${part}`)), 501, 'NotImplemented', /its workloads are simulated/)
    const said = await t.kubectl('exec one -- ls')
    assert.notEqual(said.code, 0)
    assert.match(said.err, /simulated/)
  })
  check('what pods and nodes use is measured', 'metrics', async (t) => {
    await running(t, 'one')
    const { containers: used } = await t.until('the figures', async () => {
      const answer = await t.get('metrics.k8s.io/v1beta1/pods/one')
      return answer.code === 200 && answer.body
    })
    assert.equal(used[0].name, 'main')
    assert.match(used[0].usage.cpu, /^\d+[nmu]?$/)
    const nodes = (await t.call('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).body
    holds(nodes, { kind: 'NodeMetricsList' })
    assert.match((await t.kubectl('top pods')).out, /^NAME +CPU\(cores\) +MEMORY\(bytes\)\s+one +\d+m +\d+Mi/m)
  })
})
