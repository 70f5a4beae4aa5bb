import { readFileSync } from 'node:fs'
import { AppsV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { scaling } from '@quayside/contract/clusters/scaling'
import {
  type Accepted,
  deployments,
  type PreparedVersion,
  type ValidationResult,
} from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { type Freeze, type Space, spaces } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let admin: Story
let viewer: Story
let adminToken: string
let space: Space
let child: CatalogChild
let newer: CatalogChild
let apps: AppsV1Api
let core: CoreV1Api
const sockets: Socket[] = []

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 10 },
    env: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '8', QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' },
  })
  adminToken = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  admin = createStory(world, adminToken)
  viewer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  space = await admin.space('Deployments', sandbox)
  child = await admin.uploadSmall('tiny', '1.0.0')
  newer = await admin.uploadSmall('tiny', '1.1.0')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)
  apps = kubeconfig.makeApiClient(AppsV1Api)
  core = kubeconfig.makeApiClient(CoreV1Api)
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await world?.close()
})

const yaml = 'replicas: 1\nimage: nginx:1.27\ncode: "hunter22"\nextra: {}\n'
const deployBody = (app: App, releaseName: string, text = yaml, version = child) => ({
  appId: app.id,
  versionId: version.version.id,
  releaseName,
  deployData: deployDataOf(app, space, version, text),
})
const upgradeBody = (app: App, text: string, version = newer) => ({
  appId: app.id,
  versionId: version.version.id,
  deployData: deployDataOf(app, space, version, text),
})

async function connect(): Promise<Socket> {
  const socket = io(world.url, { path: '/deployment/socket.io', auth: { token: adminToken }, forceNew: true })
  sockets.push(socket)
  await expect.poll(() => socket.connected).toBe(true)
  return socket
}

async function installed(name: string): Promise<{ app: App; releaseName: string }> {
  const app = await admin.assign(space, child)
  const releaseName = await admin.releaseName(app, name)
  const { status, body } = await admin.post<Accepted>('Deploy', deployBody(app, releaseName))
  expect(status).toBe(202)
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })
  return { app, releaseName }
}

