import { readFileSync } from 'node:fs'
import { CoreV1Api, NetworkingV1Api, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kubeconfigsPath, statusOf } from '../kubectl-user.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let core: CoreV1Api
let rbac: RbacAuthorizationV1Api
let net: NetworkingV1Api
let faults: ReturnType<typeof createFaults>

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  core = teams.kubeconfig.makeApiClient(CoreV1Api)
  rbac = teams.kubeconfig.makeApiClient(RbacAuthorizationV1Api)
  net = teams.kubeconfig.makeApiClient(NetworkingV1Api)
  faults = createFaults(teams.kubeconfig)
})
afterAll(() => world?.close())

const pathOf = ({ id }: Pick<Space, 'id'>) => `/portal-api/v3/spaces/${id}`
const put = (space: Space, body: object) =>
  teams.admin.call<Space & { code?: string }>(pathOf(space), {
    method: 'PUT',
    body: { displayName: space.displayName, ...body },
  })
const clustersOf = async (space: Space) => (await teams.admin.good<Space>(pathOf(space))).clusters.map(({ id }) => id)

const kubeconfigOf = ({ story, space }: Team, clusterId = teams.cluster.id) =>
  story.good<Kubeconfig>(kubeconfigsPath, { body: { places: [{ spaceId: space.id, clusterId }] } })

/** A team with a kubeconfig, a pod that was made by kubectl, and an app that was deployed and deleted. */
async function settled(): Promise<Team & { held: Kubeconfig }> {
  const by = await teams.team()
  const app = await teams.assign(by)
  const { action } = await teams.deploy(by, by.story, app, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n')
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  expect((await teams.act('Delete', { app: { id: app.id } }, by.story)).state).toBe('Success')
  const body = { metadata: { name: 'by-hand' }, spec: { containers: [{ name: 'a', image: 'b' }] } }
  await core.createNamespacedPod({ namespace: by.space.namespace, body })
  return { ...by, held: await kubeconfigOf(by) }
}

/** Names of all that bears the label of a space, wherever it is. */
async function labelled({ id }: Space): Promise<string[]> {
  const labelSelector = `quayside.io/space=${id}`
  const lists = await Promise.all([
    core.listNamespace({ labelSelector }),
    core.listServiceAccountForAllNamespaces({ labelSelector }),
    core.listSecretForAllNamespaces({ labelSelector }),
    rbac.listRoleBindingForAllNamespaces({ labelSelector }),
    rbac.listClusterRole({ labelSelector }),
    rbac.listClusterRoleBinding({ labelSelector }),
    net.listNetworkPolicyForAllNamespaces({ labelSelector }),
  ])
  return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name}`))
}

const isThere = (name: string) =>
  core.readNamespace({ name }).then(
    () => true,
    () => false,
  )

async function leavingOf({ id }: Space): Promise<Action[]> {
  const { data } = await teams.admin.good<ListReply<Action>>('/deployment/v1/actions')
  return data.filter(({ kind, spaceId }) => kind === 'LeaveCluster' && spaceId === id)
}

describe('a space that leaves a cluster', () => {
  test('keeps its clusters when it is only renamed', async () => {
    const by = await settled()
    const { status, body } = await put(by.space, { displayName: 'Renamed' })
    expect([status, body.displayName, body.clusters.map(({ id }) => id)]).toEqual([200, 'Renamed', [teams.cluster.id]])
    expect(await leavingOf(by.space)).toEqual([])
    expect(await statusOf(by.held, 'pods')).toBe(200)
  })

  test('is refused while an app of it is there', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    expect(await put(by.space, { displayName: 'Other', clusterIds: [] })).toMatchObject({
      status: 409,
      body: { code: 'space.cluster-in-use' },
    })
    expect(await clustersOf(by.space)).toEqual([teams.cluster.id])
    expect((await teams.admin.good<Space>(pathOf(by.space))).displayName).toBe(by.space.displayName)
    expect((await teams.act('Delete', { app: { id: app.id } }, by.story)).state).toBe('Success')
    expect((await put(by.space, { clusterIds: [] })).status).toBe(200)
  })

  test('leaves nothing there, by an action of the ledger', async () => {
    const by = await settled()
    expect(await labelled(by.space)).not.toEqual([])
    const { status, body } = await put(by.space, { clusterIds: [] })
    expect([status, body.clusters]).toEqual([200, []])
    const [action] = await leavingOf(by.space)
    expect(action).toMatchObject({ appName: by.space.displayName, clusterId: teams.cluster.id })
    expect(await teams.admin.ended(action?.id ?? '')).toMatchObject({
      state: 'Success',
      result: { summary: `${by.space.displayName} has left ${teams.cluster.displayName}` },
    })
    expect(await isThere(by.space.namespace)).toBe(false)
    expect(await labelled(by.space)).toEqual([])
    expect([401, 403]).toContain(await statusOf(by.held, 'pods'))
  })

  test('waits for a cluster that is away, and is not let in there again meanwhile', async () => {
    const by = await settled()
    await faults.add({ kind: 'reset', method: 'DELETE' })
    try {
      expect((await put(by.space, { clusterIds: [] })).status).toBe(200)
      expect(await put(by.space, { clusterIds: [teams.cluster.id] })).toMatchObject({
        status: 409,
        body: { code: 'space.still-leaving' },
      })
    } finally {
      await faults.clear()
    }
    const [action] = await leavingOf(by.space)
    expect((await teams.admin.ended(action?.id ?? '')).state).toBe('Success')
    expect(await labelled(by.space)).toEqual([])
    expect((await put(by.space, { clusterIds: [teams.cluster.id] })).status).toBe(200)
    expect(await statusOf(await kubeconfigOf(by), 'pods')).toBe(200)
  })

  test('stays where it is by another registration of the same cluster', async () => {
    const by = await settled()
    const kubeconfig = readFileSync(world.kubeconfig, 'utf8').replace('127.0.0.1', 'localhost')
    const twin = await teams.admin.good<Cluster>('/cluster/v1/clusters', { body: { displayName: 'Twin', kubeconfig } })
    expect((await put(by.space, { clusterIds: [teams.cluster.id, twin.id] })).status).toBe(200)
    await kubeconfigOf(by, twin.id)
    expect((await put(by.space, { clusterIds: [twin.id] })).status).toBe(200)
    const [action] = await leavingOf(by.space)
    expect((await teams.admin.ended(action?.id ?? '')).state).toBe('Success')
    expect((await core.readNamespacedPod({ namespace: by.space.namespace, name: 'by-hand' })).metadata?.name).toBe(
      'by-hand',
    )
  })
})
