import assert from 'node:assert/strict'
import { type Body, expectCode, invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap, deployment, IMAGE, pod, service } from '../objects.ts'
import { MERGE, type Scope } from '../scope.ts'

const sized = (resources: object) => pod('one', { containers: [{ name: 'main', image: IMAGE, resources }] })
const DRY = 'v1/pods?dryRun=All'

async function quota(t: Scope, hard: Record<string, string>, more: object = {}) {
  await t.account()
  const metadata = { name: 'q' }
  await t.make('v1/resourcequotas', { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard, ...more } })
  await t.until('the quota to be counted', async () => {
    const { status } = await t.read('v1/resourcequotas/q')
    return status?.used && Object.keys(hard).every((key) => key in status.used)
  })
}

/** The quota was counted once more after something was made. */
const counted = (t: Scope, key: string, value: string) =>
  t.until(`${key} to be ${value}`, async () => (await t.read('v1/resourcequotas/q')).status.used[key] === value)

export const quotas = area('quotas', (check) => {
  check('what would exceed a quota is refused with the sums', 'controllers', async (t) => {
    await quota(t, { services: '1' })
    await t.make('v1/services', service('one'))
    await counted(t, 'services', '1')
    refused(
      await t.post('v1/services', service('two')),
      403,
      'Forbidden',
      'services "two" is forbidden: exceeded quota: q, requested: services=1, used: services=1, limited: services=1',
    )
  })
  check('a quota of compute asks for requests and limits', 'controllers', async (t) => {
    await quota(t, { 'requests.cpu': '1', 'limits.memory': '1Gi' })
    refused(
      await t.post(DRY, pod('one')),
      403,
      'Forbidden',
      'pods "one" is forbidden: failed quota: q: must specify limits.memory for: main; requests.cpu for: main',
    )
  })
  check('requests are added up', 'controllers', async (t) => {
    await quota(t, { 'requests.cpu': '1', pods: '5' })
    refused(
      await t.post(DRY, sized({ requests: { cpu: '1500m' } })),
      403,
      'Forbidden',
      'pods "one" is forbidden: exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=0, limited: requests.cpu=1',
    )
    expectCode(await t.post(DRY, sized({ requests: { cpu: '1' } })), 201)
  })
  check('several excesses are named together', 'controllers', async (t) => {
    await quota(t, { 'requests.cpu': '100m', 'requests.memory': '10Mi' })
    refused(
      await t.post(DRY, sized({ requests: { cpu: '1', memory: '1Gi' } })),
      403,
      'Forbidden',
      'pods "one" is forbidden: exceeded quota: q, requested: requests.cpu=1,requests.memory=1Gi, used: requests.cpu=0,requests.memory=0, limited: requests.cpu=100m,requests.memory=10Mi',
    )
  })
  check('objects of any kind are counted', 'controllers', async (t) => {
    await quota(t, { 'count/deployments.apps': '0' })
    refused(
      await t.post('apps/v1/deployments', deployment('web')),
      403,
      'Forbidden',
      'deployments.apps "web" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    )
  })
  check('what is deleted is given back', 'controllers', async (t) => {
    await quota(t, { services: '1' })
    await t.make('v1/services', service('one'))
    await counted(t, 'services', '1')
    await t.remove('v1/services/one')
    await counted(t, 'services', '0')
    await t.make('v1/services', service('two'))
  })
  check('node ports are counted when a service gets some', 'controllers', async (t) => {
    await quota(t, { 'services.nodeports': '0' })
    await t.make('v1/services', service('one'))
    const answer = await t.patch('v1/services/one', MERGE, { spec: { type: 'NodePort' } })
    refused(answer, 403, 'Forbidden', /exceeded quota: q, requested: services\.nodeports=1/)
  })
  check('storage is counted by claims', 'controllers', async (t) => {
    await quota(t, { 'requests.storage': '1Gi' })
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } }
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec }
    refused(
      await t.post('v1/persistentvolumeclaims', claim),
      403,
      'Forbidden',
      'persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=0, limited: requests.storage=1Gi',
    )
  })
  check('a scope narrows a quota to some pods', 'controllers', async (t) => {
    await quota(t, { pods: '0' }, { scopes: ['BestEffort'] })
    refused(await t.post(DRY, pod('one')), 403, 'Forbidden', /exceeded quota: q, requested: pods=1/)
    expectCode(await t.post(DRY, sized({ requests: { cpu: '1m' } })), 201)
  })
  check('a quota of something unknown is refused', async (t) => {
    const spec = { hard: { apples: '1' } }
    const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec }
    refused(
      await t.post('v1/resourcequotas', body),
      422,
      'Invalid',
      /spec\.hard\[apples\]: Invalid value: "apples": must be a standard resource/,
    )
  })
})

