import assert from 'node:assert/strict'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment, service } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const one = ({ make }: Scope, name = 'one', labels: object = {}) =>
  make('v1/configmaps', configMap(name, { a: '1' }, { labels: { is: name, ...labels } }))

export const kubectlGet = area('kubectl get', (check) => {
  check('shows a table', async (t) => {
    await one(t)
    assert.match(await ok(t.kubectl('get configmap one')), /^NAME +DATA +AGE\none +1 +\d+s\n$/)
  })
  check('says when there is nothing', async (t) => {
    const { code, err } = await t.kubectl('get pods')
    assert.deepEqual([code, err], [0, `No resources found in ${t.namespace} namespace.\n`])
  })
  check('says what is not there', async (t) => {
    assert.equal(
      await fails(t.kubectl('get configmap none')),
      'Error from server (NotFound): configmaps "none" not found\n',
    )
    assert.equal(await ok(t.kubectl('get configmap none --ignore-not-found')), '')
  })
  check('says which kind is not there', async (t) => {
    assert.equal(await fails(t.kubectl('get widgets')), 'error: the server doesn\'t have a resource type "widgets"\n')
  })
  check('shows more columns when asked', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const out = await ok(t.kubectl('get deploy -o wide'))
    assert.match(
      out,
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +0\/0 +0 +0 +\S+ +main +\S+ +app=web\n$/,
    )
  })
  check('prints JSON, YAML and names', async (t) => {
    await one(t)
    const list = JSON.parse(await ok(t.kubectl('get cm -l is -o json')))
    assert.deepEqual([list.kind, list.items.length, list.items[0].kind], ['List', 1, 'ConfigMap'])
    assert.match(await ok(t.kubectl('get cm one -o yaml')), /^apiVersion: v1\ndata:\n {2}a: "1"\nkind: ConfigMap\n/)
    assert.equal(await ok(t.kubectl('get cm one -o name')), 'configmap/one\n')
  })
  check('prints by a JSON path, a template and columns', async (t) => {
    await one(t)
    assert.equal(await ok(t.kubectl('get cm one -o jsonpath={.data.a}')), '1')
    assert.equal(await ok(t.kubectl('get cm one -o go-template={{.metadata.name}}')), 'one')
    const columns = await ok(t.kubectl('get cm -l is -o custom-columns=N:.metadata.name,A:.data.a'))
    assert.equal(columns, 'N     A\none   1\n')
  })
  check('shows labels', async (t) => {
    await one(t, 'one', { tier: 'web' })
    assert.match(await ok(t.kubectl('get cm one --show-labels')), /LABELS\none .* is=one,tier=web\n/)
    assert.match(await ok(t.kubectl('get cm one -L tier')), /TIER\none .* web\n/)
  })
  check('sorts', async (t) => {
    for (const name of ['b', 'a']) await one(t, name)
    assert.equal(await ok(t.kubectl('get cm -l is --sort-by=.metadata.name -o name')), 'configmap/a\nconfigmap/b\n')
  })
  check('knows kinds by all their names', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    for (const kind of ['deploy', 'deployment', 'deployments', 'deployments.apps', 'deployments.v1.apps'])
      assert.equal(await ok(t.kubectl(`get ${kind} web -o name`)), 'deployment.apps/web\n')
  })
  check('shows several kinds at once', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    await t.make('v1/services', service('web'))
    const out = await ok(t.kubectl('get all'))
    assert.match(out, /^service\/web +ClusterIP/m)
    assert.match(out, /^deployment\.apps\/web +0\/0/m)
  })
  check('selects by fields', async (t) => {
    for (const name of ['a', 'b']) await one(t, name)
    assert.equal(await ok(t.kubectl('get cm --field-selector metadata.name=b -o name')), 'configmap/b\n')
  })
  check('reads a subresource', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const scale = await ok(t.kubectl('get deploy web --subresource=scale -o jsonpath={.kind}:{.status.selector}'))
    assert.equal(scale, 'Scale:app=web')
  })
  check('reads any path', async (t) => {
    assert.equal(await ok(t.kubectl('get --raw /healthz')), 'ok')
    const raw = await ok(t.kubectl(`get --raw /api/v1/namespaces/${t.namespace}`))
    assert.equal(JSON.parse(raw).metadata.name, t.namespace)
  })
  check('reads what a file names', async (t) => {
    await one(t)
    const file = t.file('one.json', JSON.stringify(configMap('one')))
    assert.equal(await ok(t.kubectl(['get', '-f', file, '-o', 'name'])), 'configmap/one\n')
  })
  check('says who may not read', async (t) => {
    assert.equal(
      await fails(t.kubectl('get secrets --as jane')),
      `Error from server (Forbidden): secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" in the namespace "${t.namespace}"\n`,
    )
  })
})
