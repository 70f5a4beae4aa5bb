import assert from 'node:assert/strict'
import { type Informer, type KubernetesListObject, makeInformer, Watch } from '@kubernetes/client-node'
import { type Body, expectCode, holds, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

const short = (lines: Body[]) => lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trim())
const OWN = 'labelSelector=is'
const map = (name: string, labels: object = { is: name }) => configMap(name, {}, { labels })
const now = async ({ read }: Scope) => (await read('v1/configmaps')).metadata.resourceVersion

export const watching = area('watch', (check) => {
  check('from a version on it shows what came after', async (t) => {
    await t.make('v1/configmaps', map('before'))
    const from = await now(t)
    await t.make('v1/configmaps', map('a'))
    expectCode(await t.patch('v1/configmaps/a', MERGE, { data: { x: '1' } }), 200)
    await t.remove('v1/configmaps/a')
    const lines = await t.watch(
      `v1/configmaps?watch=1&${OWN}&resourceVersion=${from}`,
      (all) => all.at(-1)?.type === 'DELETED',
    )
    assert.deepEqual(short(lines), ['ADDED a', 'MODIFIED a', 'DELETED a'])
    holds(lines[0].object, { kind: 'ConfigMap', apiVersion: 'v1' })
    const versions = lines.map(({ object }) => BigInt(object.metadata.resourceVersion))
    assert.ok(versions[0]! < versions[1]! && versions[1]! < versions[2]!, 'a removal has a version of its own')
  })
  check('without a version it starts with what is there', async (t) => {
    await t.make('v1/configmaps', map('a'))
    assert.deepEqual(short(await t.watch(`v1/configmaps?watch=1&${OWN}`, (all) => all.length > 0)), ['ADDED a'])
  })
  check('an object that comes to match is ADDED, one that ceases to is DELETED', async (t) => {
    const from = await now(t)
    await t.make('v1/configmaps', map('a', {}))
    const label = (colour: string | null) => ({ metadata: { labels: { colour } } })
    for (const colour of ['red', 'blue']) expectCode(await t.patch('v1/configmaps/a', MERGE, label(colour)), 200)
    const path = `v1/configmaps?watch=1&resourceVersion=${from}&labelSelector=colour=red`
    assert.deepEqual(short(await t.watch(path, (all) => all.length >= 2)), ['ADDED a', 'DELETED a'])
  })
  check('one object is watched by its name', async (t) => {
    const from = await now(t)
    for (const name of ['a', 'b']) await t.make('v1/configmaps', map(name))
    const path = `v1/configmaps?watch=1&resourceVersion=${from}&fieldSelector=metadata.name=b`
    assert.deepEqual(short(await t.watch(path, (all) => all.length > 0)), ['ADDED b'])
  })
  check('initial events end with a bookmark that says so', async (t) => {
    await t.make('v1/configmaps', map('a'))
    const query = `watch=1&${OWN}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`
    const lines = await t.watch(`v1/configmaps?${query}`, (all) => all.at(-1)?.type === 'BOOKMARK')
    assert.deepEqual(short(lines), ['ADDED a', 'BOOKMARK'])
    const { metadata, kind } = lines[1].object
    assert.equal(kind, 'ConfigMap')
    assert.deepEqual(metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
    assert.match(metadata.resourceVersion, /^\d+$/)
  })
  check('initial events need a meaning of the version', async ({ get }) => {
    refused(
      await get('v1/configmaps?watch=1&sendInitialEvents=true&allowWatchBookmarks=true'),
      422,
      'Invalid',
      /resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
    )
  })
  check('a bookmark comes before the time is over', async (t) => {
    const from = await now(t)
    const lines = await t.watch(
      `v1/configmaps?watch=1&allowWatchBookmarks=true&timeoutSeconds=4&${OWN}&resourceVersion=${from}`,
      () => false,
    )
    assert.equal(lines.at(-1)?.type, 'BOOKMARK')
    assert.ok(BigInt(lines.at(-1)?.object.metadata.resourceVersion) >= BigInt(from))
  })
  check('it ends when its time is over', async (t) => {
    const since = Date.now()
    assert.deepEqual(await t.watch(`v1/configmaps?watch=1&timeoutSeconds=1&${OWN}`, () => false), [])
    assert.ok(Date.now() - since > 900)
  })
  check('a version that is forgotten is 410', 'past', async (t) => {
    const [line] = await t.watch('v1/configmaps?watch=1&resourceVersion=1', (all) => all.length > 0)
    assert.equal(line.type, 'ERROR')
    holds(line.object, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 })
    assert.match(line.object.message, /^too old resource version: 1 \(\d+\)$/)
  })
  check('rows are watched as tables', async (t) => {
    await t.make('v1/configmaps', map('a'))
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const { body } = await t.get(`v1/configmaps?watch=1&timeoutSeconds=1&${OWN}`, { accept })
    const line = typeof body === 'string' ? JSON.parse(body.split('\n')[0] ?? '') : body
    holds(line, { type: 'ADDED', object: { kind: 'Table' } })
    assert.ok(line.object.columnDefinitions.length > 0)
    assert.equal(line.object.rows[0].cells[0], 'a')
  })
  check('metadata is watched alone', async (t) => {
    await t.make('v1/configmaps', map('a'))
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
    const { body } = await t.get(`v1/configmaps?watch=1&timeoutSeconds=1&${OWN}`, { accept })
    const line = typeof body === 'string' ? JSON.parse(body.split('\n')[0] ?? '') : body
    holds(line, { type: 'ADDED', object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } })
  })
  check('namespaces are watched across the cluster', async (t) => {
    const from = (await t.call('GET', '/api/v1/namespaces')).body.metadata.resourceVersion
    const name = await t.otherNamespace()
    const lines = await t.watch(`/api/v1/namespaces?watch=1&resourceVersion=${from}&labelSelector=conformance`, (all) =>
      all.some(({ object }) => object.metadata.name === name),
    )
    assert.ok(short(lines).includes(`ADDED ${name}`))
  })
  check('the client library watches', async (t) => {
    const from = await now(t)
    const seen: string[] = []
    const watcher = await new Watch(t.config).watch(
      t.path('v1/configmaps'),
      { resourceVersion: from, labelSelector: 'is' },
      (type, object) => seen.push(`${type} ${object.metadata.name}`),
      () => {},
    )
    await t.make('v1/configmaps', map('a'))
    await t.until('an event', async () => seen.includes('ADDED a'))
    watcher.abort()
  })
  check('the client library keeps a list in step', async (t) => {
    await t.make('v1/configmaps', map('a'))
    const list = () => t.read(`v1/configmaps?${OWN}`) as Promise<KubernetesListObject<Body>>
    const informer: Informer<Body> = makeInformer(t.config, t.path('v1/configmaps'), list, 'is')
    const seen: string[] = []
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata }: Body) => seen.push(`${verb} ${metadata.name}`))
    informer.on('error', () => {})
    await informer.start()
    await t.until('the first object', async () => seen.includes('add a'))
    expectCode(await t.patch('v1/configmaps/a', MERGE, { data: { x: '1' } }), 200)
    await t.until('the change', async () => seen.includes('update a'))
    await t.remove('v1/configmaps/a')
    await t.until('the removal', async () => seen.includes('delete a'))
    await informer.stop()
  })
  check('kubectl wait sees a removal', async (t) => {
    await t.make('v1/configmaps', map('a'))
    const waiting = t.kubectl('wait --for=delete configmap/a --timeout=20s')
    await t.remove('v1/configmaps/a')
    assert.equal((await waiting).code, 0)
  })
})