const limitRange = (t: Scope, limit: object) =>
  t.account().then(() =>
    t.make('v1/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', ...limit }] },
    }),
  )

export const limitRanges = area('limit ranges', (check) => {
  check('containers get the defaults, and it is noted', async (t) => {
    await limitRange(t, { default: { cpu: '500m' }, defaultRequest: { cpu: '100m', memory: '64Mi' } })
    const { spec, metadata } = expectCode(await t.post(DRY, pod('one')), 201)
    const { resources } = spec.containers[0]
    assert.deepEqual(resources, { limits: { cpu: '500m' }, requests: { cpu: '100m', memory: '64Mi' } })
    assert.equal(
      metadata.annotations['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: cpu, memory request for container main; cpu limit for container main',
    )
  })
  const cases: [string, object, object, string][] = [
    [
      'above the maximum',
      { max: { cpu: '1' } },
      { limits: { cpu: '2' }, requests: { cpu: '1' } },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      'below the minimum',
      { min: { memory: '100Mi' } },
      { requests: { memory: '50Mi' } },
      'minimum memory usage per Container is 100Mi, but request is 50Mi',
    ],
    [
      'above the ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '4' }, requests: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    ],
  ]
  for (const [name, limit, resources, why] of cases) {
    check(`a container ${name} is refused`, async (t) => {
      await limitRange(t, limit)
      refused(await t.post(DRY, sized(resources)), 403, 'Forbidden', `pods "one" is forbidden: ${why}`)
    })
  }
  check('a maximum needs a limit', async (t) => {
    await limitRange(t, { type: 'Pod', max: { cpu: '1' } })
    refused(
      await t.post(DRY, pod('one')),
      403,
      'Forbidden',
      'pods "one" is forbidden: maximum cpu usage per Pod is 1.  No limit is specified',
    )
  })
  check('several reasons come in brackets', async (t) => {
    await limitRange(t, { max: { cpu: '1', memory: '1Gi' } })
    refused(
      await t.post(DRY, sized({ limits: { cpu: '2', memory: '2Gi' } })),
      403,
      'Forbidden',
      /^pods "one" is forbidden: \[maximum (cpu|memory) usage per Container is .*, maximum (cpu|memory) usage per Container is .*\]$/,
    )
  })
  check('claims have a range too', async (t) => {
    await limitRange(t, { type: 'PersistentVolumeClaim', max: { storage: '5Gi' } })
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } }
    refused(
      await t.post('v1/persistentvolumeclaims', {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'c' },
        spec,
      }),
      403,
      'Forbidden',
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi',
    )
  })
  check('a default above the maximum is refused', async (t) => {
    const limits = [{ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }]
    const body = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } }
    refused(await t.post('v1/limitranges', body), 422, 'Invalid', /default value 2 is greater than max value 1/)
  })
})

const SCHEDULING = 'scheduling.k8s.io/v1'
const priorityClass = (name: string, value: number, more: object = {}) => ({
  apiVersion: SCHEDULING,
  kind: 'PriorityClass',
  metadata: { name },
  value,
  ...more,
})

