import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { type Body, expectCode, holds } from '../../answers.ts'
import { area } from '../../check.ts'
import { fails, ok } from '../../kubectl-steps.ts'
import { configMap, deployment, IMAGE, job, pod } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}'

/** Writes a chart with one config map, and these templates by file name; returns its folder. */
function chart(t: Scope, templates: Record<string, string> = {}, name = 'chart'): string {
  const folder = dirname(
    t.file(`${name}/Chart.yaml`, 'apiVersion: v2\nname: small\nversion: 1.2.3\nappVersion: "4.5"\n'),
  )
  t.file(`${name}/values.yaml`, 'colour: blue\n')
  const files = {
    'map.yaml': `${HEAD}\ndata:\n  colour: {{ .Values.colour | quote }}\n`,
    'NOTES.txt': 'The colour is {{ .Values.colour }}.\n',
    ...templates,
  }
  for (const [file, text] of Object.entries(files)) t.file(`${name}/templates/${file}`, text)
  return folder
}

const install = (t: Scope, folder: string, ...more: string[]) => t.helm(['install', 'app', folder, ...more])
const upgrade = (t: Scope, folder: string, ...more: string[]) => t.helm(['upgrade', 'app', folder, ...more])
const template = (body: object) => JSON.stringify(body)
const releases = async (t: Scope) =>
  (await t.read('v1/secrets?labelSelector=owner=helm')).items.map(({ metadata }: Body) => [
    metadata.name,
    metadata.labels.status,
  ])

