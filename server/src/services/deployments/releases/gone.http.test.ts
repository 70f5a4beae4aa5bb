import { readFileSync } from 'node:fs'
import { AppsV1Api, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { type Accepted, type Action, type ActionKind, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { socketPath } from '@quayside/contract/live/names'
import type { Notice } from '@quayside/contract/notifications/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createForeignHelm } from '../testing/foreign-helm.ts'

let world: World
let story: Story
let space: Space
let version: CatalogChild
let core: CoreV1Api
let apps: AppsV1Api
let foreign: Awaited<ReturnType<typeof createForeignHelm>>

// Helm waits for so long until what it has deleted is gone; an installation takes a second.
beforeAll(async () => {
  const env = { LOG_LEVEL: 'error', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '15', QUAYSIDE_OUTAGE_SECONDS: '2' }
  world = await World.start({ cluster: { speed: 20 }, env })
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const text = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(text)
  core = kubeconfig.makeApiClient(CoreV1Api)
  apps = kubeconfig.makeApiClient(AppsV1Api)
  space = await story.space('Going', text)
  version = await story.uploadSmall('tiny', '1.0.0')
  foreign = await createForeignHelm(world, space.namespace)
})
afterAll(async () => {
  foreign?.close()
  await world?.close()
})

async function begin(kind: ActionKind, body: unknown): Promise<string> {
  const sent = await story.post<Accepted>(kind, body)
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  return sent.body.actionId
}
const act = async (kind: ActionKind, body: unknown): Promise<Action> => story.ended(await begin(kind, body))
const dataOf = (app: App, image: string) => deployDataOf(app, space, version, `replicas: 1\nimage: ${image}\n`)

async function deployed(name: string): Promise<{ app: App; releaseName: string }> {
  const app = await story.assign(space, version)
  const releaseName = await story.releaseName(app, name)
  const body = { appId: app.id, versionId: version.version.id, releaseName, deployData: dataOf(app, 'nginx:1.27') }
  expect((await act('Deploy', body)).state).toBe('Success')
  return { app, releaseName }
}
const upgrade = (app: App) =>
  act('Upgrade', { appId: app.id, versionId: version.version.id, deployData: dataOf(app, 'nginx:1.28') })
const remove = (app: App) => act('Delete', { app: { id: app.id } })
const seen = (app: App) => story.good<{ state: string; message: string | null }>(`/cluster/v1/apps/${app.id}/overview`)
const stateOf = (app: App) => story.call<App>(`/portal-api/v2/apps/${app.id}`)

async function logOf(actionId: string): Promise<string> {
  const path = pathOf(deployments.actionEvents, { id: actionId })
  const { data } = await story.good<{ data: { payload: { message?: string } }[] }>(path)
  return data.map(({ payload }) => payload.message ?? '').join('\n')
}

async function records(releaseName: string): Promise<string[]> {
  const labelSelector = `owner=helm,name=${releaseName}`
  const { items } = await core.listNamespacedSecret({ namespace: space.namespace, labelSelector })
  return items.map(({ metadata }) => metadata?.name ?? '').sort()
}

const merging = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
const strategicMerging = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch)
const patch = (name: string, metadata: object) =>
  apps.patchNamespacedDeployment({ name, namespace: space.namespace, body: { metadata } }, merging)

async function damage(releaseName: string, revision: number): Promise<void> {
  const place = { namespace: space.namespace, name: `sh.helm.release.v1.${releaseName}.v${revision}` }
  const secret = await core.readNamespacedSecret(place)
  await core.replaceNamespacedSecret({ ...place, body: { ...secret, data: { release: 'aGVsbG8=' } } })
}

test('an object that a finalizer holds fails a deletion by name, and the next one waits for it though the release is gone', async () => {
  const { app, releaseName } = await deployed('held')
  await patch(releaseName, { finalizers: ['example.org/stay'] })
  const failed = await remove(app)
  const held = `Deployment ${releaseName} (finalizer example.org/stay)`
  expect([failed.state, failed.result?.summary]).toEqual(['Failed', expect.stringContaining(`still there: ${held}`)])
  expect(JSON.stringify(failed.result?.lines)).toContain('is Terminating and held by example.org/stay')
  // Access to what still runs stays as it is.
  expect(await logOf(failed.id)).not.toContain('Removing groups')
  expect(await records(releaseName)).toEqual([])
  expect(await seen(app)).toMatchObject({ state: 'failed', message: expect.stringContaining(held) })

  // Nothing but what the first deletion remembered says now that it is one of this release.
  await patch(releaseName, { annotations: { 'meta.helm.sh/release-name': null } })
  const again = await begin('Delete', { app: { id: app.id } })
  await expect.poll(() => logOf(again), { timeout: 60_000 }).toContain(`Waiting until these are gone: ${held}`)
  await patch(releaseName, { finalizers: null })
  expect((await story.ended(again)).state).toBe('Success')
  expect((await stateOf(app)).status).toBe(404)
  const left = await apps.listNamespacedDeployment({ namespace: space.namespace })
  expect(left.items.map(({ metadata }) => metadata?.name)).not.toContain(releaseName)
}, 180_000)

test('a release whose history somebody kept is called uninstalled, comes back by an upgrade, and is deleted whole', async () => {
  const { app, releaseName } = await deployed('history')
  const uninstall = () => foreign.start('uninstall', releaseName, '--keep-history', '--wait').done
  expect(await uninstall()).toMatchObject({ code: 0 })
  const text = expect.stringMatching(/uninstalled the release with Helm and kept its history: .* Upgrade the app/)
  await expect.poll(() => seen(app), { timeout: 60_000 }).toMatchObject({ state: 'failed', message: text })
  const back = await upgrade(app)
  expect([back.state, back.result?.summary]).toEqual(['Success', expect.stringContaining('as revision 2')])
  expect(await records(releaseName)).toHaveLength(2)
  expect(await uninstall()).toMatchObject({ code: 0 })
  expect((await remove(app)).state).toBe('Success')
  expect(await records(releaseName)).toEqual([])
}, 180_000)

test('a damaged newest revision is named, put aside by a repair, and nothing of it stays behind a deletion', async () => {
  const { app, releaseName } = await deployed('damaged')
  expect((await upgrade(app)).state).toBe('Success')
  await damage(releaseName, 2)
  const refused = await upgrade(app)
  expect([refused.state, refused.result?.summary]).toEqual([
    'Failed',
    expect.stringMatching(/Revision 2 of the release cannot be read: .* Repair/),
  ])
  expect((await stateOf(app)).body).toMatchObject({
    state: 'degraded',
    stateMessage: expect.stringMatching(/newest revision of the release cannot be read: .* Repair moves it aside/),
  })
  expect((await act('Repair', { appId: app.id })).state).toBe('Success')
  const names = [1, 2].map((revision) => `sh.helm.release.v1.${releaseName}.v${revision}`)
  expect(await records(releaseName)).toEqual([names[0], `${names[1]}.unreadable`])
  const text = expect.stringMatching(/^No revision of the release counts as deployed: .* 1, is superseded/)
  await expect.poll(() => seen(app), { timeout: 60_000 }).toMatchObject({ state: 'degraded', message: text })
  const counts = await upgrade(app)
  expect([counts.state, counts.result?.summary]).toEqual(['Success', expect.stringContaining('as revision 2')])
  await damage(releaseName, 2)
  expect((await remove(app)).state).toBe('Success')
  expect(await records(releaseName)).toEqual([])
}, 180_000)

test('people are told of an app whose release was deleted on the cluster, and of one whose rollout came to a standstill', async () => {
  const [lost, stuck] = [await deployed('lost'), await deployed('stuck')]
  const { namespace } = space
  await core.deleteNamespacedSecret({ namespace, name: `sh.helm.release.v1.${lost.releaseName}.v1` })
  const containers = [{ name: 'web', image: 'unpullable:1' }]
  const spec = { progressDeadlineSeconds: 10, template: { spec: { containers } } }
  await apps.patchNamespacedDeployment({ name: stuck.releaseName, namespace, body: { spec } }, strategicMerging)
  const socket = io(world.url, { path: socketPath, transports: ['websocket'], auth: { token: story.token } })
  try {
    for (const { app } of [lost, stuck]) socket.emit('watch', { topic: 'app', id: app.id })
    const told = async () => {
      const { data } = await story.good<{ data: Notice[] }>('/im/v1/notifications')
      return data.filter(({ kind }) => kind === 'app-unhealthy')
    }
    const idsTold = async () => (await told()).map(({ about }) => about.id)
    const both = expect.arrayContaining([lost.app.id, stuck.app.id])
    await expect.poll(idsTold, { timeout: 60_000, interval: 300 }).toEqual(both)
    for (const { app } of [lost, stuck]) expect((await stateOf(app)).body.state).toBe('failed')
    const ofLost = (await told()).find(({ about }) => about.id === lost.app.id)
    expect(ofLost).toMatchObject({
      space: { id: space.id },
      says: expect.stringContaining('is missing in the cluster'),
    })
  } finally {
    socket.disconnect()
  }
}, 180_000)
