import assert from 'node:assert/strict'
import { type Body, expectCode, holds, namesOf, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap, job, pod, service } from '../objects.ts'
import { MERGE, type Scope } from '../scope.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const maps = async ({ make }: Scope, ...names: string[]) => {
  for (const name of names) await make('v1/configmaps', configMap(name, { of: name }, { labels: { is: name } }))
}
/** Without the one that a controller puts into every namespace. */
const OWN = 'labelSelector=is'

export const paging = area('paging', (check) => {
  check('a list comes in pages', async (t) => {
    await maps(t, 'a', 'b', 'c')
    const first = await t.read(`v1/configmaps?limit=2&${OWN}`)
    assert.deepEqual(namesOf(first), ['a', 'b'])
    assert.ok(first.metadata.continue)
    const next = encodeURIComponent(first.metadata.continue)
    const second = await t.read(`v1/configmaps?limit=2&${OWN}&continue=${next}`)
    assert.deepEqual(namesOf(second), ['c'])
    assert.equal(second.metadata.continue, undefined)
  })
  check('the first page says how many follow', async (t) => {
    for (const name of ['a', 'b', 'c']) await t.make('v1/services', service(name))
    const { metadata } = await t.read('v1/services?limit=1')
    assert.equal(metadata.remainingItemCount, 2)
  })
  check('with a selector nobody counts how many follow', async (t) => {
    await maps(t, 'a', 'b', 'c')
    const { metadata } = await t.read(`v1/configmaps?limit=1&${OWN}`)
    assert.equal(metadata.remainingItemCount, undefined)
  })
  check('later pages show what was there at the first', async (t) => {
    for (const name of ['a', 'c', 'd']) await t.make('v1/services', service(name))
    const first = await t.read('v1/services?limit=1')
    await t.make('v1/services', service('b'))
    await t.remove('v1/services/d')
    const second = await t.read(`v1/services?limit=5&continue=${encodeURIComponent(first.metadata.continue)}`)
    assert.deepEqual(namesOf(second), ['c', 'd'])
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion)
  })
  check('a page mark that is none is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?limit=1&continue=nonsense'),
      400,
      'BadRequest',
      /^invalid continue token: continue key is not valid: /,
    )
  })
  check('a page mark brings its own version', async (t) => {
    await maps(t, 'a', 'b')
    const first = await t.read(`v1/configmaps?limit=1`)
    const next = encodeURIComponent(first.metadata.continue)
    const answer = await t.get(`v1/configmaps?limit=1&continue=${next}&resourceVersion=1`)
    refused(answer, 400, 'BadRequest', 'specifying resource version is not allowed when using continue')
  })
  check('a collection is deleted page by page', async (t) => {
    await maps(t, 'a', 'b', 'c')
    expectCode(await t.remove(`v1/configmaps?${OWN}&limit=2`), 200)
    assert.ok((await t.read(`v1/configmaps?${OWN}`)).items.length <= 1)
  })
  check('kubectl reads in chunks', async (t) => {
    await maps(t, 'a', 'b', 'c', 'd', 'e')
    const { out, err } = await t.kubectl('get configmaps -l is --chunk-size=2 -o name -v=6')
    assert.equal(out.trim().split('\n').length, 5)
    assert.equal(err.match(/configmaps\?(continue=[^ ]*&)?labelSelector=is&limit=2/g)?.length, 3)
  })
})

