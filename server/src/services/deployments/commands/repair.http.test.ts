import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Accepted, Action, ActionKind, Revision } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createForeignHelm } from '../testing/foreign-helm.ts'

let world: World
let story: Story
let space: Space
let older: CatalogChild
let newer: CatalogChild
let core: CoreV1Api
let faults: ReturnType<typeof createFaults>
let foreign: Awaited<ReturnType<typeof createForeignHelm>>

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { LOG_LEVEL: 'error' } })
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const text = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(text)
  core = kubeconfig.makeApiClient(CoreV1Api)
  faults = createFaults(kubeconfig)
  space = await story.space('Repairs', text)
  older = await story.uploadSmall('tiny', '1.0.0')
  newer = await story.uploadSmall('tiny', '1.1.0')
  foreign = await createForeignHelm(world, space.namespace)
})
afterEach(() => faults.clear())
afterAll(async () => {
  foreign?.close()
  await world?.close()
})

async function act(kind: ActionKind, body: unknown): Promise<Action> {
  const sent = await story.post<Accepted>(kind, body)
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  return story.ended(sent.body.actionId)
}

async function deployed(name: string): Promise<{ app: App; releaseName: string }> {
  const app = await story.assign(space, older)
  const releaseName = await story.releaseName(app, name)
  const deployData = deployDataOf(app, space, older, 'replicas: 1\nimage: nginx:1.27\n')
  const done = await act('Deploy', { appId: app.id, versionId: older.version.id, releaseName, deployData })
  expect(done.state).toBe('Success')
  return { app, releaseName }
}

const upgradeOf = (app: App) => ({
  appId: app.id,
  versionId: newer.version.id,
  deployData: deployDataOf(app, space, newer, 'replicas: 1\nimage: nginx:1.28\n'),
})

/** Leaves a release as a foreign Helm does when it is killed: one more revision of the same content, never ended. */
async function leaveStuck(releaseName: string, revision: number, status: string): Promise<void> {
  const { namespace } = space
  const nameOf = (number: number) => `sh.helm.release.v1.${releaseName}.v${number}`
  const before = await core.readNamespacedSecret({ namespace, name: nameOf(revision - 1) })
  const packed = Buffer.from(Buffer.from(before.data?.release ?? '', 'base64').toString(), 'base64')
  const release = JSON.parse((await promisify(gunzip)(packed)).toString())
  const info = { ...release.info, status, last_deployed: new Date().toISOString(), description: 'Preparing upgrade' }
  const stuck = await promisify(gzip)(JSON.stringify({ ...release, version: revision, info }))
  await core.createNamespacedSecret({
    namespace,
    body: {
      type: 'helm.sh/release.v1',
      metadata: {
        name: nameOf(revision),
        // Like Helm: the new revision has the labels that `--labels` gave to the one before.
        labels: { ...before.metadata?.labels, version: String(revision), status },
      },
      data: { release: Buffer.from(stuck.toString('base64')).toString('base64') },
    },
  })
}

test('a release that a foreign Helm left locked is explained, repaired, and the failed upgrade done again', async () => {
  const { app, releaseName } = await deployed('locked')
  await leaveStuck(releaseName, 2, 'pending-upgrade')

  const refused = await act('Upgrade', upgradeOf(app))
  expect([refused.state, refused.result?.summary]).toEqual([
    'Failed',
    expect.stringMatching(/Somebody outside this portal .* revision 2 is pending-upgrade since .* UTC\. .* repair/),
  ])
  const { data } = await story.good<{ data: Revision[] }>(`/deployment/v1/helm/deployment/revisions/${app.id}`)
  expect(data.map(({ revision, status, startedBy }) => [revision, status, startedBy === null])).toEqual([
    [2, 'pending-upgrade', true],
    [1, 'deployed', false],
  ])

  const asked = await story.post('Repair', { appId: app.id })
  expect(asked).toMatchObject({ status: 409, body: { code: 'deployment.helm-at-work' } })
  const repaired = await act('Repair', { appId: app.id, force: true })
  expect([repaired.state, repaired.result?.summary]).toEqual([
    'Success',
    expect.stringContaining('can be changed again'),
  ])
  const pods = await core.listNamespacedPod({ namespace: space.namespace, labelSelector: `app=${releaseName}` })
  expect(pods.items).toHaveLength(1)

  const again = await story.good<Accepted>(`/deployment/v1/actions/${refused.id}/retry`, { method: 'POST' })
  const done = await story.ended(again.actionId)
  expect([done.kind, done.state, done.version]).toEqual(['Upgrade', 'Success', '1.1.0'])
})

