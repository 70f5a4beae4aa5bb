import { readFileSync } from 'node:fs'
import { AppsV1Api, AutoscalingV2Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { type NodePool, type QuotaUse, scaling, type WorkloadLimits } from '@quayside/contract/clusters/scaling'
import type { Accepted, Action } from '@quayside/contract/deployments/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const yaml = (replicas: number) => `replicas: ${replicas}\nimage: nginx:1.27\n`
const nothing = { cpu: null, memory: null }
let world: World
let admin: Story
let viewer: Story
let space: Space
let child: CatalogChild
let app: App
let name: string
let kube: { apps: AppsV1Api; core: CoreV1Api; autoscaling: AutoscalingV2Api }

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  viewer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  kube = {
    apps: config.makeApiClient(AppsV1Api),
    core: config.makeApiClient(CoreV1Api),
    autoscaling: config.makeApiClient(AutoscalingV2Api),
  }
  space = await admin.space('Scales', kubeconfig)
  const viewing = { principal: { type: 'user', id: viewer.userId }, role: 'viewer' }
  await admin.good(`/portal-api/v3/spaces/${space.id}/permissions`, { body: viewing })
  child = await admin.uploadSmall('shop', '1.0.0')
  app = await admin.assign(space, child)
  name = await admin.releaseName(app, 'shop')
  await acted('Deploy', { releaseName: name }, 2)
})
afterAll(() => world?.close())

async function acted(kind: 'Deploy' | 'Upgrade', more: object, replicas: number): Promise<void> {
  const deployData = deployDataOf(app, space, child, yaml(replicas))
  const command = { appId: app.id, versionId: child.version.id, deployData, ...more }
  const { body } = await admin.post<Accepted>(kind, command)
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })
  app = await admin.good<App>(`/portal-api/v2/apps/${app.id}`)
}

const onto = () => ({ appId: app.id, kind: 'Deployment', name })
const limitsOn = (more: object = {}) => ({ ...onto(), container: 'web', requests: nothing, limits: nothing, ...more })
const limits = () =>
  admin.good<{ data: WorkloadLimits[]; quotas: QuotaUse[] }>(pathOf(scaling.limitsOfApp, { id: app.id }))
const web = async () => (await limits()).data[0]
const deployed = () => kube.apps.readNamespacedDeployment({ name, namespace: space.namespace })

type Changing = 'scale' | 'setLimits' | 'restart'

async function changed(call: Changing, body: object): Promise<Action> {
  const { actionId } = await admin.good<{ actionId: string }>(pathOf(scaling[call]), { body })
  return admin.ended(actionId)
}

async function refused(call: Changing | 'resize', body: object, by: Story = admin) {
  const { status, body: said } = await by.call<ErrorReply>(pathOf(scaling[call]), { body })
  return { status, code: said.code, field: said.field, message: said.message }
}

describe('scaling is refused', () => {
  it('to who is not signed in (401), may not manage the app (403), or does not see it (404)', async () => {
    for (const [call, body] of [
      ['scale', { ...onto(), replicas: 1 }],
      ['setLimits', limitsOn()],
      ['restart', onto()],
    ] as const) {
      expect((await world.api(pathOf(scaling[call]), { body })).status, call).toBe(401)
      expect((await refused(call, body, viewer)).status, call).toBe(403)
      const nobody = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
      expect((await refused(call, body, nobody)).status, call).toBe(404)
    }
    expect((await viewer.call(pathOf(scaling.limitsOfApp, { id: app.id }))).status).toBe(200)
  })

  it('when the input is wrong, naming the field (400)', async () => {
    expect(await refused('scale', { ...onto(), replicas: -1 })).toMatchObject({ status: 400, field: 'replicas' })
    expect(await refused('scale', { ...onto(), replicas: 1001 })).toMatchObject({ status: 400, field: 'replicas' })
    expect(await refused('scale', { ...onto(), kind: 'DaemonSet', replicas: 1 })).toMatchObject({ field: 'kind' })
    const cpu = { requests: { cpu: 'much', memory: null } }
    expect(await refused('setLimits', limitsOn(cpu))).toMatchObject({ status: 400, field: 'requests.cpu' })
    const lower = { requests: { cpu: '2', memory: null }, limits: { cpu: '500m', memory: null } }
    expect(await refused('setLimits', limitsOn(lower))).toMatchObject({ status: 400, field: 'limits.cpu' })
  })

  it('of a workload or a container that the app does not run (404)', async () => {
    await kube.apps.createNamespacedDeployment({
      namespace: space.namespace,
      body: {
        metadata: { name: 'foreign' },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'foreign' } },
          template: {
            metadata: { labels: { app: 'foreign' } },
            spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
          },
        },
      },
    })
    expect(await refused('scale', { ...onto(), name: 'foreign', replicas: 0 })).toMatchObject({
      status: 404,
      code: 'cluster.workload-not-found',
    })
    expect(await refused('setLimits', limitsOn({ container: 'absent' }))).toMatchObject({
      status: 404,
      field: 'container',
    })
  })
})

