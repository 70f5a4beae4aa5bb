import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { deployment, IMAGE, pod, service } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

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
    // The API server hears of a quota a moment after the controller that counts for it.
    const tried = () => t.post('apps/v1/deployments?dryRun=All', deployment('web'))
    await t.until('the quota to be known', async () => (await tried()).code === 403)
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
