import assert from 'node:assert/strict'
import { holds } from '../../answers.ts'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment, IMAGE } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

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