describe('a workload', () => {
  it('is scaled as an action of the ledger, and an upgrade sets back what the release says', async () => {
    expect(await web()).toMatchObject({ kind: 'Deployment', name, replicas: 2, released: { replicas: 2 } })
    expect(await changed('scale', { ...onto(), replicas: 4 })).toMatchObject({
      kind: 'ChangeWorkload',
      state: 'Success',
      startedBy: expect.any(String),
      result: { summary: `Deployment ${name} is scaled to 4 replicas` },
    })
    expect((await deployed()).spec?.replicas).toBe(4)
    expect(await web()).toMatchObject({ replicas: 4, released: { replicas: 2 } })
    await acted('Upgrade', {}, 3)
    expect(await web()).toMatchObject({ replicas: 3, released: { replicas: 3 } })
  })

  it('gets limits that an upgrade leaves, because the release says nothing of them', async () => {
    const wanted = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: null, memory: '128Mi' } }
    expect(await changed('setLimits', limitsOn(wanted))).toMatchObject({ state: 'Success' })
    const expected = { requests: wanted.requests, limits: wanted.limits }
    expect((await web())?.containers).toMatchObject([{ name: 'web', ...expected, released: { requests: nothing } }])
    await acted('Upgrade', {}, 3)
    expect((await web())?.containers).toMatchObject([expected])
    expect(await changed('setLimits', limitsOn())).toMatchObject({ state: 'Success' })
    expect((await web())?.containers).toMatchObject([{ requests: nothing, limits: nothing }])
  })

  it('is restarted as kubectl does it', async () => {
    expect(await changed('restart', onto())).toMatchObject({ state: 'Success' })
    const { annotations } = (await deployed()).spec?.template.metadata ?? {}
    expect(Date.parse(annotations?.['kubectl.kubernetes.io/restartedAt'] ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('keeps to the quota of its space, which is shown with its use', async () => {
    await kube.core.createNamespacedResourceQuota({
      namespace: space.namespace,
      body: { metadata: { name: 'team' }, spec: { hard: { pods: '6' } } },
    })
    await expect
      .poll(async () => (await limits()).quotas)
      .toMatchObject([{ quota: 'team', resource: 'pods', hard: '6' }])
    expect(await refused('scale', { ...onto(), replicas: 7 })).toMatchObject({
      status: 409,
      code: 'cluster.beyond-quota',
      field: 'replicas',
      message: expect.stringContaining('Quota team: pods'),
    })
    expect((await deployed()).spec?.replicas).toBe(3)
    await kube.core.deleteNamespacedResourceQuota({ name: 'team', namespace: space.namespace })
  })

  it('is left to its autoscaler', async () => {
    await kube.autoscaling.createNamespacedHorizontalPodAutoscaler({
      namespace: space.namespace,
      body: {
        metadata: { name: 'elastic' },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, minReplicas: 3, maxReplicas: 5 },
      },
    })
    expect(await web()).toMatchObject({ autoscaler: 'elastic' })
    expect(await refused('scale', { ...onto(), replicas: 1 })).toMatchObject({
      status: 409,
      code: 'cluster.autoscaled',
    })
  })
})

describe('node pools', () => {
  const resize = (body: object, by: Story = admin) => world.api(pathOf(scaling.resize), { body, token: by.token })
  const pools = (id: string) =>
    admin.good<{ data: NodePool[]; reason: string | null }>(pathOf(scaling.nodePools, { id }))

  it('are resized by who may edit clusters, within bounds', async () => {
    const clusterId = app.clusterId
    const [pool] = (await pools(clusterId)).data
    const body = { clusterId, pool: pool?.name, count: 5 }
    expect((await world.api(pathOf(scaling.resize), { body })).status).toBe(401)
    expect((await resize(body, viewer)).status).toBe(403)
    expect(await refused('resize', { ...body, count: 1001 })).toMatchObject({ status: 400, field: 'count' })
    expect(await refused('resize', { ...body, pool: 'absent' })).toMatchObject({ code: 'cluster.pool-not-found' })
    const answer = await resize(body)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toBe(`Node pool ${pool?.name} had ${pool?.count} and now has 5 nodes.`)
    expect((await pools(clusterId)).data).toMatchObject([{ name: pool?.name, count: 5, provider: 'sandbox' }])
    const cluster = await admin.good<Cluster>(`/cluster/v1/clusters/${clusterId}`)
    expect((await admin.good<{ data: unknown[] }>(`/cluster/v1/clusters/${cluster.id}/nodes`)).data).toHaveLength(5)
  })
})
