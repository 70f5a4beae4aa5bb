import { readFileSync } from 'node:fs'
import { CoreV1Api, type V1Pod } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { DeletionAccepted } from '@quayside/contract/deployments/deletion'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster, realCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let core: CoreV1Api

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  core = teams.kubeconfig.makeApiClient(CoreV1Api)
  if (realCluster !== undefined) await core.createNode({ body: { metadata: { name: silentNode } } })
})
afterAll(() => world?.close())

/** Those that were deployed, to be deleted where a cluster has to be without apps. */
const apps: { id: string }[] = []
const fault = 'sandbox.quayside.io/fault'
const tenYears = 315_360_000
/** A real API server has no nodes here: the pod is put on one that nobody serves, and so ends when somebody ends it. */
const silentNode = 'silent'
/** A pod that a deployer starts by kubectl. */
const lingering = {
  metadata: { name: 'lingering' },
  spec: {
    ...(realCluster === undefined ? {} : { nodeName: silentNode }),
    terminationGracePeriodSeconds: tenYears,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'a', image: 'b' }],
  },
}

async function deployed(by: Team, objects: string) {
  const app = await teams.assign(by)
  apps.push(app)
  const { action } = await teams.deploy(by, by.story, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return app
}

/** A node that tells nothing ends no pods, as a program that does not listen does not end. */
async function silence(pod: V1Pod | undefined, isSilent: boolean) {
  const name = pod?.spec?.nodeName ?? ''
  if (realCluster !== undefined) return isSilent ? undefined : endPod(pod)
  const node = await core.readNode({ name })
  const annotations = { ...node.metadata?.annotations }
  if (isSilent) annotations[fault] = 'node-down'
  else delete annotations[fault]
  await core.replaceNode({ name, body: { ...node, metadata: { ...node.metadata, annotations } } })
}

/** The last word of the node on a real API server: the pod has ended. */
async function endPod(pod: V1Pod | undefined) {
  const { name = '', namespace = '' } = pod?.metadata ?? {}
  await core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 })
}

describe('a program that takes ten years to end', () => {
  test('has a minute when its space is deleted', async () => {
    const by = await teams.team()
    const { namespace } = by.space
    const app = await deployed(by, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n')
    await core.createNamespacedPod({ namespace, body: lingering })
    const pod = () => core.readNamespacedPod({ namespace, name: 'lingering' })
    await expect.poll(async () => (await pod()).status?.phase, { timeout: 20_000 }).toBe('Running')
    expect((await teams.act('Delete', { app: { id: app.id } }, by.story)).state).toBe('Success')
    const lingers = await pod()
    await silence(lingers, true)
    const path = `/portal-api/v3/spaces/${by.space.id}`
    const { actionId } = await teams.admin.good<DeletionAccepted>(path, { method: 'DELETE' })
    const grace = async () => (await pod()).metadata?.deletionGracePeriodSeconds
    await expect.poll(grace, { timeout: 20_000 }).toBe(60)
    const maps = async () => (await core.listNamespacedConfigMap({ namespace })).items.length
    // Clusters before Kubernetes 1.34, and the Sandbox, delete everything else while the pod is still there.
    if (realCluster === undefined) await expect.poll(maps, { timeout: 20_000 }).toBe(0)
    const { spec } = await teams.clients.net.readNamespacedNetworkPolicy({ namespace, name: 'quayside-space' })
    expect(spec?.policyTypes).toEqual(['Ingress', 'Egress'])
    await silence(lingers, false)
    expect((await teams.admin.ended(actionId)).state).toBe('Success')
  })
})

describe('a cluster that a tenant has registered twice, under two addresses', () => {
  test('keeps the spaces of one registration when the other goes', async () => {
    const by = await teams.team()
    await deployed(by, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n')
    const kubeconfig = readFileSync(world.kubeconfig, 'utf8').replace('127.0.0.1', 'localhost')
    const body = { displayName: 'There', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: true }
    const { id } = await teams.admin.good<Cluster>('/cluster/v1/clusters', { body })
    const { actionId } = await teams.admin.good<DeletionAccepted>(`/cluster/v1/clusters/${id}`, { method: 'DELETE' })
    expect((await teams.admin.ended(actionId)).state).toBe('Success')
    const { data } = await core.readNamespacedConfigMap({ namespace: by.space.namespace, name: 'kept' })
    expect(data).toBeUndefined()
    const { metadata } = await core.readNamespace({ name: by.space.namespace })
    expect(metadata?.deletionTimestamp).toBeUndefined()
    await deployed(by, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later}\n')
  })
})

describe('a cluster that is forgotten while a space is being deleted there', () => {
  test('keeps no namespace that waits for a portal which never comes back', async () => {
    const by = await teams.team()
    const { namespace } = by.space
    await deployed(by, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n')
    await core.createNamespacedPod({ namespace, body: lingering })
    const pod = () => core.readNamespacedPod({ namespace, name: 'lingering' })
    await expect.poll(async () => (await pod()).status?.phase, { timeout: 20_000 }).toBe('Running')
    for (const { id } of apps) {
      const { status } = await teams.admin.call(`/portal-api/v2/apps/${id}`)
      if (status === 200) expect((await teams.act('Delete', { app: { id } })).state).toBe('Success')
    }
    const lingers = await pod()
    await silence(lingers, true)
    await teams.admin.good(`/portal-api/v3/spaces/${by.space.id}`, { method: 'DELETE' })
    const grace = async () => (await pod()).metadata?.deletionGracePeriodSeconds
    await expect.poll(grace, { timeout: 20_000 }).toBe(60)
    const path = `/cluster/v1/clusters/${teams.cluster.id}?forget=true`
    const { actionId } = await teams.admin.good<DeletionAccepted>(path, { method: 'DELETE' })
    expect((await teams.admin.ended(actionId)).state).toBe('Success')
    await silence(lingers, false)
    const isThere = () =>
      core.readNamespace({ name: namespace }).then(
        () => 'there',
        ({ code }: { code?: number }) => code,
      )
    await expect.poll(isThere, { timeout: 30_000 }).toBe(404)
  })
})
