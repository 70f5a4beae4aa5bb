import assert from 'node:assert/strict'
import { expectCode, invalid, refused, says, warningsOf } from '../../answers.ts'
import { area } from '../../check.ts'
import { deployment, IMAGE, job, pod, statefulSet, workload } from '../../objects.ts'
import { contained, container } from '../../pod-rights.ts'
import { enforce, LABEL, label } from '../../pod-security-labels.ts'
import { MERGE, STRATEGIC } from '../../scope.ts'

const only = 'container "main"'

export const podSecurity = area('pod security', (check) => {
  const refusal = (level: string, message: string) =>
    `pods "bad" is forbidden: violates PodSecurity "${level}": ${message}`

  check('a namespace without labels takes every pod, and warns of none', async (t) => {
    await t.account()
    const answer = await t.post('v1/pods', pod('any', contained({ privileged: true }, { hostPID: true })))
    expectCode(answer, 201)
    assert.deepEqual(warningsOf(answer), [])
  })
  check('workloads are taken, with a warning', async (t) => {
    await enforce(t, 'baseline')
    const bad = { containers: [container({ privileged: true })] }
    const template = (name: string) => ({ template: { metadata: { labels: { app: name } }, spec: bad } })
    const bodies: readonly (readonly [string, object])[] = [
      ['apps/v1/deployments', deployment('a', template('a'))],
      ['apps/v1/replicasets', workload('ReplicaSet', 'a', template('a'))],
      ['apps/v1/statefulsets', statefulSet('a', template('a'))],
      ['apps/v1/daemonsets', workload('DaemonSet', 'a', template('a'))],
      ['batch/v1/jobs', job('a', {}, bad)],
      [
        'batch/v1/cronjobs',
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'a' },
          spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: job('a', {}, bad).spec } },
        },
      ],
      [
        'v1/replicationcontrollers',
        {
          apiVersion: 'v1',
          kind: 'ReplicationController',
          metadata: { name: 'a' },
          spec: { selector: { app: 'a' }, ...template('a') },
        },
      ],
      ['v1/podtemplates', { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'a' }, ...template('a') }],
    ]
    for (const [resource, body] of bodies) {
      const answer = await t.post(`${resource}?dryRun=All`, body)
      expectCode(answer, 201)
      const why = `privileged (${only} must not set securityContext.privileged=true)`
      assert.deepEqual(warningsOf(answer), [`would violate PodSecurity "baseline:latest": ${why}`], resource)
    }
  })
  check('a change of a workload warns as well', async (t) => {
    await enforce(t, 'baseline')
    await t.make('apps/v1/deployments', deployment('a', { replicas: 0 }))
    const patch = { spec: { template: { spec: { hostNetwork: true } } } }
    const answer = await t.patch('apps/v1/deployments/a', STRATEGIC, patch)
    expectCode(answer, 200)
    assert.deepEqual(warningsOf(answer), [
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ])
  })
  check('a level may warn and not enforce', async (t) => {
    await t.account()
    await label(t, { warn: 'restricted', 'warn-version': 'v1.20' })
    const warnings = await t.until('a warning', async () => {
      const answer = await t.post('v1/pods?dryRun=All', pod('x', { hostPID: true }))
      expectCode(answer, 201)
      return warningsOf(answer).length > 0 && warningsOf(answer)
    })
    assert.equal(warnings.length, 1)
    says(warnings[0] ?? '', /^would violate PodSecurity "restricted:v1\.20": host namespaces \(hostPID=true\), allow/)
  })
  check('a level may be audited and neither enforced nor warned of', async (t) => {
    await t.account()
    expectCode(await label(t, { audit: 'restricted', 'audit-version': 'latest' }), 200)
    const answer = await t.post('v1/pods?dryRun=All', pod('x', { hostPID: true }))
    expectCode(answer, 201)
    assert.deepEqual(warningsOf(answer), [])
  })
  check('warnings may be stricter than what is enforced', async (t) => {
    await enforce(t, 'baseline')
    await label(t, { warn: 'restricted' })
    const warnings = await t.until('a warning', async () => {
      const answer = await t.post('v1/pods?dryRun=All', pod('x'))
      expectCode(answer, 201)
      return warningsOf(answer).length > 0 && warningsOf(answer)
    })
    says(warnings[0] ?? '', /^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation/)
    refused(await t.post('v1/pods', pod('bad', { hostPID: true })), 403, 'Forbidden', /"baseline:latest"/)
  })
  check('warnings may be turned off', async (t) => {
    await enforce(t, 'restricted')
    await label(t, { warn: 'privileged' })
    await t.until('silence', async () => {
      const answer = await t.post('apps/v1/deployments?dryRun=All', deployment('a'))
      expectCode(answer, 201)
      return warningsOf(answer).length === 0
    })
  })
  check('labels that say nothing known are refused', async (t) => {
    const answer = await label(t, { enforce: 'strict', 'warn-version': '1.20', audit: 'none' }, '?dryRun=All')
    invalid(
      answer,
      [`metadata.labels[${LABEL}/enforce]`, 'Invalid value: "strict": must be one of privileged, baseline, restricted'],
      [`metadata.labels[${LABEL}/audit]`, 'Invalid value: "none": must be one of privileged, baseline, restricted'],
      [`metadata.labels[${LABEL}/warn-version]`, 'Invalid value: "1.20": must be "latest" or "v1.x"'],
    )
    const name = t.unique('made')
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [`${LABEL}/warn`]: 'loud' } } }
    invalid(await t.call('POST', '/api/v1/namespaces', { body }), [`metadata.labels[${LABEL}/warn]`, /^Invalid value/])
  })
  check('a namespace that becomes stricter names the pods that are there', async (t) => {
    await t.account()
    const here = { nodeSelector: { never: 'here' } }
    await t.make('v1/pods', pod('b', { ...here, hostPID: true }))
    await t.make('v1/pods', pod('a', { ...here, hostIPC: true }))
    await t.make('v1/pods', pod('c', { ...here, ...contained({ privileged: true }) }))
    await t.make('v1/pods', pod('d', here))
    const warnings = await t.until('the pods to be known', async () => {
      const said = warningsOf(await label(t, { enforce: 'baseline' }, '?dryRun=All'))
      return said.length === 3 && said
    })
    assert.deepEqual(warnings, [
      `existing pods in namespace "${t.namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
      'a (and 1 other pod): host namespaces',
      'c: privileged',
    ])
    expectCode(await label(t, { enforce: 'baseline' }), 200)
    assert.deepEqual(warningsOf(await label(t, { enforce: 'privileged' })), [])
  })
  check('a pod that is there may change its labels, and not its image', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('bad', { hostPID: true, nodeSelector: { never: 'here' } }))
    await enforce(t, 'baseline')
    expectCode(await t.patch('v1/pods/bad', MERGE, { metadata: { labels: { a: 'b' } } }), 200)
    const image = { spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.9' }] } }
    const answer = await t.patch('v1/pods/bad', STRATEGIC, image)
    refused(answer, 403, 'Forbidden', refusal('baseline:latest', 'host namespaces (hostPID=true)'))
  })
  check('an ephemeral container is held to the level', async (t) => {
    await enforce(t, 'baseline')
    await t.make('v1/pods', pod('bad', { nodeSelector: { never: 'here' } }))
    const add = (securityContext: object) =>
      t.patch('v1/pods/bad/ephemeralcontainers', STRATEGIC, {
        spec: { ephemeralContainers: [{ ...container(securityContext), name: 'debug' }] },
      })
    const why = 'privileged (container "debug" must not set securityContext.privileged=true)'
    refused(await add({ privileged: true }), 403, 'Forbidden', refusal('baseline:latest', why))
    expectCode(await add({}), 200)
  })
  check('through the door of ephemeral containers nothing else comes in', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const labelled = { metadata: { labels: { sneaked: 'in' } }, spec: {} }
    expectCode(await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, labelled), 200)
    const changed = await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, {
      spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.9' }] },
    })
    expectCode(changed, 200)
    assert.equal(changed.body.spec.containers[0].image, IMAGE)
    assert.equal((await t.read('v1/pods/one')).spec.containers[0].image, IMAGE)
  })
  check('an ephemeral container that is there stays as it is', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const one = { name: 'debug', image: IMAGE }
    expectCode(
      await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, { spec: { ephemeralContainers: [one] } }),
      200,
    )
    const other = { spec: { ephemeralContainers: [{ ...one, image: 'registry.k8s.io/pause:3.9' }] } }
    assert.equal((await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, other)).code, 422)
    const found = await t.read('v1/pods/one')
    const less = { ...found, spec: { ...found.spec, ephemeralContainers: [] } }
    assert.equal((await t.put('v1/pods/one/ephemeralcontainers', less)).code, 422)
  })
  check('a pod is not made with ephemeral containers', async (t) => {
    await t.account()
    const answer = await t.post('v1/pods', pod('one', { ephemeralContainers: [{ name: 'debug', image: IMAGE }] }))
    assert.equal(answer.code, 422)
    invalid(answer, ['spec.ephemeralContainers', /^Forbidden: cannot be set on create/])
  })
  check('a generated name is named', async (t) => {
    await enforce(t, 'baseline')
    const { metadata: _, ...rest } = pod('x', { hostPID: true })
    const answer = await t.post('v1/pods', { ...rest, metadata: { generateName: 'web-' } })
    refused(answer, 403, 'Forbidden', /^pods "web-[a-z0-9]{5}" is forbidden: violates/)
  })
  check('a controller says in an event that it may not make its pods', 'controllers', async (t) => {
    await enforce(t, 'baseline')
    const template = { metadata: { labels: { app: 'a' } }, spec: { hostPID: true, containers: [container()] } }
    await t.make('apps/v1/deployments', deployment('a', { template }))
    const message = await t.until('the event', async () => {
      const { items } = await t.read('v1/events?fieldSelector=reason=FailedCreate')
      return items[0]?.message
    })
    says(
      message,
      /^Error creating: pods "a-[a-z0-9]+-[a-z0-9]{5}" is forbidden: violates PodSecurity "baseline:latest"/,
    )
  })
})
