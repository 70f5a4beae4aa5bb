import assert from 'node:assert/strict'
import { type Body, holds, namesOf } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const maps = async ({ make }: Scope, ...names: string[]) => {
  for (const name of names) await make('v1/configmaps', configMap(name, { of: name }, { labels: { is: name } }))
}

/** Without the one that a controller puts into every namespace. */
const OWN = 'labelSelector=is'

export const shapes = area('shapes of answers', (check) => {
  const columns = async (t: Scope, resource: string) =>
    (await t.get(resource, { accept: TABLE })).body.columnDefinitions
      .filter(({ priority }: Body) => priority === 0)
      .map(({ name }: Body) => name)
  const cases: [string, string][] = [
    ['v1/pods', 'Name Ready Status Restarts Age'],
    ['v1/services', 'Name Type Cluster-IP External-IP Port(s) Age'],
    ['v1/configmaps', 'Name Data Age'],
    ['v1/secrets', 'Name Type Data Age'],
    ['v1/serviceaccounts', 'Name Age'],
    ['v1/persistentvolumeclaims', 'Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age'],
    [
      'v1/persistentvolumes',
      'Name Capacity Access Modes Reclaim Policy Status Claim StorageClass VolumeAttributesClass Reason Age',
    ],
    ['v1/nodes', 'Name Status Roles Age Version'],
    ['v1/namespaces', 'Name Status Age'],
    ['v1/endpoints', 'Name Endpoints Age'],
    ['v1/events', 'Last Seen Type Reason Object Message'],
    ['v1/resourcequotas', 'Name Request Limit Age'],
    ['v1/limitranges', 'Name Created At'],
    ['apps/v1/deployments', 'Name Ready Up-to-date Available Age'],
    ['apps/v1/replicasets', 'Name Desired Current Ready Age'],
    ['apps/v1/statefulsets', 'Name Ready Age'],
    ['apps/v1/daemonsets', 'Name Desired Current Ready Up-to-date Available Node Selector Age'],
    ['batch/v1/jobs', 'Name Status Completions Duration Age'],
    ['batch/v1/cronjobs', 'Name Schedule Timezone Suspend Active Last Schedule Age'],
    ['autoscaling/v2/horizontalpodautoscalers', 'Name Reference Targets MinPods MaxPods Replicas Age'],
    ['networking.k8s.io/v1/ingresses', 'Name Class Hosts Address Ports Age'],
    ['networking.k8s.io/v1/networkpolicies', 'Name Pod-Selector Age'],
    ['policy/v1/poddisruptionbudgets', 'Name Min Available Max Unavailable Allowed Disruptions Age'],
    ['rbac.authorization.k8s.io/v1/rolebindings', 'Name Role Age'],
    ['storage.k8s.io/v1/storageclasses', 'Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age'],
    ['discovery.k8s.io/v1/endpointslices', 'Name AddressType Ports Endpoints Age'],
    ['coordination.k8s.io/v1/leases', 'Name Holder Age'],
    ['certificates.k8s.io/v1/certificatesigningrequests', 'Name Age SignerName Requestor RequestedDuration Condition'],
  ]
  for (const [resource, names] of cases) {
    check(`columns of ${resource.split('/').at(-1)}`, async (t) =>
      assert.equal((await columns(t, resource)).join(' '), names),
    )
  }
  check('a row has its cells and the metadata of its object', async (t) => {
    await maps(t, 'a')
    const { body } = await t.get('v1/configmaps/a', { accept: TABLE })
    holds(body, { kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    assert.deepEqual(body.rows[0].cells.slice(0, 2), ['a', 1])
    holds(body.rows[0].object, { kind: 'PartialObjectMetadata', metadata: { name: 'a' } })
  })
  check('rows hold the whole object or none when asked', async (t) => {
    await maps(t, 'a')
    const whole = await t.get('v1/configmaps/a?includeObject=Object', { accept: TABLE })
    assert.equal(whole.body.rows[0].object.kind, 'ConfigMap')
    const none = await t.get('v1/configmaps/a?includeObject=None', { accept: TABLE })
    assert.equal(none.body.rows[0].object, null)
  })
  check('metadata comes alone when asked', async (t) => {
    await maps(t, 'a')
    const one = await t.get('v1/configmaps/a', {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    })
    holds(one.body, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } })
    assert.equal(one.body.data, undefined)
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
    const list = (await t.get(`v1/configmaps?${OWN}`, { accept })).body
    assert.equal(list.kind, 'PartialObjectMetadataList')
    assert.deepEqual(namesOf(list), ['a'])
  })
  check('the first form that is known is taken', async (t) => {
    const { body } = await t.get('v1/configmaps', { accept: 'application/json;as=Table;v=v9;g=x, application/json' })
    assert.equal(body.kind, 'ConfigMapList')
  })
  check('entries of a list leave out their kind', async (t) => {
    await maps(t, 'a')
    const list = await t.read(`v1/configmaps?${OWN}`)
    holds(list, { kind: 'ConfigMapList', apiVersion: 'v1' })
    assert.equal(list.items[0].kind, undefined)
  })
  check('an empty list is a list', async ({ read }) => {
    assert.deepEqual((await read('v1/pods')).items, [])
  })
})