describe('who may', () => {
  const calls = Object.entries(deployments).map(([name, { method, path }]) => ({ name, method, path }))

  test.each(calls)('$name wants a token', async ({ method, path }) => {
    const params = { id: 'x', appId: 'x', revision: '1', name: 'x', tenantId: 'x', itemId: 'x' }
    const url = pathOf({ service: 'deployment', path }, params)
    const answer = await world.api(url, { method, ...(method === 'GET' ? {} : { body: {} }) })
    expect(answer.status).toBe(401)
  })

  test.each(['Assign', 'Prepare', 'Deploy', 'Upgrade', 'Rollback', 'Delete'] as const)(
    'a viewer may not %s',
    async (kind) => {
      const app = await admin.assign(space, child)
      const { id: catalogItemId, type: catalogItemType, appKind } = child.item
      const bodies = {
        Assign: { tenantId: await admin.tenantId(), spaceId: space.id, clusterId: app.clusterId, catalogChild: child },
        Prepare: { catalogItemId, catalogVersionId: child.version.id, catalogItemType, appKind },
        Deploy: deployBody(app, 'not-mine'),
        Upgrade: upgradeBody(app, yaml),
        Rollback: { appId: app.id, revision: 1 },
        Delete: { app: { id: app.id } },
      }
      expect(await viewer.post(kind, bodies[kind])).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })
    },
  )

  const personWith = async (...roles: string[]) =>
    createStory(world, await world.tokenFor({ clientRoles: { 'quayside-portal-ui-catalog-apps': roles } }))

  test('who deploys without managing goes back and on, changes their mind, and takes back what waits', async () => {
    const deployer = await personWith('access', 'catalog.view', 'catalog.deploy')
    const app = await deployer.assign(space, child)
    const path = `/portal-api/v2/apps/${app.id}`
    const renamed = await deployer.call<App>(path, { method: 'PATCH', body: { displayName: 'Second thought' } })
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Second thought' } })
    expect((await deployer.call(pathOf(deployments.leftovers, { id: app.id }))).status).toBe(200)
    const { status, body } = await deployer.post<Accepted>('Delete', { app: { id: app.id, releaseName: null } })
    expect(status).toBe(202)
    // They follow what they have started without a role for looking at deployments.
    expect(await deployer.ended(body.actionId)).toMatchObject({ state: 'Success' })
    expect((await admin.call(path)).status).toBe(404)
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await deployer.call(pathOf(deployments.cancelAction, { id: unknown }), { method: 'POST' })).status).toBe(
      404,
    )
  })

  test('who deploys without managing changes nothing of what runs', async () => {
    const deployer = await personWith('access', 'catalog.view', 'catalog.deploy')
    const { app, releaseName } = await installed('Hands Off')
    const path = `/portal-api/v2/apps/${app.id}`
    const body = { displayName: 'Mine now' }
    expect(await deployer.call(path, { method: 'PATCH', body })).toMatchObject({
      status: 403,
      body: { code: 'auth.forbidden', details: { needs: [{ scope: 'app.manage' }] } },
    })
    expect((await deployer.call(`${path}/tags/mine`, { method: 'PUT' })).status).toBe(403)
    expect((await deployer.call(`${path}/tags/mine`, { method: 'DELETE' })).status).toBe(403)
    expect((await deployer.post('Delete', { app: { id: app.id, releaseName } })).status).toBe(403)
    const upgrade = (await admin.post<Accepted>('Upgrade', upgradeBody(app, yaml))).body.actionId
    expect((await deployer.call(pathOf(deployments.cancelAction, { id: upgrade }), { method: 'POST' })).status).toBe(
      403,
    )
    expect(await admin.ended(upgrade)).toMatchObject({ state: 'Success' })
  })

  test('who manages without deploying has what an upgrade asks for', async () => {
    const manager = await personWith('access', 'catalog.deployments.manage')
    const app = await admin.assign(space, child)
    for (const path of [
      pathOf(deployments.catalogApp, { id: child.version.id }),
      `/portal-api/v3/spaces/${space.id}`,
      `/catalog/v2/versions/bycatalogitem/${child.item.id}`,
      `/catalog/v2/versions/${child.version.id}`,
      `/cluster/v1/clusters/${app.clusterId}/storageClasses`,
      `/cluster/v1/clusters/list`,
    ])
      expect((await manager.call(path)).status, path).toBe(200)
    const assign = {
      tenantId: await admin.tenantId(),
      spaceId: space.id,
      clusterId: app.clusterId,
      catalogChild: child,
    }
    expect((await manager.post('Assign', assign)).status).toBe(403)
  })

  test('a viewer sees the ledger', async () => {
    expect((await viewer.call(pathOf(deployments.listActions))).status).toBe(200)
  })
})

describe('bad input', () => {
  let app: App
  beforeAll(async () => {
    app = await admin.assign(space, child)
  })

  test.each([
    ['a name that starts with a dash', { releaseName: '-x' }, 400, 'releaseName'],
    ['a name with a flag in it', { releaseName: '--kubeconfig=/etc/passwd' }, 400, 'releaseName'],
    ['an unknown app', { appId: 'nobody' }, 404, 'appId'],
    ['an unknown version', { versionId: 'nothing' }, 404, 'versionId'],
    ['another namespace', { deployData: { namespace: 'kube-system' } }, 400, 'deployData.namespace'],
    ['another realm', { deployData: { realm: 'master' } }, 400, 'deployData.realm'],
    ['another cluster', { deployData: { clusterId: 'elsewhere' } }, 400, 'deployData.clusterId'],
    ['YAML that does not parse', { deployData: { yaml: 'a: [1' } }, 400, 'deployData.yaml'],
    ['YAML that is 50 000 levels deep', { deployData: { yaml: '['.repeat(50_000) } }, 400, 'deployData.yaml'],
  ])('%s is refused with the name of the field', async (_, wrong, status, field) => {
    const right = deployBody(app, 'fine-name')
    const body = {
      ...right,
      ...wrong,
      deployData: { ...right.deployData, ...('deployData' in wrong ? wrong.deployData : {}) },
    }
    expect(await admin.post('Deploy', body)).toMatchObject({ status, body: { field } })
  })

  test('an unknown action, app and revision are not there', async () => {
    for (const path of [
      pathOf(deployments.getAction, { id: 'none' }),
      pathOf(deployments.actionEvents, { id: 'none' }),
      pathOf(deployments.revisions, { id: 'none' }),
      pathOf(deployments.revision, { appId: app.id, revision: 7 }),
      pathOf(deployments.deployed, { tenantId: 'other', itemId: 'item' }),
    ])
      expect((await admin.call(path)).status).toBe(404)
  })

  test('an app that is not deployed can be neither upgraded nor rolled back', async () => {
    const refused = { status: 409, body: { code: 'deployment.not-deployed' } }
    expect(await admin.post('Upgrade', upgradeBody(app, yaml))).toMatchObject(refused)
    expect(await admin.post('Rollback', { appId: app.id, revision: 1 })).toMatchObject(refused)
  })

  test('an app that was never deployed is just removed', async () => {
    const { body } = await admin.post<Accepted>('Delete', { app: { id: app.id } })
    expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success', kind: 'Delete' })
    expect((await admin.call(`/portal-api/v2/apps/${app.id}`)).status).toBe(404)
  })
})