export const priorities = area('priorities', (check) => {
  check('the two of the system are there', async (t) => {
    const { items } = await t.read(`${SCHEDULING}/priorityclasses`)
    const values = Object.fromEntries(items.map(({ metadata, value }: Body) => [metadata.name, value]))
    assert.equal(values['system-cluster-critical'], 2_000_000_000)
    assert.equal(values['system-node-critical'], 2_000_001_000)
  })
  check('a pod gets the number of its class', async (t) => {
    await t.account()
    const name = t.unique('high')
    await t.makeWide(`${SCHEDULING}/priorityclasses`, priorityClass(name, 1000, { preemptionPolicy: 'Never' }))
    const made = await t.until('the class to be known', async () => {
      const answer = await t.post(DRY, pod('one', { priorityClassName: name }))
      return answer.code === 201 && answer.body
    })
    assert.deepEqual([made.spec.priority, made.spec.preemptionPolicy], [1000, 'Never'])
  })
  check('a pod without a class has none', async (t) => {
    await t.account()
    const { spec } = expectCode(await t.post(DRY, pod('one')), 201)
    assert.deepEqual([spec.priority, spec.preemptionPolicy], [0, 'PreemptLowerPriority'])
  })
  check('a class that is not there is refused', async (t) => {
    await t.account()
    refused(
      await t.post(DRY, pod('one', { priorityClassName: 'none' })),
      403,
      'Forbidden',
      'pods "one" is forbidden: no PriorityClass with name none was found',
    )
  })
  check('a number of its own is refused', async (t) => {
    await t.account()
    refused(
      await t.post(DRY, pod('one', { priority: 5 })),
      403,
      'Forbidden',
      'pods "one" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    )
  })
  check('a class may not be above those of the system', async (t) => {
    invalid(await t.post(`${SCHEDULING}/priorityclasses`, priorityClass('too-high', 1_000_000_001)), [
      'value',
      'Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ])
  })
  check('names of the system are reserved', async (t) => {
    refused(
      await t.post(`${SCHEDULING}/priorityclasses`, priorityClass('system-mine', 5)),
      422,
      'Invalid',
      /metadata\.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only/,
    )
  })
  check('the number of a class stays', async (t) => {
    const name = t.unique('class')
    await t.makeWide(`${SCHEDULING}/priorityclasses`, priorityClass(name, 5))
    const answer = await t.patch(`${SCHEDULING}/priorityclasses/${name}`, MERGE, { value: 6 })
    invalid(answer, ['value', 'Forbidden: may not be changed in an update.'])
  })
})

const budget = (spec: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
})
const eviction = (name: string, more: object = {}) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...more,
})