test('a deletion does not cross a foreign Helm that is at work on the release', async () => {
  const { app, releaseName } = await deployed('at-work')
  await leaveStuck(releaseName, 2, 'pending-upgrade')
  const refused = await act('Delete', { app: { id: app.id } })
  expect([refused.state, refused.result?.summary]).toEqual([
    'Failed',
    expect.stringMatching(
      /Deletion failed: Somebody outside this portal .* revision 2 is pending-upgrade since .* UTC\./,
    ),
  ])
  const pods = await core.listNamespacedPod({ namespace: space.namespace, labelSelector: `app=${releaseName}` })
  expect(pods.items).toHaveLength(1)
  expect((await act('Repair', { appId: app.id, force: true })).state).toBe('Success')
  expect((await act('Delete', { app: { id: app.id } })).state).toBe('Success')
})

const seen = (app: App) => story.good<{ state: string; message: string | null }>(`/cluster/v1/apps/${app.id}/overview`)
const said = async (app: App) => (await seen(app)).message
const newestOf = async (app: App) =>
  (await story.good<{ data: Revision[] }>(`/deployment/v1/helm/deployment/revisions/${app.id}`)).data[0]
const untilNewestIs = (app: App, status: string) =>
  expect.poll(async () => (await newestOf(app))?.status, { timeout: 60_000 }).toBe(status)

test('a Helm that is started elsewhere and lives: the app says so, nothing crosses it, and Repair asks first', async () => {
  const { app, releaseName } = await deployed('living')
  await faults.add({ userAgent: 'Helm/*', namespace: space.namespace, method: 'PATCH', kind: 'hang', count: 1 })
  const helm = foreign.upgrade(releaseName, 'nginx:1.28')
  await untilNewestIs(app, 'pending-upgrade')
  const atWork = /^Somebody outside this portal is probably working .* revision 2 is pending-upgrade since .* UTC/
  expect(await seen(app)).toMatchObject({ state: 'progressing', message: expect.stringMatching(atWork) })
  expect(await newestOf(app)).toMatchObject({ startedBy: null, lock: { isDead: false, says: expect.any(String) } })
  const refused = await act('Upgrade', upgradeOf(app))
  expect(refused.result?.summary).toMatch(/^Upgrade failed: Somebody outside this portal is probably working/)
  const record = await story.good<App>(`/portal-api/v2/apps/${app.id}`)
  expect(record).toMatchObject({ state: 'progressing', stateMessage: expect.stringMatching(atWork) })
  expect(await story.post('Repair', { appId: app.id })).toMatchObject({
    status: 409,
    body: {
      code: 'deployment.helm-at-work',
      message: expect.stringMatching(atWork),
      details: { revision: 2, status: 'pending-upgrade', since: expect.any(String), movedAt: expect.any(String) },
    },
  })
  await helm.kill()
  expect((await act('Repair', { appId: app.id, force: true })).state).toBe('Success')
  expect(await newestOf(app)).toMatchObject({ status: 'failed', lock: null })
  expect((await act('Upgrade', upgradeOf(app))).state).toBe('Success')
})

test('a deletion that somebody began elsewhere is neither unlocked nor joined while it moves', async () => {
  const { app, releaseName } = await deployed('going')
  await faults.add({ userAgent: 'Helm/*', namespace: space.namespace, method: 'DELETE', kind: 'hang', count: 1 })
  const helm = foreign.uninstall(releaseName)
  await untilNewestIs(app, 'uninstalling')
  const deleting = /probably deleting the release with Helm: revision 1 is uninstalling since .* of 3 objects are/
  expect(await seen(app)).toMatchObject({ state: 'progressing', message: expect.stringMatching(deleting) })
  for (const refused of [await act('Upgrade', upgradeOf(app)), await act('Delete', { app: { id: app.id } })])
    expect([refused.state, refused.result?.summary]).toEqual(['Failed', expect.stringMatching(deleting)])
  expect((await newestOf(app))?.status).toBe('uninstalling')
  await helm.kill()
  expect((await act('Repair', { appId: app.id, force: true })).state).toBe('Success')
  expect((await act('Delete', { app: { id: app.id } })).state).toBe('Success')
})

test('an upgrade that fails: its end, the app’s page and the list call the state the same', async () => {
  const { app } = await deployed('one-word')
  const record = () => story.good<App>(`/portal-api/v2/apps/${app.id}`)
  const wrong = { ...upgradeOf(app), deployData: deployDataOf(app, space, newer, 'replicas: 99\n') }
  expect((await act('Upgrade', wrong)).state).toBe('Failed')
  // Nothing was begun, so what ran before runs on.
  expect(await record()).toMatchObject({ state: 'healthy', stateMessage: null })

  await faults.add({ userAgent: 'Helm/*', namespace: space.namespace, method: 'PATCH', kind: 'server-error' })
  expect((await act('Upgrade', upgradeOf(app))).state).toBe('Failed')
  const { state, stateMessage } = await record()
  expect([state, stateMessage]).toEqual(['degraded', expect.stringMatching(/^Revision 2 failed: /)])
  expect(await seen(app)).toMatchObject({ state, message: stateMessage })
})

