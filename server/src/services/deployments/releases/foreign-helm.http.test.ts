import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Accepted, Action, ActionKind, Revision } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createForeignHelm } from '../testing/foreign-helm.ts'

let world: World
let story: Story
let space: Space
let version: CatalogChild
let faults: ReturnType<typeof createFaults>
let foreign: Awaited<ReturnType<typeof createForeignHelm>>

// Here a Helm from outside counts as gone after three seconds without a movement, not after ten minutes.
beforeAll(async () => {
  const env = { LOG_LEVEL: 'error', QUAYSIDE_FOREIGN_HELM_SECONDS: '3' }
  world = await World.start({ cluster: { speed: 1 }, env })
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const text = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(text)
  faults = createFaults(kubeconfig)
  space = await story.space('Strangers', text)
  version = await story.uploadSmall('tiny', '1.0.0')
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

const seen = (app: App) => story.good<{ state: string; message: string | null }>(`/cluster/v1/apps/${app.id}/overview`)
const revisionsOf = async (app: App) =>
  (await story.good<{ data: Revision[] }>(`/deployment/v1/helm/deployment/revisions/${app.id}`)).data
const statuses = async (app: App) => (await revisionsOf(app)).map(({ status }) => status)
const patient = { timeout: 90_000, interval: 250 }

test('a Helm from elsewhere that was killed: the app says since when nothing moves, and the next upgrade frees it', async () => {
  const { app, releaseName } = await deployed('killed')
  await faults.add({ userAgent: 'Helm/*', namespace: space.namespace, method: 'PATCH', kind: 'hang', count: 1 })
  const helm = foreign.upgrade(releaseName, 'nginx:1.26')
  await expect.poll(() => statuses(app), patient).toEqual(['pending-upgrade', 'deployed'])
  await helm.kill()
  await expect
    .poll(() => seen(app), patient)
    .toMatchObject({
      state: 'degraded',
      message: expect.stringMatching(
        /seems to be gone: revision 2 is pending-upgrade since .* nothing has moved since/,
      ),
    })
  expect((await revisionsOf(app))[0]?.lock).toMatchObject({ isDead: true, movedAt: expect.stringMatching(/Z$/) })
  expect((await upgrade(app)).state).toBe('Success')
  expect(await statuses(app)).toEqual(['deployed', 'failed', 'superseded'])
}, 180_000)

test('a deletion from elsewhere that was cut: the app says what is left, and deleting it here ends it', async () => {
  const { app, releaseName } = await deployed('cut')
  await faults.add({ userAgent: 'Helm/*', namespace: space.namespace, method: 'DELETE', kind: 'hang', count: 1 })
  const helm = foreign.uninstall(releaseName)
  await expect.poll(() => statuses(app), patient).toEqual(['uninstalling'])
  await helm.kill()
  await expect
    .poll(() => seen(app), patient)
    .toMatchObject({
      state: 'degraded',
      message: expect.stringMatching(
        /stopped while it deleted the release: revision 1 is uninstalling .* of 3 objects/,
      ),
    })
  expect((await act('Delete', { app: { id: app.id } })).state).toBe('Success')
}, 180_000)

test('a Helm from elsewhere that only seemed dead ends after a repair: one revision stays deployed, the newest', async () => {
  const { app, releaseName } = await deployed('late')
  // It waits for pods that cannot start, and nothing moves.
  const helm = foreign.upgrade(releaseName, 'nginx:does-not-exist')
  const repair = () => story.post<Accepted>('Repair', { appId: app.id })
  await expect.poll(() => statuses(app), patient).toEqual(['pending-upgrade', 'deployed'])
  const repairs: { status: number; body: Accepted }[] = []
  await expect.poll(async () => repairs[repairs.push(await repair()) - 1]?.status, patient).toBe(202)
  expect((await story.ended(repairs.at(-1)?.body.actionId ?? '')).state).toBe('Success')
  // The upgrade gives them an image that starts, so that the other Helm succeeds, too, and writes its end.
  expect((await upgrade(app)).state).toBe('Success')
  expect(await helm.done).toMatchObject({ code: 0 })
  await expect.poll(() => statuses(app), patient).toEqual(['deployed', 'superseded', 'superseded'])
  const [newest, late] = await revisionsOf(app)
  expect([newest?.installed, late?.installed]).toEqual([true, false])
  // Either the upgrade met it when it read back, or whoever looked at the app next.
  expect(late?.description).toMatch(/counted as deployed/i)
  await expect.poll(() => seen(app), patient).toMatchObject({ state: 'healthy', message: null })
}, 240_000)