describe('validation', () => {
  let app: App
  beforeAll(async () => {
    app = await admin.assign(space, child)
  })
  const validate = async (text: string, story = admin) => {
    const path = pathOf(deployments.validate, { id: child.version.id })
    const body = { appMetadata: metadataOf(app, space), yaml: text }
    return (await story.call<ValidationResult>(path, { method: 'PUT', body })).body
  }

  test('good values pass every stage', async () => {
    const result = await validate(yaml)
    expect(result).toMatchObject({ success: true, resultType: 'ok' })
    expect(result.lines.map((line) => line.provider)).toEqual(
      expect.arrayContaining(['YAML', 'Schema', 'Helm', 'Policy', 'Lint', 'Cluster']),
    )
  })

  test.each([
    ['YAML', 'a: [1', { resultType: 'fatal' }, { line: 1 }],
    ['Schema', '# first line\nreplicas: 9\n', { resultType: 'error' }, { path: 'replicas', line: 2 }],
    [
      'Policy',
      'extra: { namespace: kube-system }\n',
      { resultType: 'error' },
      { object: { kind: expect.any(String), source: expect.stringMatching(/templates/), path: 'metadata.namespace' } },
    ],
  ])('what the stage %s refuses is told with its place', async (provider, text, result, line) => {
    const found = await validate(text)
    expect(found).toMatchObject({ success: false, provider, ...result })
    expect(found.lines.at(-1)).toMatchObject({ provider, ...line })
  })

  test('without the permission for YAML, unknown keys are refused by name', async () => {
    const roles = ['access', 'catalog.view', 'catalog.deploy', 'catalog.deployments.view']
    const token = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-catalog-apps': roles } })
    const found = await validate('replicas: 1\nsidecar: true\n', createStory(world, token))
    expect(found).toMatchObject({ success: false, provider: 'YAML' })
    expect(found.lines.at(-1)?.message).toContain('sidecar')
  })
})