test('a release whose record somebody deleted: the app says what happened and what to do, and that works', async () => {
  const { app, releaseName } = await deployed('lost')
  const { namespace } = space
  await core.deleteCollectionNamespacedSecret({ namespace, labelSelector: `owner=helm,name=${releaseName}` })
  const lost = /The release is missing in the cluster: somebody has deleted it or its Secrets\. .* Delete the app/
  expect(await said(app)).toMatch(lost)
  const refused = await act('Upgrade', upgradeOf(app))
  expect([refused.state, refused.result?.summary]).toEqual(['Failed', expect.stringContaining('somebody has deleted')])
  const record = () => story.good<App>(`/portal-api/v2/apps/${app.id}`)
  await expect.poll(async () => (await record()).stateMessage, { timeout: 20_000 }).toMatch(lost)
  expect((await act('Delete', { app: { id: app.id } })).state).toBe('Success')
  const labelSelector = `app=${releaseName}`
  await expect
    .poll(async () => (await core.listNamespacedPod({ namespace, labelSelector })).items.length, { timeout: 20_000 })
    .toBe(0)
})

test('an app whose first installation left nothing goes on saying why', async () => {
  const app = await story.assign(space, older)
  const releaseName = await story.releaseName(app, 'never')
  const deployData = deployDataOf(app, space, older, 'replicas: 1\nimage: nginx\nextra: { namespace: elsewhere }\n')
  const failed = await act('Deploy', { appId: app.id, versionId: older.version.id, releaseName, deployData })
  expect(failed.state).toBe('Failed')
  expect(await said(app)).toBe(failed.result?.summary)
})

test('an uninstall that was cut is repaired too: the app is still there and can be deleted', async () => {
  const { app, releaseName } = await deployed('half-gone')
  await leaveStuck(releaseName, 2, 'uninstalling')
  expect((await act('Repair', { appId: app.id, force: true })).state).toBe('Success')
  expect((await act('Upgrade', upgradeOf(app))).state).toBe('Success')
  expect((await act('Delete', { app: { id: app.id } })).state).toBe('Success')
})

test('an account of the space that somebody deleted and made again is another one, and gets another token', async () => {
  const { app } = await deployed('other-account')
  const account = { namespace: 'quayside-system', name: `space-${space.id}` }
  await core.deleteNamespacedServiceAccount(account)
  await core.createNamespacedServiceAccount({
    namespace: account.namespace,
    body: { metadata: { name: account.name } },
  })
  const done = await act('Upgrade', upgradeOf(app))
  expect([done.state, done.result?.summary]).toEqual(['Success', expect.any(String)])
})

test('what is well needs no repair, and is left as it is', async () => {
  const { app, releaseName } = await deployed('well')
  const secrets = () =>
    core.listNamespacedSecret({ namespace: space.namespace, labelSelector: `owner=helm,name=${releaseName}` })
  const before = (await secrets()).items.map(({ metadata }) => metadata?.resourceVersion)
  expect((await act('Repair', { appId: app.id })).state).toBe('Success')
  expect((await secrets()).items.map(({ metadata }) => metadata?.resourceVersion)).toEqual(before)
})

test('only a failed action that nothing came after is done again, by who may', async () => {
  const { app, releaseName } = await deployed('again')
  await leaveStuck(releaseName, 2, 'pending-rollback')
  const failed = await act('Upgrade', upgradeOf(app))
  const path = `/deployment/v1/actions/${failed.id}/retry`
  const viewer = createStory(
    world,
    await world.tokenFor({ clientRoles: { 'quayside-portal-ui-catalog-apps': ['catalog.deployments.view'] } }),
  )
  expect((await viewer.call(path, { method: 'POST' })).status).toBe(403)
  expect((await viewer.post('Repair', { appId: app.id })).status).toBe(403)

  await act('Repair', { appId: app.id, force: true })
  await act('Delete', { app: { id: app.id } })
  expect(await story.call(path, { method: 'POST' })).toMatchObject({
    status: 409,
    body: { code: 'deployment.not-retryable', message: expect.stringContaining('Delete of') },
  })
  expect((await story.call('/deployment/v1/actions/nobody/retry', { method: 'POST' })).status).toBe(404)
})

test('the ledger lists what runs first and can be narrowed to a person', async () => {
  const list = (query: string) => story.good<ListReply<Action>>(`/deployment/v1/actions?${query}`)
  const all = await list('page.limit=200')
  const names = new Set(all.data.map(({ startedBy }) => startedBy))
  const [name = ''] = names
  const theirs = await list(`filters.startedBy=${encodeURIComponent(name)}&page.limit=200`)
  expect([names.size, theirs.page.total]).toEqual([1, all.page.total])
  expect((await list('filters.startedBy=nobody-at-all')).page.total).toBe(0)
})
