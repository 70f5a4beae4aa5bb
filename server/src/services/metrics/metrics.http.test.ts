import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Accepted } from '@quayside/contract/deployments/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { pathOf } from '@quayside/contract/http/path'
import {
  type AppUsage,
  type ClusterUsage,
  metrics,
  type SpaceUsage,
  type Usage,
} from '@quayside/contract/metrics/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { deploymentTemplate } from '@quayside/embedded/story/small-chart'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../platform/db/db.ts'
import { createLogger } from '../../platform/logging/logger.ts'
import { createCollectionStore } from './store.ts'

const everySeconds = 1
const requests = `resources: { requests: { cpu: 200m, memory: 64Mi }, limits: { cpu: 400m, memory: 128Mi } }`

let world: World
let admin: Story
let viewer: Story
let stranger: Story
let ours: Space
let theirs: Space
let child: CatalogChild
let app: App

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 20 },
    metrics: { everySeconds },
    env: { QUAYSIDE_ALLOWED_ADDRESSES: '127.0.0.1:1' },
  })
  const [first, second, third] = await Promise.all([
    world.tokenFor({ realmRoles: ['quayside-admin'] }),
    world.tokenFor({ realmRoles: ['quayside-member'] }),
    world.tokenFor({ realmRoles: ['quayside-member'] }),
  ])
  admin = createStory(world, first)
  viewer = createStory(world, second)
  stranger = createStory(world, third)
  ours = await admin.space('Ours', readFileSync(world.kubeconfig, 'utf8'))
  const clusterIds = ours.clusters.map(({ id }) => id)
  theirs = await admin.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Theirs', clusterIds } })
  for (const [who, space] of [
    [viewer, ours],
    [stranger, theirs],
  ] as const)
    await admin.good(`/portal-api/v3/spaces/${space.id}/permissions`, {
      body: { principal: { type: 'user', id: who.userId }, role: 'viewer' },
    })
  const deployment = deploymentTemplate(requests)
  child = await admin.uploadSmall('shop', '1.0.0', { 'templates/deployment.yaml': deployment })
  app = await deployed(ours, 'shop')
})
afterAll(() => world?.close())

async function deployed(space: Space, name: string): Promise<App> {
  const assigned = await admin.assign(space, child)
  const releaseName = await admin.releaseName(assigned, name)
  const deployData = deployDataOf(assigned, space, child, 'replicas: 2\nimage: nginx:1.27\n')
  const command = { appId: assigned.id, versionId: child.version.id, deployData, releaseName }
  const { body } = await admin.post<Accepted>('Deploy', command)
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })
  return admin.good<App>(`/portal-api/v2/apps/${assigned.id}`)
}

const ofApp = (who: Story, id = app.id) => who.good<AppUsage>(pathOf(metrics.appUsage, { id }))
const clusterId = () => ours.clusters[0]?.id ?? ''
const last = (lines: Usage['cpu'], of: string) =>
  lines.find((line) => line.of === of)?.values.findLast((one) => one !== null)

describe('usage is refused', () => {
  test('to who is not signed in (401), and to who does not see the place (404) or has not the role (403)', async () => {
    for (const path of [
      pathOf(metrics.appUsage, { id: app.id }),
      pathOf(metrics.spaceUsage, { id: ours.id }),
      pathOf(metrics.clusterUsage, { id: clusterId() }),
    ])
      expect((await world.api(path)).status, path).toBe(401)
    expect(await stranger.call(pathOf(metrics.appUsage, { id: app.id }))).toMatchObject({
      status: 404,
      body: { code: 'app.not-found' },
    })
    expect(await stranger.call(pathOf(metrics.spaceUsage, { id: ours.id }))).toMatchObject({
      status: 404,
      body: { code: 'space.not-found' },
    })
    expect((await viewer.call(pathOf(metrics.clusterUsage, { id: clusterId() }))).status).toBe(403)
  })

  test('of a cluster that is not there (404), and for a time that is none (400)', async () => {
    const nobody = await admin.call<ErrorReply>(pathOf(metrics.clusterUsage, { id: 'nobody' }))
    expect(nobody).toMatchObject({ status: 404, body: { code: 'cluster.not-found' } })
    const during = (query: string) => admin.call<ErrorReply>(`${pathOf(metrics.appUsage, { id: app.id })}?${query}`)
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['to=2031-05-01', 'to'],
      ['from=2031-05-01T12:00:00Z&to=2031-05-01T12:00:00Z', 'from'],
      ['from=2031-01-01T00:00:00Z&to=2031-05-01T00:00:00Z', 'from'],
    ])
      expect(await during(query ?? ''), query).toMatchObject({ status: 400, body: { code: 'request.invalid', field } })
  })
})

