import assert from 'node:assert/strict'
import type { Body } from '../../answers.ts'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const map = (data: Record<string, string>, name = 'one', more: object = {}) =>
  JSON.stringify(configMap(name, data, more))

const stdin = (t: Scope, args: string, input: string) => t.kubectl(`${args} -f -`, { input })

export const kubectlApply = area('kubectl apply and diff', (check) => {
  check('creates, leaves and changes', async (t) => {
    assert.equal(await ok(stdin(t, 'apply', map({ a: '1' }))), 'configmap/one created\n')
    assert.equal(await ok(stdin(t, 'apply', map({ a: '1' }))), 'configmap/one unchanged\n')
    assert.equal(await ok(stdin(t, 'apply', map({ a: '2' }))), 'configmap/one configured\n')
  })
  check('takes away what it once applied, and nothing else', async (t) => {
    await ok(stdin(t, 'apply', map({ a: '1', b: '2' })))
    await ok(t.kubectl(['patch', 'cm', 'one', '-p', '{"data":{"z":"9"}}']))
    await ok(stdin(t, 'apply', map({ a: '1' })))
    assert.deepEqual((await t.read('v1/configmaps/one')).data, { a: '1', z: '9' })
  })
  check('warns of what it did not make', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const { code, err } = await stdin(t, 'apply', map({ a: '1' }))
    assert.equal(code, 0)
    assert.match(
      err,
      /^Warning: resource configmaps\/one is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
    )
  })
  check('applies a deployment twice without a change', async (t) => {
    const body = JSON.stringify(deployment('web', { replicas: 0 }))
    await ok(stdin(t, 'apply', body))
    assert.equal(await ok(stdin(t, 'apply', body)), 'deployment.apps/web unchanged\n')
  })
  check('applies on the server', async (t) => {
    assert.equal(await ok(stdin(t, 'apply --server-side', map({ a: '1' }))), 'configmap/one serverside-applied\n')
    const { metadata } = await t.read('v1/configmaps/one')
    assert.deepEqual(
      metadata.managedFields.map(({ manager, operation }: Body) => [manager, operation]),
      [['kubectl', 'Apply']],
    )
    assert.equal(metadata.annotations, undefined)
  })
  check('shows conflicts on the server and takes over by force', async (t) => {
    await ok(stdin(t, 'apply --server-side --field-manager=other', map({ a: '1' })))
    const said = await fails(stdin(t, 'apply --server-side', map({ a: '2' })))
    assert.match(said, /^error: Apply failed with 1 conflict: conflict with "other": \.data\.a\n/)
    await ok(stdin(t, 'apply --server-side --force-conflicts', map({ a: '2' })))
    assert.equal((await t.read('v1/configmaps/one')).data.a, '2')
  })
  check('goes over from the client to the server', async (t) => {
    await ok(stdin(t, 'apply', map({ a: '1', b: '2' })))
    await ok(stdin(t, 'apply --server-side', map({ a: '1' })))
    assert.deepEqual((await t.read('v1/configmaps/one')).data, { a: '1' })
  })
  check('prunes by label', async (t) => {
    const labels = { labels: { app: 'x' } }
    await ok(stdin(t, 'apply', `${map({}, 'a', labels)}\n---\n${map({}, 'b', labels)}`))
    const said = await ok(stdin(t, 'apply --prune -l app=x --prune-allowlist=core/v1/ConfigMap', map({}, 'a', labels)))
    assert.match(said, /^configmap\/b pruned$/m)
    assert.equal((await t.get('v1/configmaps/b')).code, 404)
  })
  check('runs dry on the server', async (t) => {
    assert.equal(await ok(stdin(t, 'apply --dry-run=server', map({}))), 'configmap/one created (server dry run)\n')
    assert.equal((await t.get('v1/configmaps/one')).code, 404)
  })
  check('applies a folder with a generator', async (t) => {
    const file = t.file(
      'k/kustomization.yaml',
      'configMapGenerator:\n- name: made\n  literals: [a=1]\nlabels:\n- pairs: {team: x}\n',
    )
    const out = await ok(t.kubectl(['apply', '-k', file.replace(/\/[^/]+$/, '')]))
    assert.match(out, /^configmap\/made-\w+ created$/m)
  })
  check('keeps what was applied', async (t) => {
    await ok(stdin(t, 'apply', map({ a: '1' })))
    const kept = await ok(t.kubectl('apply view-last-applied cm one -o json'))
    assert.deepEqual(JSON.parse(kept).data, { a: '1' })
  })
  check('diff shows what would change', async (t) => {
    await ok(stdin(t, 'apply', map({ a: '1' })))
    const { code, out } = await stdin(t, 'diff', map({ a: '2' }))
    assert.equal(code, 1)
    assert.match(out, /^- {2}a: "1"\n\+ {2}a: "2"$/m)
    assert.equal(await ok(stdin(t, 'diff', map({ a: '1' }))), '')
  })
  check('diff shows what would be new', async (t) => {
    const { code, out } = await stdin(t, 'diff', map({ a: '1' }))
    assert.equal(code, 1)
    assert.match(out, /^\+kind: ConfigMap$/m)
  })
  check('replace replaces, and at an old version does not', async (t) => {
    const made = await t.make('v1/configmaps', configMap('one', { a: '1' }))
    assert.equal(await ok(stdin(t, 'replace', map({ b: '2' }))), 'configmap/one replaced\n')
    assert.deepEqual((await t.read('v1/configmaps/one')).data, { b: '2' })
    const said = await fails(stdin(t, 'replace', JSON.stringify({ ...made, kind: 'ConfigMap', apiVersion: 'v1' })))
    assert.match(said, /^Error from server \(Conflict\): error when replacing "STDIN": Operation cannot be fulfilled/)
  })
  check('replace by force makes anew', async (t) => {
    const made = await t.make('v1/configmaps', configMap('one', { a: '1' }))
    const said = await ok(stdin(t, 'replace --force', map({ b: '2' })))
    assert.match(said, /configmap\/one replaced/)
    assert.notEqual((await t.read('v1/configmaps/one')).metadata.uid, made.metadata.uid)
  })
})
