import assert from 'node:assert/strict'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment, service } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const one = ({ make }: Scope, name = 'one', labels: object = {}) =>
  make('v1/configmaps', configMap(name, { a: '1' }, { labels: { is: name, ...labels } }))

export const kubectlDescribe = area('kubectl describe and explain', (check) => {
  check('describes a config map', async (t) => {
    await one(t)
    const out = await ok(t.kubectl('describe cm one'))
    assert.match(out, /^Name: +one\nNamespace: +conf-\w+\nLabels: +is=one\n/)
    assert.match(out, /^a:\n----\n1\n/m)
    assert.match(out, /^Events: +<none>$/m)
  })
  check('describes a deployment', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const out = await ok(t.kubectl('describe deployment web'))
    assert.match(out, /^Replicas: +0 desired \| 0 updated \| 0 total \| 0 available \| 0 unavailable$/m)
    assert.match(out, /^StrategyType: +RollingUpdate$/m)
    assert.match(out, /^RollingUpdateStrategy: +25% max unavailable, 25% max surge$/m)
  })
  check('describes a service', async (t) => {
    await t.make('v1/services', service('web'))
    const out = await ok(t.kubectl('describe service web'))
    assert.match(out, /^Selector: +app=web$/m)
    assert.match(out, /^Port: +<unset> +80\/TCP$/m)
    assert.match(out, /^Endpoints: +$/m)
  })
  check('describes what a namespace may use', async (t) => {
    await t.make('v1/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] },
    })
    const out = await ok(t.kubectl(`describe namespace ${t.namespace}`))
    assert.match(out, /^Status: +Active$/m)
    assert.match(out, /^ Container +cpu +- +2 +2 +2 +-$/m)
  })
  check('explains a field', async (t) => {
    const out = await ok(t.kubectl('explain deployment.spec.replicas'))
    assert.match(out, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: replicas <integer>\n/)
    assert.match(out, /Number of desired pods/)
  })
  check('explains a kind with its fields', async (t) => {
    const out = await ok(t.kubectl('explain pod.spec'))
    assert.match(out, /^FIELD: spec <PodSpec>$/m)
    assert.match(out, /^ {2}containers\t<\[\]Container> -required-$/m)
    assert.match(out, /^ {2}restartPolicy\t<string>$/m)
  })
  check('explains everything below', async (t) => {
    const out = await ok(t.kubectl('explain cronjob.spec.jobTemplate.spec --recursive'))
    assert.match(out, /^ {2}backoffLimit\t<integer>$/m)
    assert.match(out, /^ {2}template\t<PodTemplateSpec> -required-$/m)
  })
  check('knows no field that is not there', async (t) => {
    assert.match(await fails(t.kubectl('explain pod.spec.wings')), /field "wings" does not exist/)
  })
  check('lists kinds', async (t) => {
    const out = await ok(t.kubectl('api-resources --api-group=apps'))
    assert.match(out, /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND$/m)
    assert.match(out, /^deployments +deploy +apps\/v1 +true +Deployment$/m)
    const wide = await ok(t.kubectl('api-resources --namespaced=false -o name'))
    assert.match(wide, /^customresourcedefinitions\.apiextensions\.k8s\.io$/m)
  })
  check('lists versions', async (t) => {
    const out = await ok(t.kubectl('api-versions'))
    for (const version of ['v1', 'apps/v1', 'batch/v1', 'autoscaling/v2']) assert.ok(out.split('\n').includes(version))
  })
  check('tells the version of the server', async (t) => {
    const { serverVersion } = JSON.parse(await ok(t.kubectl('version -o json')))
    assert.match(serverVersion.gitVersion, /^v1\./)
  })
})