export const versions = area('resource versions', (check) => {
  check('a list has the version of the whole', async (t) => {
    const before = await t.read('v1/configmaps')
    await maps(t, 'a')
    const after = await t.read('v1/configmaps')
    assert.ok(BigInt(after.metadata.resourceVersion) > BigInt(before.metadata.resourceVersion))
    const [one] = after.items.filter(({ metadata }: Body) => metadata.name === 'a')
    assert.ok(BigInt(one.metadata.resourceVersion) <= BigInt(after.metadata.resourceVersion))
  })
  check('Exact shows the past', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read(`v1/configmaps?${OWN}`)
    await maps(t, 'b')
    const then = await t.read(
      `v1/configmaps?${OWN}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
    )
    assert.deepEqual(namesOf(then), ['a'])
    assert.equal(then.metadata.resourceVersion, metadata.resourceVersion)
  })
  check('NotOlderThan shows that or later', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read(`v1/configmaps?${OWN}`)
    const query = `${OWN}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${query}`)), ['a'])
  })
  check('version 0 takes whatever is at hand', async (t) => {
    await maps(t, 'a')
    await t.until('a list that knows it', async () => {
      const list = await t.read(`v1/configmaps?${OWN}&resourceVersion=0`)
      return namesOf(list).join() === 'a'
    })
  })
  check('a version that is yet to come is waited for, then 504', async (t) => {
    const answer = await t.get('v1/configmaps?resourceVersion=999999999999&resourceVersionMatch=NotOlderThan')
    refused(answer, 504, 'Timeout', /^(Timeout: )?Too large resource version: 999999999999, current: \d+$/)
    holds(answer.body.details.causes, [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }])
  })
  check('a version that is none is refused', async ({ get }) => {
    const { code, body } = await get('v1/configmaps?resourceVersion=abc')
    assert.equal(code, 400)
    assert.match(body.message, /[Ii]nvalid/)
  })
  check('how a version is meant needs a version', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersionMatch=Exact'),
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    )
  })
  check('Exact needs a real version', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersion=0&resourceVersionMatch=Exact'),
      422,
      'Invalid',
      /resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"/,
    )
  })
  check('an unknown meaning is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersion=1&resourceVersionMatch=Roughly'),
      422,
      'Invalid',
      /resourceVersionMatch: Unsupported value: "Roughly": supported values: "Exact", "NotOlderThan"/,
    )
  })
  check('initial events are for watches', async ({ get }) => {
    refused(
      await get('v1/configmaps?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0'),
      422,
      'Invalid',
      /sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list/,
    )
  })
  check('a get may ask for a version at least', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read('v1/configmaps/a')
    const at = metadata.resourceVersion
    assert.equal((await t.read(`v1/configmaps/a?resourceVersion=${at}`)).metadata.uid, metadata.uid)
  })
})

export const selectors = area('selectors', (check) => {
  const labelled = async (t: Scope) => {
    const labels = [{ tier: 'web', env: 'test' }, { tier: 'web', env: 'live' }, { tier: 'db' }]
    for (const [index, one] of labels.entries())
      await t.make('v1/configmaps', configMap(`m${index}`, {}, { labels: one }))
    return async (selector: string) =>
      namesOf(await t.read(`v1/configmaps?labelSelector=${encodeURIComponent(selector)}`)).filter((name) =>
        /^m\d$/.test(name),
      )
  }
  const cases: [string, string[]][] = [
    ['tier=web', ['m0', 'm1']],
    ['tier==db', ['m2']],
    ['tier=web,env=live', ['m1']],
    ['env!=live', ['m0', 'm2']],
    ['env', ['m0', 'm1']],
    ['tier,!env', ['m2']],
    ['env in (test,live)', ['m0', 'm1']],
    ['tier,env notin (test)', ['m1', 'm2']],
    ['tier=none', []],
  ]
  for (const [selector, names] of cases) {
    check(`labels: ${selector}`, async (t) => assert.deepEqual(await (await labelled(t))(selector), names))
  }
  check('a selector that cannot be read is refused', async ({ get }) => {
    refused(
      await get(`v1/configmaps?labelSelector=${encodeURIComponent('a in (b')}`),
      400,
      'BadRequest',
      /^unable to parse requirement: found '', expected: ','? or '\)'|unable to parse requirement/,
    )
  })
  check('a selector with a value that no label has is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?labelSelector=a=_b'),
      400,
      'BadRequest',
      /a valid label must be an empty string or/,
    )
  })
  check('fields: name and namespace', async (t) => {
    await maps(t, 'a', 'b')
    assert.deepEqual(namesOf(await t.read('v1/configmaps?fieldSelector=metadata.name=a')), ['a'])
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${OWN}&fieldSelector=metadata.name!=a`)), ['b'])
    const everywhere = await t.call('GET', `/api/v1/configmaps?${OWN}&fieldSelector=metadata.namespace=${t.namespace}`)
    assert.deepEqual(namesOf(everywhere.body), ['a', 'b'])
  })
  check('fields that a kind does not offer are refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?fieldSelector=data.x=1'),
      400,
      'BadRequest',
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
    refused(await get('v1/pods?fieldSelector=spec.x=1'), 400, 'BadRequest', 'field label not supported: spec.x')
  })
  check('pods are found by phase and node', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=status.phase=Pending,spec.nodeName=')), ['one'])
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=status.phase!=Pending')), [])
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=spec.restartPolicy=Always')), ['one'])
  })
  check('secrets are found by type', async (t) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'example.com/key' }
    await t.make('v1/secrets', secret)
    assert.deepEqual(namesOf(await t.read('v1/secrets?fieldSelector=type=example.com/key')), ['s'])
  })
  check('jobs are found by how often they succeeded', async (t) => {
    await t.make('batch/v1/jobs', job('j', { suspend: true }))
    assert.deepEqual(namesOf(await t.read('batch/v1/jobs?fieldSelector=status.successful=0')), ['j'])
  })
  check('namespaces are found by phase', async (t) => {
    const list = await t.call('GET', '/api/v1/namespaces?fieldSelector=status.phase=Active')
    assert.ok(namesOf(list.body).includes(t.namespace))
  })
  check('a change of labels moves an object in and out', async (t) => {
    await maps(t, 'a')
    expectCode(await t.patch('v1/configmaps/a', MERGE, { metadata: { labels: { is: null, was: 'a' } } }), 200)
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${OWN}`)), [])
    assert.deepEqual(namesOf(await t.read('v1/configmaps?labelSelector=was')), ['a'])
  })
})

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
