import assert from 'node:assert/strict'
import { type Body, holds } from '../answers.ts'
import { area } from '../check.ts'
import { fails, ok } from '../kubectl-steps.ts'
import { configMap, deployment, IMAGE, pod } from '../objects.ts'
import type { Scope } from '../scope.ts'

const WEB = 'apps/v1/deployments/web'
const map = (data: Record<string, string>, name = 'one', more: object = {}) =>
  JSON.stringify(configMap(name, data, more))
const web = (t: Scope, replicas = 0) => t.make('apps/v1/deployments', deployment('web', { replicas }))
const stdin = (t: Scope, args: string, input: string) => t.kubectl(`${args} -f -`, { input })

export const kubectlCreate = area('kubectl create and run', (check) => {
  check('creates what a file says', async (t) => {
    assert.equal(await ok(stdin(t, 'create', map({ a: '1' }))), 'configmap/one created\n')
    assert.equal(
      await fails(stdin(t, 'create', map({ a: '1' }))),
      'Error from server (AlreadyExists): error when creating "STDIN": configmaps "one" already exists\n',
    )
  })
  check('refuses what the kind does not know', async (t) => {
    assert.equal(
      await fails(stdin(t, 'create', JSON.stringify(deployment('web', { replica: 1 })))),
      'Error from server (BadRequest): error when creating "STDIN": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica"\n',
    )
  })
  check('warns of it when told to', async (t) => {
    const { code, err } = await stdin(
      t,
      'create --validate=warn',
      JSON.stringify(deployment('web', { replica: 1, replicas: 0 })),
    )
    assert.equal(code, 0)
    assert.match(err, /^Warning: unknown field "spec\.replica"$/m)
  })
  check('refuses what is invalid', async (t) => {
    assert.equal(
      await fails(stdin(t, 'create', JSON.stringify(deployment('web', { replicas: -1 })))),
      'The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n',
    )
  })
  check('a config map and secrets', async (t) => {
    await ok(t.kubectl('create configmap one --from-literal=a=1 --from-literal=b=2'))
    assert.deepEqual((await t.read('v1/configmaps/one')).data, { a: '1', b: '2' })
    await ok(t.kubectl('create secret generic s --from-literal=key=value'))
    assert.deepEqual((await t.read('v1/secrets/s')).data, { key: 'dmFsdWU=' })
    await ok(
      t.kubectl(
        'create secret docker-registry r --docker-server=r.example.com --docker-username=u --docker-password=p',
      ),
    )
    assert.equal((await t.read('v1/secrets/r')).type, 'kubernetes.io/dockerconfigjson')
  })
  check('a deployment', async (t) => {
    await ok(t.kubectl(`create deployment web --image=${IMAGE} --replicas=0 --port=80`))
    const { spec, metadata } = await t.read(WEB)
    assert.deepEqual(metadata.labels, { app: 'web' })
    assert.equal(spec.template.spec.containers[0].ports[0].containerPort, 80)
  })
  check('services', async (t) => {
    await ok(t.kubectl('create service clusterip a --tcp=80:8080'))
    assert.deepEqual((await t.read('v1/services/a')).spec.ports[0].targetPort, 8080)
    await ok(t.kubectl('create service nodeport b --tcp=80'))
    assert.ok((await t.read('v1/services/b')).spec.ports[0].nodePort)
  })
  check('jobs, and one from a cron job', async (t) => {
    await ok(
      t.kubectl(
        `create cronjob c --image=${IMAGE} --schedule=0\u00a00`
          .split(' ')
          .map((word) => word.replace('\u00a00', ' 0 * * *')),
      ),
    )
    await ok(t.kubectl('create job j --from=cronjob/c'))
    const { metadata } = await t.read('batch/v1/jobs/j')
    assert.equal(metadata.annotations['cronjob.kubernetes.io/instantiate'], 'manual')
    assert.equal(metadata.ownerReferences[0].name, 'c')
  })
  check('an ingress, a budget, a quota', async (t) => {
    await ok(t.kubectl('create ingress i --rule=a.example.com/*=web:80'))
    holds((await t.read('networking.k8s.io/v1/ingresses/i')).spec.rules[0], { host: 'a.example.com' })
    await ok(t.kubectl('create poddisruptionbudget p --selector=app=web --min-available=1'))
    await ok(t.kubectl('create quota q --hard=cpu=1,pods=2'))
    assert.deepEqual((await t.read('v1/resourcequotas/q')).spec.hard, { cpu: '1', pods: '2' })
  })
  check('a role, a binding and an account', async (t) => {
    await ok(t.kubectl('create role r --verb=get,list --resource=pods,deployments.apps'))
    assert.equal((await t.read('rbac.authorization.k8s.io/v1/roles/r')).rules.length, 2)
    await ok(t.kubectl('create serviceaccount robot'))
    await ok(t.kubectl(`create rolebinding b --role=r --serviceaccount=${t.namespace}:robot`))
    const can = await t.kubectl(`auth can-i list pods --as system:serviceaccount:${t.namespace}:robot`)
    assert.equal(can.out.trim(), 'yes')
  })
  check('dry runs on both sides', async (t) => {
    assert.equal(await ok(t.kubectl('create cm one --dry-run=client')), 'configmap/one created (dry run)\n')
    assert.equal(await ok(t.kubectl('create cm one --dry-run=server')), 'configmap/one created (server dry run)\n')
    assert.equal((await t.get('v1/configmaps/one')).code, 404)
  })
  check('run makes a pod', async (t) => {
    await t.account()
    assert.equal(await ok(t.kubectl(`run one --image=${IMAGE} --env=A=1 --labels=x=y`)), 'pod/one created\n')
    const { spec, metadata } = await t.read('v1/pods/one')
    assert.deepEqual([metadata.labels, spec.containers[0].env], [{ x: 'y' }, [{ name: 'A', value: '1' }]])
  })
  check('expose makes a service of a deployment', async (t) => {
    await web(t)
    await ok(t.kubectl('expose deployment web --port=80 --target-port=8080 --name=front'))
    holds((await t.read('v1/services/front')).spec, {
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080 }],
    })
  })
  check('autoscale makes an autoscaler', async (t) => {
    await web(t)
    await ok(t.kubectl('autoscale deployment web --min=1 --max=3 --cpu=70%'))
    const { spec } = await t.read('autoscaling/v2/horizontalpodautoscalers/web')
    holds(spec, { maxReplicas: 3, metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }] })
  })
})

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