export const evictions = area('evictions and budgets', (check) => {
  const waiting = async (t: Scope) => {
    await t.account()
    return t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }, { labels: { app: 'web' } }))
  }
  check('an eviction takes a pod away', async (t) => {
    await waiting(t)
    const answer = await t.post('v1/pods/one/eviction', eviction('one'))
    assert.equal(expectCode(answer, 201).status, 'Success')
    assert.equal((await t.get('v1/pods/one')).code, 404)
  })
  check('an eviction can be a dry run', async (t) => {
    await waiting(t)
    expectCode(await t.post('v1/pods/one/eviction?dryRun=All', eviction('one')), 201)
    assert.equal((await t.get('v1/pods/one')).code, 200)
  })
  check('an eviction of another pod is refused', async (t) => {
    await waiting(t)
    const answer = await t.post('v1/pods/one/eviction', eviction('two'))
    refused(answer, 400, 'BadRequest', 'name in URL does not match name in Eviction object')
  })
  check('an eviction of nobody is 404', async (t) => {
    refused(await t.post('v1/pods/one/eviction', eviction('one')), 404, 'NotFound', 'pods "one" not found')
  })
  check('an eviction may name the pod it means', async (t) => {
    await waiting(t)
    const answer = await t.post(
      'v1/pods/one/eviction',
      eviction('one', { deleteOptions: { preconditions: { uid: 'other' } } }),
    )
    refused(answer, 409, 'Conflict', /the UID in the precondition \(other\) does not match/)
  })
  check('a budget says one thing of two', async (t) => {
    const answer = await t.post('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1, maxUnavailable: 1 }))
    refused(answer, 422, 'Invalid', /spec: Invalid value: .*: minAvailable and maxUnavailable cannot be both set/)
  })
  check('a budget may be a share', async (t) => {
    const { spec } = await t.make('policy/v1/poddisruptionbudgets', budget({ maxUnavailable: '50%' }))
    assert.equal(spec.maxUnavailable, '50%')
    const answer = await t.patch('policy/v1/poddisruptionbudgets/b', MERGE, { spec: { maxUnavailable: 'half' } })
    refused(answer, 422, 'Invalid', /spec\.maxUnavailable: Invalid value: "half": a valid percent string must be/)
  })
  check('a budget counts what it watches over', 'controllers', async (t) => {
    await t.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }))
    const { status } = await t.until('the count', async () => {
      const found = await t.read('policy/v1/poddisruptionbudgets/b')
      return found.status.observedGeneration === 1 && found
    })
    assert.deepEqual([status.desiredHealthy, status.disruptionsAllowed, status.expectedPods], [1, 0, 0])
    assert.equal(status.conditions[0].reason, 'InsufficientPods')
  })
  check('an eviction that a budget forbids is 429', 'nodes', async (t) => {
    await t.account()
    await t.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }))
    await t.make('apps/v1/deployments', deployment('web'))
    const name = await t.until('a ready pod', async () => {
      const { status } = await t.read('policy/v1/poddisruptionbudgets/b')
      const [one] = (await t.read('v1/pods?labelSelector=app=web')).items
      return status.currentHealthy === 1 && status.desiredHealthy === 1 && one?.metadata.name
    })
    const answer = await t.post(`v1/pods/${name}/eviction`, eviction(name))
    refused(answer, 429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.")
    assert.deepEqual(answer.body.details.causes, [
      { reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' },
    ])
  })
})

export const scaling = area('scale', (check) => {
  const made = (t: Scope) => t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
  const SCALE = 'apps/v1/deployments/web/scale'
  check('a scale shows the wish and the selector', async (t) => {
    await made(t)
    const scale = await t.read(SCALE)
    assert.deepEqual([scale.kind, scale.apiVersion], ['Scale', 'autoscaling/v1'])
    assert.deepEqual(scale.status, { replicas: 0, selector: 'app=web' })
    assert.equal(scale.spec.replicas ?? 0, 0)
  })
  check('a scale is patched and replaced', async (t) => {
    await made(t)
    assert.equal(expectCode(await t.patch(SCALE, MERGE, { spec: { replicas: 1 } }), 200).spec.replicas, 1)
    const scale = await t.read(SCALE)
    const next = { ...scale, metadata: { ...scale.metadata, resourceVersion: undefined }, spec: { replicas: 2 } }
    expectCode(await t.put(SCALE, next), 200)
    assert.equal((await t.read('apps/v1/deployments/web')).spec.replicas, 2)
  })
  check('a scale below zero is refused', async (t) => {
    await made(t)
    invalid(await t.patch(SCALE, MERGE, { spec: { replicas: -1 } }), [
      'spec.replicas',
      'Invalid value: -1: must be greater than or equal to 0',
    ])
  })
  check('a scale at an old version is a conflict', async (t) => {
    await made(t)
    const scale = await t.read(SCALE)
    const metadata = { ...scale.metadata, resourceVersion: '1' }
    refused(await t.put(SCALE, { ...scale, metadata, spec: { replicas: 2 } }), 409, 'Conflict')
  })
  check('a scale of nothing is 404', async (t) => {
    refused(await t.get(SCALE), 404, 'NotFound', 'deployments.apps "web" not found')
  })
  check('a kind without a scale has none', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    refused(await t.get('v1/configmaps/one/scale'), 404, 'NotFound')
  })
})