export const helm = area('Helm', (check) => {
  check('installs', async (t) => {
    const out = await ok(install(t, chart(t)))
    assert.match(out, /^STATUS: deployed\nREVISION: 1$/m)
    assert.match(out, /^The colour is blue\.$/m)
    const { metadata, data } = await t.read('v1/configmaps/app')
    assert.deepEqual(data, { colour: 'blue' })
    assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'Helm')
    assert.equal(metadata.annotations['meta.helm.sh/release-name'], 'app')
  })
  check('keeps its record as a secret', async (t) => {
    await ok(install(t, chart(t)))
    const { type, metadata, data } = await t.read('v1/secrets/sh.helm.release.v1.app.v1')
    assert.equal(type, 'helm.sh/release.v1')
    holds(metadata.labels, { name: 'app', owner: 'helm', status: 'deployed', version: '1' })
    assert.ok(data.release.length > 100)
  })
  check('applies on the server as its own manager', async (t) => {
    await ok(install(t, chart(t)))
    const { metadata } = await t.read('v1/configmaps/app')
    assert.deepEqual(
      metadata.managedFields.map(({ manager, operation }: Body) => [manager, operation]),
      [['helm', 'Apply']],
    )
  })
  check('lists and tells the status', async (t) => {
    await ok(install(t, chart(t)))
    const [listed] = JSON.parse(await ok(t.helm('list -o json')))
    holds(listed, {
      name: 'app',
      namespace: t.namespace,
      revision: '1',
      status: 'deployed',
      chart: 'small-1.2.3',
      app_version: '4.5',
    })
    const { info } = JSON.parse(await ok(t.helm('status app -o json')))
    assert.equal(info.status, 'deployed')
  })
  check('shows values, manifest and notes', async (t) => {
    await ok(install(t, chart(t), '--set', 'colour=red'))
    assert.match(await ok(t.helm('get values app')), /^colour: red$/m)
    assert.match(await ok(t.helm('get manifest app')), /^ {2}colour: "red"$/m)
    assert.match(await ok(t.helm('get notes app')), /The colour is red\./)
    assert.deepEqual(JSON.parse(await ok(t.helm('get metadata app -o json'))).chart, 'small')
  })
  check('upgrades and keeps history', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    assert.match(await ok(upgrade(t, folder, '--set', 'colour=red')), /^REVISION: 2$/m)
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'red')
    const history = JSON.parse(await ok(t.helm('history app -o json')))
    assert.deepEqual(
      history.map(({ revision, status, description }: Body) => [revision, status, description]),
      [
        [1, 'superseded', 'Install complete'],
        [2, 'deployed', 'Upgrade complete'],
      ],
    )
  })
  check('keeps values when told to', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder, '--set', 'colour=red'))
    await ok(upgrade(t, folder, '--reuse-values'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'red')
    await ok(upgrade(t, folder, '--reset-values'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'blue')
  })
  check('upgrades what is not there when told to', async (t) => {
    const folder = chart(t)
    assert.match(await fails(upgrade(t, folder)), /"app" has no deployed releases|release: not found/)
    assert.match(await ok(upgrade(t, folder, '--install')), /^REVISION: 1$/m)
  })
  check('takes away what a chart no longer has', async (t) => {
    const extra = template(configMap('extra'))
    await ok(install(t, chart(t, { 'extra.yaml': extra })))
    assert.equal((await t.get('v1/configmaps/extra')).code, 200)
    await ok(upgrade(t, chart(t, {}, 'next')))
    assert.equal((await t.get('v1/configmaps/extra')).code, 404)
  })
  check('keeps what is marked so', async (t) => {
    const annotations = { 'helm.sh/resource-policy': 'keep' }
    await ok(install(t, chart(t, { 'extra.yaml': template(configMap('extra', {}, { annotations })) })))
    await ok(t.helm('uninstall app'))
    assert.equal((await t.get('v1/configmaps/extra')).code, 200)
  })
  check('rolls back', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    await ok(upgrade(t, folder, '--set', 'colour=red'))
    assert.match(await ok(t.helm('rollback app 1')), /Rollback was a success/)
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'blue')
    const [, , third] = JSON.parse(await ok(t.helm('history app -o json')))
    holds(third, { revision: 3, status: 'deployed', description: 'Rollback to 1' })
  })
  check('uninstalls and leaves nothing', async (t) => {
    await ok(install(t, chart(t)))
    assert.match(await ok(t.helm('uninstall app')), /^release "app" uninstalled$/m)
    assert.equal((await t.get('v1/configmaps/app')).code, 404)
    assert.deepEqual(await releases(t), [])
    assert.match(await fails(t.helm('status app')), /release: not found/)
  })
  check('uninstalls and keeps history', async (t) => {
    await ok(install(t, chart(t)))
    await ok(t.helm('uninstall app --keep-history'))
    assert.deepEqual(await releases(t), [['sh.helm.release.v1.app.v1', 'uninstalled']])
  })
  check('gives a name once', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    assert.match(await fails(install(t, folder)), /cannot reuse a name that is still in use/)
  })
  check('runs dry on the server', async (t) => {
    const out = await ok(install(t, chart(t), '--dry-run=server'))
    assert.match(out, /^ {2}colour: "blue"$/m)
    assert.equal((await t.get('v1/configmaps/app')).code, 404)
    assert.deepEqual(await releases(t), [])
  })
  check('looks up what is there', async (t) => {
    await t.make('v1/configmaps', configMap('known', { a: 'found' }))
    const lookup = `${HEAD}-seen\ndata:\n  seen: {{ (lookup "v1" "ConfigMap" .Release.Namespace "known").data.a | quote }}\n`
    const folder = chart(t, { 'seen.yaml': lookup })
    assert.match(await ok(install(t, folder, '--dry-run=server')), /^ {2}seen: "found"$/m)
    await ok(install(t, folder))
    assert.deepEqual((await t.read('v1/configmaps/app-seen')).data, { seen: 'found' })
  })
  check('looks up lists', async (t) => {
    for (const name of ['a', 'b'])
      await t.make('v1/services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { ports: [{ port: 80 }] },
      })
    const lookup = `${HEAD}-seen\ndata:\n  seen: {{ len (lookup "v1" "Service" .Release.Namespace "").items | quote }}\n`
    await ok(install(t, chart(t, { 'seen.yaml': lookup })))
    assert.deepEqual((await t.read('v1/configmaps/app-seen')).data, { seen: '2' })
  })
  check('knows what the cluster offers', async (t) => {
    const offers = `${HEAD}-offers\ndata:\n  apps: {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" | quote }}\n  none: {{ .Capabilities.APIVersions.Has "none/v1" | quote }}\n  minor: {{ .Capabilities.KubeVersion.Major | quote }}\n`
    await ok(install(t, chart(t, { 'offers.yaml': offers })))
    assert.deepEqual((await t.read('v1/configmaps/app-offers')).data, { apps: 'true', none: 'false', minor: '1' })
  })
  check('fails with the words of the API, and notes it', async (t) => {
    const bad = template(configMap('bad', { 'not a key': 'x' }))
    const said = await fails(install(t, chart(t, { 'bad.yaml': bad })))
    assert.match(said, /ConfigMap "bad" is invalid: data\[not a key\]: Invalid value/)
    assert.deepEqual(await releases(t), [['sh.helm.release.v1.app.v1', 'failed']])
  })
  check('refuses fields that a kind does not have', async (t) => {
    const said = await fails(install(t, chart(t, { 'bad.yaml': template(deployment('web', { replica: 1 })) })))
    assert.match(said, /\.spec\.replica: field not declared in schema|unknown field "spec\.replica"/)
  })
  check('takes a failed installation back when told to', async (t) => {
    const bad = template(configMap('bad', { 'not a key': 'x' }))
    await fails(install(t, chart(t, { 'bad.yaml': bad }), '--rollback-on-failure', '--timeout', '20s'))
    assert.deepEqual(await releases(t), [])
    assert.equal((await t.get('v1/configmaps/app')).code, 404)
  })
  check('takes a failed upgrade back when told to', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    const bad = chart(t, { 'bad.yaml': template(configMap('bad', { 'not a key': 'x' })) }, 'next')
    await fails(upgrade(t, bad, '--set', 'colour=red', '--rollback-on-failure', '--timeout', '20s'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'blue')
    const statuses = JSON.parse(await ok(t.helm('history app -o json'))).map(({ status }: Body) => status)
    assert.deepEqual(statuses, ['superseded', 'failed', 'deployed'])
  })
  check('goes on after a failed upgrade', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    await fails(upgrade(t, chart(t, { 'bad.yaml': template(configMap('bad', { 'not a key': 'x' })) }, 'next')))
    await ok(upgrade(t, folder, '--set', 'colour=red'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'red')
  })
  check('takes nothing that is not its own', async (t) => {
    await t.make('v1/configmaps', configMap('app'))
    const folder = chart(t)
    const said = await fails(install(t, folder))
    assert.match(
      said,
      /ConfigMap "app" in namespace "conf-\w+" exists and cannot be imported into the current release: invalid ownership metadata/,
    )
    await ok(install(t, folder, '--take-ownership', '--replace'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'blue')
  })
  check('minds what others changed, unless forced', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    expectCode(await t.patch('v1/configmaps/app?fieldManager=editor', MERGE, { data: { colour: 'green' } }), 200)
    const said = await fails(upgrade(t, folder, '--set', 'colour=red'))
    assert.match(said, /conflict with "editor" using v1.*: \.data\.colour/)
    await ok(upgrade(t, folder, '--set', 'colour=red', '--force-conflicts'))
    assert.equal((await t.read('v1/configmaps/app')).data.colour, 'red')
  })
  check('patches from the client when told to', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder, '--server-side=false'))
    await ok(upgrade(t, folder, '--set', 'colour=red', '--server-side=false'))
    const { data, metadata } = await t.read('v1/configmaps/app')
    assert.equal(data.colour, 'red')
    assert.equal(metadata.managedFields[0].operation, 'Update')
  })
  check('keeps as much history as it is told', async (t) => {
    const folder = chart(t)
    await ok(install(t, folder))
    for (const colour of ['a', 'b']) await ok(upgrade(t, folder, '--set', `colour=${colour}`, '--history-max', '2'))
    assert.equal((await releases(t)).length, 2)
  })
  check('makes a namespace when told to', async (t) => {
    const name = t.unique('made')
    t.afterwards(() => t.call('DELETE', `/api/v1/namespaces/${name}`))
    await ok(t.helm(['install', 'app', chart(t), '--create-namespace', '--namespace', name]))
    assert.equal((await t.call('GET', `/api/v1/namespaces/${name}/configmaps/app`)).code, 200)
  })
  check('installs definitions before objects of theirs', async (t) => {
    const group = `${t.unique('helm')}.example.com`
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }
    t.afterwards(() => t.call('DELETE', t.path(`apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`)))
    const thing = template({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'one' }, spec: { a: 1 } })
    const folder = chart(t, { 'thing.yaml': thing })
    t.file('chart/crds/things.yaml', JSON.stringify(crd))
    await ok(install(t, folder))
    const { body } = await t.call('GET', `/apis/${group}/v1/namespaces/${t.namespace}/things/one`)
    assert.deepEqual(body.spec, { a: 1 })
  })
  check('runs hooks and takes them away', async (t) => {
    const hook = (name: string, policy: string) =>
      template(
        configMap(name, {}, { annotations: { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-delete-policy': policy } }),
      )
    await ok(
      install(
        t,
        chart(t, { 'a.yaml': hook('gone', 'hook-succeeded'), 'b.yaml': hook('stays', 'before-hook-creation') }),
      ),
    )
    assert.equal((await t.get('v1/configmaps/gone')).code, 404)
    assert.equal((await t.get('v1/configmaps/stays')).code, 200)
    assert.match(await ok(t.helm('get hooks app')), /stays/)
  })
  check('says what somebody may not do', async (t) => {
    const said = await fails(t.helm(['install', 'app', chart(t), '--kube-as-user', 'jane']))
    assert.match(
      said,
      /User "jane" cannot \w+ resource "(secrets|configmaps)" in API group "" in the namespace "conf-\w+"/,
    )
  })
  check('waits for what it installs', 'nodes', async (t) => {
    await ok(
      install(t, chart(t, { 'web.yaml': template(deployment('web', { replicas: 2 })) }), '--wait', '--timeout', '60s'),
    )
    assert.equal((await t.read('apps/v1/deployments/web')).status.readyReplicas, 2)
  })
  check('waits for jobs', 'sandbox', async (t) => {
    await ok(
      install(t, chart(t, { 'job.yaml': template(job('one')) }), '--wait', '--wait-for-jobs', '--timeout', '60s'),
    )
    assert.equal((await t.read('batch/v1/jobs/one')).status.succeeded, 1)
  })
  check('gives up waiting', async (t) => {
    const never = template(
      deployment('web', {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { nodeSelector: { never: 'here' }, containers: [{ name: 'main', image: IMAGE }] },
        },
      }),
    )
    const said = await fails(install(t, chart(t, { 'web.yaml': never }), '--wait', '--timeout', '2s'))
    assert.match(said, /context deadline exceeded|timeout|timed out/i)
    assert.deepEqual(await releases(t), [['sh.helm.release.v1.app.v1', 'failed']])
  })
  check('tests a release', 'sandbox', async (t) => {
    const check = pod('check', { restartPolicy: 'Never' }, { annotations: { 'helm.sh/hook': 'test' } })
    await ok(install(t, chart(t, { 'check.yaml': template(check) })))
    assert.match(await ok(t.helm('test app --timeout 60s')), /^Phase: +Succeeded$/m)
  })
})
