import assert from 'node:assert/strict'
import { expectCode, holds, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, pod, service } from '../../objects.ts'
import { MERGE, type Scope, STRATEGIC } from '../../scope.ts'

const MAP = 'v1/configmaps/one'

const WEB = 'apps/v1/deployments/web'

const map = ({ make }: Scope, data: Record<string, string> = { a: '1', b: '2' }) =>
  make('v1/configmaps', configMap('one', data))

const podSpec = (spec: object) => ({ spec: { template: { spec } } })

/** A deployment whose pods have that in their specification. */
const web = async ({ make, patch }: Scope, spec: object = {}) => {
  await make('apps/v1/deployments', deployment('web', { replicas: 0 }))
  return async (change: object) => {
    if (Object.keys(spec).length > 0) expectCode(await patch(WEB, STRATEGIC, podSpec(spec)), 200)
    return expectCode(await patch(WEB, STRATEGIC, podSpec(change)), 200).spec.template.spec
  }
}

const named = (list: { name: string }[]) => list.map(({ name }) => name)

export const strategicMerge = area('strategic merge patch', (check) => {
  check('containers are told apart by their names', async (t) => {
    const change = await web(t)
    const { containers } = await change({ containers: [{ name: 'side', image: 'busybox:1' }] })
    assert.deepEqual(named(containers).sort(), ['main', 'side'])
    const again = await change({ containers: [{ name: 'main', image: 'nginx:2' }] })
    const main = again.containers.find(({ name }: { name: string }) => name === 'main')
    assert.equal(main.image, 'nginx:2')
    assert.equal(main.terminationMessagePolicy, 'File')
  })
  check('$patch: delete takes an entry away', async (t) => {
    const change = await web(t, { containers: [{ name: 'side', image: 'busybox:1' }] })
    const { containers } = await change({ containers: [{ name: 'side', $patch: 'delete' }] })
    assert.deepEqual(named(containers), ['main'])
  })
  check('$patch: replace replaces a list', async (t) => {
    const change = await web(t, { containers: [{ name: 'side', image: 'busybox:1' }] })
    const { containers } = await change({ containers: [{ name: 'only', image: 'x:1' }, { $patch: 'replace' }] })
    assert.deepEqual(named(containers), ['only'])
  })
  check('$patch: replace replaces an object', async (t) => {
    await t.make('v1/configmaps', configMap('one', { a: '1', b: '2' }))
    const { data } = expectCode(await t.patch(MAP, STRATEGIC, { data: { $patch: 'replace', c: '3' } }), 200)
    assert.deepEqual(data, { c: '3' })
  })
  check('$patch: delete takes an object away', async (t) => {
    await t.make('v1/configmaps', configMap('one', { a: '1' }))
    const next = expectCode(await t.patch(MAP, STRATEGIC, { data: { $patch: 'delete' } }), 200)
    assert.deepEqual(next.data ?? {}, {})
  })
  check('$retainKeys drops what is not named', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const strategy = { $retainKeys: ['type'], type: 'Recreate' }
    const { spec } = expectCode(await t.patch(WEB, STRATEGIC, { spec: { strategy } }), 200)
    assert.deepEqual(spec.strategy, { type: 'Recreate' })
  })
  check('$retainKeys lets a volume become another kind', async (t) => {
    const change = await web(t, { volumes: [{ name: 'v', emptyDir: {} }] })
    const { volumes } = await change({
      volumes: [{ $retainKeys: ['name', 'configMap'], name: 'v', configMap: { name: 'x' } }],
    })
    assert.deepEqual(volumes, [{ name: 'v', configMap: { name: 'x', defaultMode: 420 } }])
  })
  check('$deleteFromPrimitiveList takes values out of a list', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { finalizers: ['example.com/a', 'example.com/b'] }))
    const metadata = { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] }
    const next = expectCode(await t.patch(MAP, STRATEGIC, { metadata }), 200)
    assert.deepEqual(next.metadata.finalizers, ['example.com/b'])
    expectCode(await t.patch(MAP, MERGE, { metadata: { finalizers: null } }), 200)
  })
  check('lists of plain values that merge get the new values too', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { finalizers: ['example.com/a'] }))
    const next = expectCode(await t.patch(MAP, STRATEGIC, { metadata: { finalizers: ['example.com/b'] } }), 200)
    assert.deepEqual(next.metadata.finalizers.toSorted(), ['example.com/a', 'example.com/b'])
    expectCode(await t.patch(MAP, MERGE, { metadata: { finalizers: null } }), 200)
  })
  check('$setElementOrder orders a list', async (t) => {
    const env = ['A', 'B', 'C'].map((name) => ({ name, value: '1' }))
    const change = await web(t, { containers: [{ name: 'main', env }] })
    const order = ['C', 'A', 'B'].map((name) => ({ name }))
    const { containers } = await change({
      containers: [{ name: 'main', '$setElementOrder/env': order, env: [{ name: 'C', value: '2' }] }],
    })
    assert.deepEqual(containers[0].env, [
      { name: 'C', value: '2' },
      { name: 'A', value: '1' },
      { name: 'B', value: '1' },
    ])
  })
  check('container ports are told apart by number', async (t) => {
    const change = await web(t, { containers: [{ name: 'main', ports: [{ containerPort: 80, name: 'a' }] }] })
    const { containers } = await change({
      containers: [{ name: 'main', ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }],
    })
    assert.deepEqual(
      containers[0].ports.map((port: { containerPort: number; name?: string }) => [port.containerPort, port.name]),
      [
        [80, 'web'],
        [81, undefined],
      ],
    )
  })
  check('volume mounts are told apart by path', async (t) => {
    const volumes = [{ name: 'v', emptyDir: {} }]
    const change = await web(t, {
      volumes,
      containers: [{ name: 'main', volumeMounts: [{ name: 'v', mountPath: '/a' }] }],
    })
    const { containers } = await change({
      containers: [{ name: 'main', volumeMounts: [{ name: 'v', mountPath: '/b' }] }],
    })
    assert.equal(containers[0].volumeMounts.length, 2)
  })
  check('service ports are told apart by number', async (t) => {
    await t.make('v1/services', service('web', { ports: [{ name: 'a', port: 80 }] }))
    const ports = [{ name: 'b', port: 81 }]
    const { spec } = expectCode(await t.patch('v1/services/web', STRATEGIC, { spec: { ports } }), 200)
    assert.deepEqual(spec.ports.map(({ port }: { port: number }) => port).sort(), [80, 81])
  })
  check('lists without a key are replaced', async (t) => {
    const toleration = (key: string) => ({ key, operator: 'Exists' })
    const change = await web(t, { tolerations: [toleration('a'), toleration('b')] })
    const { tolerations } = await change({ tolerations: [toleration('c')] })
    assert.deepEqual(tolerations, [toleration('c')])
  })
  check('an entry without its key is refused', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const answer = await t.patch(WEB, STRATEGIC, podSpec({ containers: [{ image: 'x' }] }))
    assert.match(answer.body.message, /does not contain declared merge key: name/)
    assert.ok([400, 422, 500].includes(answer.code))
  })
  check('an unknown directive is refused', async (t) => {
    await map(t)
    const answer = await t.patch(MAP, STRATEGIC, { data: { $patch: 'twist' } })
    holds(answer.body, { status: 'Failure', code: 500, message: 'unknown patch type: twist in map: map[$patch:twist]' })
  })
  check('a pod takes new images and little else', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const image = { spec: { containers: [{ name: 'main', image: 'nginx:9' }] } }
    expectCode(await t.patch('v1/pods/one', STRATEGIC, image), 200)
    const answer = await t.patch('v1/pods/one', STRATEGIC, {
      spec: { containers: [{ name: 'main', command: ['x'] }] },
    })
    refused(
      answer,
      422,
      'Invalid',
      /spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)/,
    )
  })
})
