import assert from 'node:assert/strict'
import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { IMAGE, pod } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const sized = (resources: object) => pod('one', { containers: [{ name: 'main', image: IMAGE, resources }] })

const DRY = 'v1/pods?dryRun=All'

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