test('what an app uses arrives, with its requests, its limits, its pods and its actions', {
  timeout: 90_000,
}, async () => {
  // Requests of pods are known before they are measured, and a chart shows the mean of some rounds.
  const complete = async () => {
    const usage = await ofApp(viewer)
    expect(usage.collections).toMatchObject([{ clusterId: clusterId(), state: 'current', message: null }])
    expect(usage.pods.length).toBe(2)
    expect(last(usage.cpu, 'requests')).toBeCloseTo(0.4)
    expect(last(usage.cpu, 'limits')).toBeCloseTo(0.8)
    // The Sandbox makes use up as a wave around a third of the requested cores and half of the memory.
    expect(last(usage.cpu, 'usage')).toBeGreaterThan(0.4 * 0.2)
    expect(last(usage.cpu, 'usage')).toBeLessThan(0.4 * 0.5)
    expect(last(usage.memory, 'usage')).toBeGreaterThan(2 * 64 * 2 ** 20 * 0.4)
    const one = { requests: 0.2, limits: 0.4, usage: expect.any(Number) }
    const memory = { requests: 64 * 2 ** 20, limits: 128 * 2 ** 20, usage: expect.any(Number) }
    for (const pod of usage.pods)
      expect(pod).toMatchObject({
        ...{ clusterId: clusterId(), namespace: ours.namespace, cpu: one, memory },
        app: { id: app.id, displayName: app.displayName },
      })
    expect(usage.markers).toMatchObject([{ kind: 'Deploy', outcome: 'succeeded', version: '1.0.0' }])
  }
  await vi.waitFor(complete, { timeout: 60_000, interval: 100 })
})

test('a space and a cluster are sums; another team has its own figures alone', { timeout: 90_000 }, async () => {
  const other = await deployed(theirs, 'other')
  const complete = async () => {
    const seen = await stranger.good<SpaceUsage>(pathOf(metrics.spaceUsage, { id: theirs.id }))
    expect(new Set(seen.pods.map(({ namespace }) => namespace))).toEqual(new Set([theirs.namespace]))
    expect(seen.pods.map((pod) => pod.app?.id)).toEqual([other.id, other.id])
    expect(last(seen.cpu, 'requests')).toBeCloseTo(0.4)
    expect(seen.markers).toMatchObject([{ kind: 'Deploy', outcome: 'succeeded', app: other.displayName }])
    const whole = await admin.good<ClusterUsage>(pathOf(metrics.clusterUsage, { id: clusterId() }))
    expect(JSON.stringify(whole)).not.toContain(theirs.namespace)
    expect(whole.nodes.length).toBeGreaterThan(0)
    expect(last(whole.cpu, 'usage')).toBeGreaterThan(last(seen.cpu, 'usage') ?? Infinity)
  }
  await vi.waitFor(complete, { timeout: 60_000, interval: 100 })
})

test('a panel of usage shows what its viewer sees', async () => {
  const preview = Object.fromEntries(
    [ours, theirs].map(({ id }, at) => [
      at === 0 ? 'ours' : 'theirs',
      {
        kind: 'Panel',
        spec: { display: { name: 'CPU' }, plugin: { kind: 'Usage', spec: { spaceId: id, resource: 'cpu' } } },
      },
    ]),
  )
  const range = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }
  const answer = await world.api('/dashboard/v1/query', { token: viewer.token, body: { preview, range } })
  const frames = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const frame = (key: string) => frames.find((one) => one.key === key)
  expect(frame('theirs')).toMatchObject({ status: 'hidden' })
  expect(frame('ours')).toMatchObject({ status: 'ok', data: { kind: 'Usage', resource: 'cpu', usage: { memory: [] } } })
  expect(last(frame('ours').data.usage.cpu, 'requests')).toBeCloseTo(0.4)
})

test('a cluster that is dead holds up no other', async () => {
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8').replace(/server: .*/, 'server: https://127.0.0.1:1')
  const body = { displayName: 'Dead', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: false }
  const dead = await admin.good<{ id: string }>('/cluster/v1/clusters', { body })
  const collected = async (id: string) =>
    (await admin.good<ClusterUsage>(pathOf(metrics.clusterUsage, { id }))).collections[0]
  await expect
    .poll(() => collected(dead.id))
    .toMatchObject({ state: 'waiting', message: expect.stringMatching(/reach/) })
  const before = (await collected(clusterId()))?.at
  await expect.poll(async () => (await collected(clusterId()))?.at, { timeout: 10_000 }).not.toBe(before)
})

test('one replica alone takes a cluster that is due, and another one when that has passed', async () => {
  const db = openDb(world.databaseUrl, createLogger('silent'))
  const store = createCollectionStore(db)
  const cluster = { id: clusterId(), tenantId: await admin.tenantId() }
  const claim = () => store.claim([cluster], 3600)
  const claimants: number[] = []
  const both = async () => {
    const taken = await Promise.all([claim(), claim()])
    claimants.push(taken.filter(({ size }) => size > 0).length)
    return claimants.at(-1)
  }
  const putForward = () =>
    db.tenant(cluster.tenantId, (trx) =>
      sql`update metrics_collections set due_at = clock_timestamp() where cluster_id = ${cluster.id}`.execute(trx),
    )
  // The portal of this test is a third replica, and may be the one that takes it.
  const onceDue = () => expect.poll(() => putForward().then(both), { interval: 20, timeout: 20_000 }).toBe(1)
  await onceDue()
  expect(await both()).toBe(0)
  await onceDue()
  expect(claimants).not.toContain(2)
  await db.close()
})

test('a metrics server that does not answer is said', async () => {
  await world.stopMetrics()
  const said = await viewer.call<ErrorReply>(pathOf(metrics.appUsage, { id: app.id }))
  expect(said).toMatchObject({ status: 502, body: { code: 'metrics.unreachable' } })
})