describe('the story of a deployment', () => {
  test('prepared, deployed, followed, upgraded, rolled back, deleted', async () => {
    const app = await admin.assign(space, child)
    const preparing = await admin.post<Accepted>('Prepare', {
      catalogItemId: child.item.id,
      catalogVersionId: child.version.id,
      catalogItemType: child.item.type,
      appKind: child.item.appKind,
      appType: child.item.appType,
    })
    const prepared = (await admin.ended(preparing.body.actionId)).prepared as PreparedVersion
    expect(prepared.values.yaml).toContain('replicas: 1')
    expect(prepared.values.fieldConfig.map((field) => field.name)).toContain('replicas')

    const releaseName = await admin.releaseName(app, 'Tiny Web')
    expect(releaseName).toBe(`tiny-web-${app.identifier}`)
    const followed = await follow(releaseName)
    const { body } = await admin.post<Accepted>('Deploy', deployBody(app, releaseName))
    expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success', result: { state: 0 } })
    await expect.poll(() => followed.names.at(-1)).toBe('Deploy')
    expect(followed.seqs).toEqual(followed.seqs.map((_, index) => index + 1))
    expect(followed.texts).toContain('Deploy result of App: Success')
    expect(followed.texts.join('\n')).not.toContain('hunter22')

    const web = await apps.readNamespacedDeployment({ name: releaseName, namespace: space.namespace })
    expect(web.status?.readyReplicas).toBe(1)
    const secret = await core.readNamespacedSecret({ name: releaseName, namespace: space.namespace })
    expect(Buffer.from(secret.data?.code ?? '', 'base64').toString()).toBe('hunter22')
    expect(await admin.good<App>(`/portal-api/v2/apps/${app.id}`)).toMatchObject({ releaseName, revision: 1 })

    const up = await admin.post<Accepted>('Upgrade', upgradeBody(app, yaml.replace('replicas: 1', 'replicas: 2')))
    expect(await admin.ended(up.body.actionId)).toMatchObject({ state: 'Success', version: '1.1.0' })
    await expect
      .poll(
        async () =>
          (await apps.readNamespacedDeployment({ name: releaseName, namespace: space.namespace })).spec?.replicas,
      )
      .toBe(2)

    const back = await admin.post<Accepted>('Rollback', { appId: app.id, revision: 1 })
    expect(await admin.ended(back.body.actionId)).toMatchObject({ state: 'Success', version: '1.0.0' })
    const { data } = await admin.good<{ data: { revision: number; installed: boolean; version: string }[] }>(
      pathOf(deployments.revisions, { id: app.id }),
    )
    expect(data.map((each) => [each.revision, each.installed, each.version])).toEqual([
      [3, true, '1.0.0'],
      [2, false, '1.1.0'],
      [1, false, '1.0.0'],
    ])
    const detail = JSON.stringify(await admin.good(pathOf(deployments.revision, { appId: app.id, revision: 3 })))
    expect(detail).not.toContain('hunter22')

    const gone = await admin.post<Accepted>('Delete', { app: { id: app.id, releaseName } })
    expect(await admin.ended(gone.body.actionId)).toMatchObject({ state: 'Success' })
    await expect(apps.readNamespacedDeployment({ name: releaseName, namespace: space.namespace })).rejects.toThrow()
    const labelSelector = `owner=helm,name=${releaseName}`
    expect((await core.listNamespacedSecret({ namespace: space.namespace, labelSelector })).items).toEqual([])
    expect((await admin.call(`/portal-api/v2/apps/${app.id}`)).status).toBe(404)
  })

  test('what pages read of a deployed app, by item, by itself and by ids', async () => {
    const { app, releaseName } = await installed('reading')
    const { id: tenantId } = await admin.good<{ id: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
    const one = {
      appId: app.id,
      appName: app.displayName,
      releaseName,
      versionId: child.version.id,
      version: '1.0.0',
      revision: 1,
      spaceId: space.id,
      clusterId: app.clusterId,
      namespace: app.namespace,
      tenantIdentifier: world.realm,
      spaceIdentifier: space.identifier,
      instanceIdentifier: app.identifier,
      appIdentifier: app.identifier,
      catalogItemId: child.item.id,
      catalogVersionId: child.version.id,
    }
    const ofItem = { tenantId, itemId: child.item.id }
    const listed = await admin.good<{ data: { appId: string }[] }>(pathOf(deployments.deployed, ofItem))
    expect(listed.data.find(({ appId }) => appId === app.id)).toMatchObject(one)
    expect(await admin.good(pathOf(deployments.deployedApp, { ...ofItem, appId: app.id }))).toMatchObject(one)
    const body = [app.id, 'nobody']
    const byIds = await admin.good<{ data: object[] }>(pathOf(deployments.deployedByIds, { tenantId }), { body })
    expect(byIds.data).toMatchObject([one])
    const shown = await admin.good(pathOf(deployments.catalogApp, { id: child.version.id }))
    const { iconEmbedded, iconUri } = child.version
    expect(shown).toMatchObject({ id: child.version.id, catalogItemId: child.item.id, iconEmbedded, iconUri })
    const name = await admin.good(pathOf(deployments.releaseName, { appId: app.id, name: 'My  Shop!' }))
    expect(name).toEqual({ name: `my-shop-${app.identifier}` })
  })

  test('each line says which action it is about and how much it matters', async () => {
    const { app, releaseName } = await installed('lines')
    const [gone, stays] = [await connect(), await connect()]
    for (const socket of [gone, stays]) await socket.emitWithAck('register', releaseName)
    gone.emit('deregister', releaseName)
    const heard = { gone: 0, stays: 0 }
    gone.on('message', () => heard.gone++)
    stays.on('message', () => heard.stays++)
    const run = async (kind: 'Upgrade' | 'Rollback' | 'Delete', body: object) =>
      admin.ended((await admin.post<Accepted>(kind, body)).body.actionId)
    await run('Upgrade', upgradeBody(app, yaml.replace('replicas: 1', 'replicas: 2')))
    const tooNew = await admin.post('Rollback', { appId: app.id, revision: 77 })
    expect(tooNew).toMatchObject({ status: 404, body: { code: 'deployment.revision-not-found' } })
    await run('Rollback', { appId: app.id, revision: 1 })
    await run('Delete', { app: { id: app.id, releaseName } })
    await expect.poll(() => heard.stays).toBeGreaterThan(0)
    expect(heard.gone).toBe(0)
    const { data } = await admin.good<{ data: { id: string; kind: string }[] }>(
      `${pathOf(deployments.listActions)}?filters.appId=${app.id}`,
    )
    const said = async (kind: string, field: 'type' | 'level') => {
      const id = data.find((each) => each.kind === kind)?.id ?? ''
      const events = await admin.good<{ data: { event: string; payload: Record<string, string> }[] }>(
        pathOf(deployments.actionEvents, { id }),
      )
      return [
        ...new Set(events.data.flatMap(({ event, payload }) => (event === 'message' ? (payload[field] ?? '') : []))),
      ]
    }
    expect((await said('Deploy', 'type')).sort()).toEqual(['deploy', 'ensurenamespace', 'helm', 'iam', 'prepare'])
    for (const kind of ['Upgrade', 'Rollback', 'Delete']) expect(await said(kind, 'type')).toContain(kind.toLowerCase())
    expect((await said('Deploy', 'level')).sort()).toEqual(['debug', 'info'])
  })

  test('values that the schema refuses do not reach Helm, although nobody validated them', async () => {
    const app = await admin.assign(space, child)
    const releaseName = await admin.releaseName(app, 'too-many')
    const right = deployBody(app, releaseName)
    const body = { ...right, deployData: { ...right.deployData, yaml: 'replicas: 50\n' } }
    const { actionId } = (await admin.post<Accepted>('Deploy', body)).body
    const action = await admin.ended(actionId)
    expect(action).toMatchObject({ state: 'Failed', result: { state: 1 } })
    expect(action.result?.lines.map(({ message }) => message)).toContain('replicas must be <= 5')
    expect(await admin.post('Delete', { app: { id: app.id, releaseName } })).toMatchObject({ status: 202 })
  })

  test('an image that nobody has is a failure that says so, and can be deleted', async () => {
    const app = await admin.assign(space, child)
    const releaseName = await admin.releaseName(app, 'broken')
    const text = yaml.replace('nginx:1.27', 'nginx:does-not-exist')
    const { body } = await admin.post<Accepted>('Deploy', deployBody(app, releaseName, text))
    const action = await admin.ended(body.actionId)
    expect(action).toMatchObject({ state: 'Failed', result: { state: 1 } })
    const { data } = await admin.good<{ data: { event: string; payload: { state?: number; message?: string } }[] }>(
      pathOf(deployments.actionEvents, { id: action.id }),
    )
    expect(data.filter((each) => each.event === 'helmresult')).toMatchObject([{ payload: { state: 2 } }])
    expect(data.filter((each) => each.event === 'hookresult')).toMatchObject([{ payload: { state: 1 } }])
    // The line names an object that is not ready yet, and its last event.
    const waiting = data.map((each) => each.payload.message ?? '').filter((line) => line.startsWith('Waiting for'))
    expect(waiting.join('\n')).toMatch(new RegExp(`Deployment ${releaseName} .*(Pull|pull)`))
    expect(await admin.good<App>(`/portal-api/v2/apps/${app.id}`)).toMatchObject({ releaseName })
    const gone = await admin.post<Accepted>('Delete', { app: { id: app.id } })
    expect(await admin.ended(gone.body.actionId)).toMatchObject({ state: 'Success' })
  })

  test('an app that is deployed is deployed under no other name, and no release is left under no app', async () => {
    const { app, releaseName } = await installed('one')
    const again = await admin.post('Deploy', deployBody(app, `two-${app.identifier}`))
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'deployment.already-deployed', field: 'releaseName', message: expect.stringContaining('upgrade') },
    })
    expect(await admin.good<App>(`/portal-api/v2/apps/${app.id}`)).toMatchObject({ releaseName })
    const gone = await admin.post<Accepted>('Delete', { app: { id: app.id } })
    expect(await admin.ended(gone.body.actionId)).toMatchObject({ state: 'Success' })
    const { items } = await core.listNamespacedSecret({ namespace: space.namespace, labelSelector: 'owner=helm' })
    expect(items.filter(({ metadata }) => metadata?.labels?.name?.endsWith(app.identifier))).toEqual([])
  })

  test('what failed to install is tried again under its name alone', async () => {
    const app = await admin.assign(space, child)
    const releaseName = await admin.releaseName(app, 'first')
    const broken = yaml.replace('nginx:1.27', 'nginx:does-not-exist')
    const first = await admin.post<Accepted>('Deploy', deployBody(app, releaseName, broken))
    expect(await admin.ended(first.body.actionId)).toMatchObject({ state: 'Failed' })
    const other = await admin.post('Deploy', deployBody(app, `second-${app.identifier}`))
    expect(other).toMatchObject({ status: 409, body: { code: 'deployment.already-deployed' } })
    const retried = await admin.post<Accepted>('Deploy', deployBody(app, releaseName))
    expect(await admin.ended(retried.body.actionId)).toMatchObject({ state: 'Success' })
  })

  test('a release name that ends in the identifier of another app is refused', async () => {
    const [app, other] = [await admin.assign(space, child), await admin.assign(space, child)]
    const named = await admin.post('Deploy', deployBody(app, `web-${other.identifier}`))
    expect(named).toMatchObject({ status: 409, body: { code: 'deployment.release-name-of-another' } })
  })

  test('a taken release name, the same key twice, and two at once', async () => {
    const { releaseName, app } = await installed('taken')
    const other = await admin.assign(space, child)
    const taken = await admin.post('Deploy', deployBody(other, releaseName))
    expect(taken).toMatchObject({ status: 409, body: { code: 'deployment.release-name-taken', field: 'releaseName' } })

    const body = deployBody(other, 'raced')
    const key = { 'idempotency-key': `key-${other.id}` }
    const both = await Promise.all([
      admin.post<Accepted>('Deploy', body, key),
      admin.post<Accepted>('Deploy', body, key),
    ])
    expect(both.map((each) => each.status)).toEqual([202, 202])
    expect(both[0].body.actionId).toBe(both[1].body.actionId)
    const different = { ...body, releaseName: 'raced2' }
    expect(await admin.post('Deploy', different, key)).toMatchObject({
      status: 409,
      body: { field: 'Idempotency-Key' },
    })
    await admin.ended(both[0].body.actionId)

    const upgrades = await Promise.all([1, 2].map(() => admin.post<Accepted>('Upgrade', upgradeBody(app, yaml))))
    expect(upgrades.map((each) => each.status).sort()).toEqual([202, 409])
    const won = upgrades.find((each) => each.status === 202)
    expect(await admin.ended(won?.body.actionId ?? '')).toMatchObject({ state: 'Success' })
  })
})

