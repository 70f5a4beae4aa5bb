import assert from 'node:assert/strict'
import { type Body, holds } from '../../answers.ts'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment, IMAGE, pod } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const WEB = 'apps/v1/deployments/web'

const web = (t: Scope, replicas = 0) => t.make('apps/v1/deployments', deployment('web', { replicas }))

const stdin = (t: Scope, args: string, input: string) => t.kubectl(`${args} -f -`, { input })

export const kubectlChange = area('kubectl changes', (check) => {
  check('edit saves what the editor left', async (t) => {
    await t.make('v1/configmaps', configMap('one', { a: 'before' }))
    const env = { KUBE_EDITOR: 'sed -i s/before/after/' }
    assert.equal(await ok(t.kubectl('edit cm one', { env })), 'configmap/one edited\n')
    assert.equal((await t.read('v1/configmaps/one')).data.a, 'after')
  })
  check('edit without a change is cancelled', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const { err } = await t.kubectl('edit cm one', { env: { KUBE_EDITOR: 'true' } })
    assert.match(err, /^Edit cancelled, no changes made\.$/m)
  })
  check('patch in three ways', async (t) => {
    await web(t)
    await ok(
      t.kubectl([
        'patch',
        'deploy',
        'web',
        '-p',
        '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"a:1"}]}}}}',
      ]),
    )
    await ok(t.kubectl(['patch', 'deploy', 'web', '--type=merge', '-p', '{"spec":{"minReadySeconds":3}}']))
    await ok(
      t.kubectl([
        'patch',
        'deploy',
        'web',
        '--type=json',
        '-p',
        '[{"op":"replace","path":"/spec/minReadySeconds","value":4}]',
      ]),
    )
    const { spec } = await t.read(WEB)
    assert.deepEqual([spec.minReadySeconds, spec.template.spec.containers[0].image], [4, 'a:1'])
    const same = await ok(t.kubectl(['patch', 'deploy', 'web', '-p', '{"spec":{"minReadySeconds":4}}']))
    assert.equal(same, 'deployment.apps/web patched (no change)\n')
  })
  check('patch of a subresource', async (t) => {
    await web(t)
    await ok(
      t.kubectl(['patch', 'deploy', 'web', '--subresource=scale', '--type=merge', '-p', '{"spec":{"replicas":2}}']),
    )
    assert.equal((await t.read(WEB)).spec.replicas, 2)
  })
  check('label adds, keeps, overwrites and takes away', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    assert.equal(await ok(t.kubectl('label cm one tier=web')), 'configmap/one labeled\n')
    assert.equal(
      await fails(t.kubectl('label cm one tier=db')),
      "error: 'tier' already has a value (web), and --overwrite is false\n",
    )
    await ok(t.kubectl('label cm one tier=db --overwrite'))
    assert.equal(await ok(t.kubectl('label cm one tier-')), 'configmap/one unlabeled\n')
    assert.equal((await t.read('v1/configmaps/one')).metadata.labels, undefined)
  })
  check('label takes no value that does not fit', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    assert.match(
      await fails(t.kubectl(['label', 'cm', 'one', 'a=b c'])),
      /a valid label must be an empty string or consist of/,
    )
  })
  check('annotate', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    assert.equal(await ok(t.kubectl(['annotate', 'cm', 'one', 'note=some words'])), 'configmap/one annotated\n')
    assert.equal((await t.read('v1/configmaps/one')).metadata.annotations.note, 'some words')
  })
  check('set image, env, resources and account', async (t) => {
    await web(t)
    assert.equal(await ok(t.kubectl('set image deploy/web main=nginx:9')), 'deployment.apps/web image updated\n')
    await ok(t.kubectl('set env deploy/web A=1'))
    await ok(t.kubectl('set resources deploy/web --limits=cpu=1'))
    await ok(t.kubectl('set serviceaccount deploy/web robot'))
    const { containers, serviceAccountName } = (await t.read(WEB)).spec.template.spec
    holds(containers[0], { image: 'nginx:9', env: [{ name: 'A', value: '1' }], resources: { limits: { cpu: '1' } } })
    assert.equal(serviceAccountName, 'robot')
  })
  check('scale, on a condition', async (t) => {
    await web(t)
    assert.equal(await ok(t.kubectl('scale deploy web --replicas=2')), 'deployment.apps/web scaled\n')
    assert.equal(
      await fails(t.kubectl('scale deploy web --current-replicas=5 --replicas=1')),
      'error: Expected replicas to be 5, was 2\n',
    )
  })
  check('rollout restart, pause and resume', async (t) => {
    await web(t)
    assert.equal(await ok(t.kubectl('rollout restart deploy/web')), 'deployment.apps/web restarted\n')
    assert.ok((await t.read(WEB)).spec.template.metadata.annotations['kubectl.kubernetes.io/restartedAt'])
    assert.equal(await ok(t.kubectl('rollout pause deploy/web')), 'deployment.apps/web paused\n')
    assert.match(await fails(t.kubectl('rollout pause deploy/web')), /error: deployments\.apps "web" is already paused/)
    assert.equal(await ok(t.kubectl('rollout resume deploy/web')), 'deployment.apps/web resumed\n')
  })
  check('rollout history and undo', 'controllers', async (t) => {
    await web(t)
    const revision = (wanted: string) =>
      t.until(`revision ${wanted}`, async () => {
        const { metadata } = await t.read(WEB)
        return metadata.annotations?.['deployment.kubernetes.io/revision'] === wanted
      })
    await revision('1')
    await ok(t.kubectl('set image deploy/web main=nginx:9'))
    await revision('2')
    const history = await ok(t.kubectl('rollout history deploy/web'))
    assert.match(history, /^REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>$/m)
    assert.match(await ok(t.kubectl('rollout history deploy/web --revision=1')), new RegExp(`Image:\\s+${IMAGE}`))
    assert.equal(await ok(t.kubectl('rollout undo deploy/web')), 'deployment.apps/web rolled back\n')
    assert.equal((await t.read(WEB)).spec.template.spec.containers[0].image, IMAGE)
    await revision('3')
  })
  check('rollout status of nothing to roll out', 'controllers', async (t) => {
    await web(t)
    assert.match(
      await ok(t.kubectl('rollout status deploy/web --timeout=20s')),
      /deployment "web" successfully rolled out/,
    )
  })
  check('delete, by name, by label, and dry', async (t) => {
    for (const name of ['a', 'b', 'c']) await t.make('v1/configmaps', configMap(name, {}, { labels: { is: name } }))
    assert.equal(
      await ok(t.kubectl('delete cm a --dry-run=server')),
      `configmap "a" deleted from ${t.namespace} namespace (server dry run)\n`,
    )
    assert.equal(await ok(t.kubectl('delete cm a')), `configmap "a" deleted from ${t.namespace} namespace\n`)
    assert.equal(await fails(t.kubectl('delete cm a')), 'Error from server (NotFound): configmaps "a" not found\n')
    assert.equal(await ok(t.kubectl('delete cm a --ignore-not-found')), '')
    await ok(t.kubectl('delete cm -l is'))
    assert.deepEqual((await t.read('v1/configmaps?labelSelector=is')).items, [])
  })
  check('delete and leave what it owned', 'controllers', async (t) => {
    await web(t)
    await t.until('a replica set', async () => (await t.read('apps/v1/replicasets')).items.length === 1)
    await ok(t.kubectl('delete deploy web --cascade=orphan --timeout=20s'))
    const [left] = (await t.read('apps/v1/replicasets')).items
    assert.equal(left.metadata.ownerReferences, undefined)
  })
  check('delete in the foreground waits for what it owned', 'controllers', async (t) => {
    await web(t)
    await t.until('a replica set', async () => (await t.read('apps/v1/replicasets')).items.length === 1)
    await ok(t.kubectl('delete deploy web --cascade=foreground --timeout=30s'))
    assert.deepEqual((await t.read('apps/v1/replicasets')).items, [])
  })
  check('wait for a value, and in vain', async (t) => {
    await t.make('v1/configmaps', configMap('one', { a: '1' }))
    assert.equal(
      await ok(t.kubectl('wait cm/one --for=jsonpath={.data.a}=1 --timeout=5s')),
      'configmap/one condition met\n',
    )
    assert.equal(
      await fails(t.kubectl('wait cm/one --for=jsonpath={.data.a}=2 --timeout=1s')),
      'error: timed out waiting for the condition on configmaps/one\n',
    )
  })
  check('wait for something to be made', async (t) => {
    const waiting = ok(t.kubectl('wait cm/late --for=create --timeout=20s'))
    await t.make('v1/configmaps', configMap('late'))
    assert.match(await waiting, /^configmap\/late condition met$/m)
  })
  check('cordon, taint and drain a node', async (t) => {
    const name = t.unique('node')
    await t.makeWide('v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
    assert.match(await ok(t.kubectl(`cordon ${name}`)), /cordoned$/m)
    assert.equal((await t.read(`v1/nodes/${name}`)).spec.unschedulable, true)
    await ok(t.kubectl(`taint node ${name} team=x:NoSchedule`))
    const { taints } = (await t.read(`v1/nodes/${name}`)).spec
    assert.ok(taints.some(({ key, value, effect }: Body) => `${key}=${value}:${effect}` === 'team=x:NoSchedule'))
    assert.match(await ok(t.kubectl(`drain ${name} --ignore-daemonsets --timeout=20s`)), /drained$/m)
    assert.match(await ok(t.kubectl(`uncordon ${name}`)), /uncordoned$/m)
  })
  check('auth reconcile brings roles up to date', async (t) => {
    const role = (...verbs: string[]) =>
      JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r', namespace: t.namespace },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
      })
    assert.match(await ok(stdin(t, 'auth reconcile', role('get'))), /r reconciled/)
    assert.match(await ok(stdin(t, 'auth reconcile', role('get', 'list'))), /r reconciled/)
    assert.deepEqual((await t.read('rbac.authorization.k8s.io/v1/roles/r')).rules.at(-1).verbs.includes('list'), true)
  })
  check('a pod that runs is seen', 'nodes', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one'))
    assert.equal(await ok(t.kubectl('wait pod/one --for=condition=Ready --timeout=40s')), 'pod/one condition met\n')
    assert.match(
      await ok(t.kubectl('get pod one')),
      /^NAME +READY +STATUS +RESTARTS +AGE\none +1\/1 +Running +0 +\d+s\n$/,
    )
    assert.match(await ok(t.kubectl('describe pod one')), /^Status: +Running$/m)
  })
})