async function follow(releaseName: string) {
  const socket = io(world.url, { path: '/deployment/socket.io', auth: { token: adminToken }, forceNew: true })
  sockets.push(socket)
  const seqs: number[] = []
  const names: string[] = []
  const texts: string[] = []
  socket.onAny((name: string, payload: { seq?: number; message?: string }) => {
    if (payload.seq === undefined) return
    seqs.push(payload.seq)
    names.push(name)
    if (payload.message) texts.push(payload.message)
  })
  const reply = await socket.timeout(5000).emitWithAck('register', releaseName)
  expect(reply).toMatchObject({ ok: true })
  return { seqs, names, texts }
}

describe('a frozen space', () => {
  const freezing = () => pathOf(spaces.freezeSpace, { id: space.id })
  const freeze = (body: unknown) => admin.call<Space & { field?: string }>(freezing(), { method: 'PUT', body })
  const frozenNow = async () => (await admin.good<Space>(pathOf(spaces.getSpace, { id: space.id }))).freeze
  const reason = 'Quarter end: nothing moves'

  test('is changed by nobody but those who are exempt, until somebody ends the freeze', async () => {
    const other = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
    const { app, releaseName } = await installed('frozen')
    const first = await admin.post<Accepted>('Upgrade', upgradeBody(app, yaml))
    expect(await admin.ended(first.body.actionId)).toMatchObject({ state: 'Success' })
    const waiting = await admin.assign(space, child)
    expect((await viewer.call(freezing(), { method: 'PUT', body: { reason } })).status).toBe(403)
    expect((await freeze({ reason })).body.freeze).toMatchObject({ reason, until: null, exempt: [] })

    const refusal = { status: 409, body: { code: 'space.frozen', message: expect.stringContaining(reason) } }
    const scale = { appId: app.id, kind: 'Deployment', name: releaseName, replicas: 2 }
    const { data: pods } = await admin.good<{ data: { name: string; namespace: string }[] }>(
      pathOf(clusters.pods, { id: app.id }),
    )
    const pod = { appId: app.id, namespace: pods[0]?.namespace ?? '', pod: pods[0]?.name ?? '' }
    const commands = [
      () => other.post('Deploy', deployBody(waiting, 'too-late')),
      () => other.post('Upgrade', upgradeBody(app, yaml)),
      () => other.post('Rollback', { appId: app.id, revision: 1 }),
      () => other.post('Delete', { app: { id: app.id } }),
      () => other.call(pathOf(scaling.scale), { body: scale }),
      () => other.call(pathOf(clusters.deletePod, pod), { method: 'DELETE' }),
    ]
    for (const command of commands) expect(await command()).toMatchObject(refusal)
    expect(await admin.post('Upgrade', upgradeBody(app, yaml))).toMatchObject(refusal)

    const exempt = [admin.userId]
    expect((await freeze({ reason, exempt })).body.freeze?.exempt).toEqual([
      { id: admin.userId, name: expect.any(String) },
    ])
    expect(await other.post('Upgrade', upgradeBody(app, yaml))).toMatchObject(refusal)
    const { body } = await admin.post<Accepted>('Upgrade', upgradeBody(app, yaml))
    expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })

    // Nobody puts words into the mouth of whoever began it.
    const begun = await frozenNow()
    const rewrite = { method: 'PUT', body: { reason: 'As I please', exempt } }
    expect((await other.call<Space>(freezing(), rewrite)).body.freeze?.by).not.toBe(begun?.by)
    expect((await admin.call<Space>(freezing(), { method: 'DELETE' })).body.freeze).toBeNull()
    expect((await other.post('Delete', { app: { id: app.id } })).status).toBe(202)
  })

  test('thaws when its time has come', async () => {
    const until = new Date(Date.now() + 2000).toISOString()
    expect((await freeze({ reason, until })).body.freeze).toMatchObject({ until } satisfies Partial<Freeze>)
    await expect.poll(frozenNow).toBeNull()
    await installed('thawed')
  })

  test.each([
    [{ reason: '' }, 400, 'reason'],
    [{ reason, until: '2020-01-01T00:00:00Z' }, 400, 'until'],
    [{ reason, exempt: ['nobody'] }, 404, 'exempt'],
  ])('%j is refused by its field', async (body, status, field) => {
    expect(await freeze(body)).toMatchObject({ status, body: { field } })
    expect(await frozenNow()).toBeNull()
  })
})
