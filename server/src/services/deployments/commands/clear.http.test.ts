import { readFileSync } from 'node:fs'
import { CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { DeletionAccepted } from '@quayside/contract/deployments/deletion'
import type { Accepted, Action, ActionEvent } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { createStory, deployDataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let world: World
let story: Story
let text: string
let core: CoreV1Api
let rbac: RbacAuthorizationV1Api
let faults: ReturnType<typeof createFaults>
let cluster: Cluster
let made = 0
const soon = { timeout: 15_000, interval: 100 }

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { LOG_LEVEL: 'error' } })
  story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  text = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(text)
  core = kubeconfig.makeApiClient(CoreV1Api)
  rbac = kubeconfig.makeApiClient(RbacAuthorizationV1Api)
  faults = createFaults(kubeconfig)
  cluster = await registered(text)
}, 60_000)
afterEach(() => faults.clear())
afterAll(() => world?.close())

const registered = (kubeconfig: string): Promise<Cluster> => {
  made += 1
  return story.good('/cluster/v1/clusters', {
    body: { displayName: `Cluster ${made}`, iaas: { type: 'Sandbox' }, kubeconfig },
  })
}

/** A space that has a namespace, a kubeconfig, and an account to deploy with. */
async function usedSpace(clusterId = cluster.id): Promise<Space> {
  made += 1
  const body = { displayName: `Used ${made}`, clusterIds: [clusterId] }
  const space = await story.good<Space>('/portal-api/v3/spaces', { body })
  await story.good('/cluster/v1/kubeconfigs', { body: { places: [{ spaceId: space.id, clusterId }] } })
  return space
}

/** The same, after an app was deployed there and deleted. */
async function workedSpace(): Promise<Space> {
  const space = await usedSpace()
  const child = await story.uploadSmall(`tiny${made}`, '1.0.0')
  const app = await story.assign(space, child)
  const releaseName = await story.releaseName(app, 'worked')
  const deployData = deployDataOf(app, space, child, 'replicas: 1\nimage: nginx:1.27\n')
  const body = { appId: app.id, versionId: child.version.id, releaseName, deployData }
  for (const [kind, command] of [
    ['Deploy', body],
    ['Delete', { app: { id: app.id } }],
  ] as const) {
    const sent = await story.post<Accepted>(kind, command)
    expect((await story.ended(sent.body.actionId)).state, JSON.stringify(sent.body)).toBe('Success')
  }
  return space
}

async function remove(path: string): Promise<Action> {
  const { status, body } = await story.call<DeletionAccepted>(path, { method: 'DELETE' })
  expect(status, JSON.stringify(body)).toBe(202)
  return story.ended(body.actionId)
}

const linesOf = async ({ id }: Action) =>
  (await story.good<{ data: ActionEvent[] }>(`/deployment/v1/actions/${id}/events`)).data.map(({ payload }) =>
    String((payload as { message?: string }).message),
  )
const isThere = (name: string) =>
  core.readNamespace({ name }).then(
    () => true,
    () => false,
  )

async function sqlOf(statement: string, values: unknown[]): Promise<void> {
  const sql = new pg.Client({ connectionString: world.databaseUrl })
  await sql.connect()
  await sql.query(`select set_config('app.tenant', '*', false)`)
  await sql.query(statement, values)
  await sql.end()
}

/** Names of all that bears the label of a space or a tenant, wherever it is. */
async function labelled(labelSelector: string): Promise<string[]> {
  const lists = await Promise.all([
    core.listNamespace({ labelSelector }),
    core.listServiceAccountForAllNamespaces({ labelSelector }),
    core.listSecretForAllNamespaces({ labelSelector }),
    core.listConfigMapForAllNamespaces({ labelSelector }),
    rbac.listRoleBindingForAllNamespaces({ labelSelector }),
    rbac.listClusterRole({ labelSelector }),
    rbac.listClusterRoleBinding({ labelSelector }),
  ])
  return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name}`))
}

describe('a space that is deleted', () => {
  it('leaves nothing on its cluster, and is an action of the ledger that tells how it goes', async () => {
    const space = await workedSpace()
    expect(await labelled(`quayside.io/space=${space.id}`)).not.toEqual([])
    const action = await remove(`/portal-api/v3/spaces/${space.id}`)
    expect(action).toMatchObject({
      kind: 'DeleteSpace',
      state: 'Success',
      appName: space.displayName,
      result: { summary: `${space.displayName} is deleted` },
    })
    expect(await linesOf(action)).toEqual(
      expect.arrayContaining([
        `Starting to delete the space ${space.displayName}`,
        `Removing what is on ${cluster.displayName}`,
        `Nothing is left on ${cluster.displayName}`,
      ]),
    )
    expect(await isThere(space.namespace)).toBe(false)
    expect(await labelled(`quayside.io/space=${space.id}`)).toEqual([])
    expect((await story.call(`/portal-api/v3/spaces/${space.id}`)).status).toBe(404)
    expect((await story.call(`/portal-api/v3/spaces/${space.id}`, { method: 'DELETE' })).status).toBe(404)
  }, 60_000)

  it('waits for a cluster that is away, and says so', async () => {
    const space = await usedSpace()
    await faults.add({ kind: 'reset', method: 'DELETE' })
    const { body } = await story.call<DeletionAccepted>(`/portal-api/v3/spaces/${space.id}`, { method: 'DELETE' })
    const action = { id: body.actionId } as Action
    await expect
      .poll(async () => (await linesOf(action)).join('\n'), soon)
      .toContain(`Waiting for ${cluster.displayName}`)
    await faults.clear()
    expect((await story.ended(body.actionId)).state).toBe('Success')
    expect(await isThere(space.namespace)).toBe(false)
  }, 60_000)

  it('is not deleted while it holds an app', async () => {
    const space = await usedSpace()
    await story.assign(space, await story.uploadSmall('kept', '1.0.0'))
    expect(await story.call(`/portal-api/v3/spaces/${space.id}`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'space.not-empty' },
    })
    expect((await story.call(`/portal-api/v3/spaces/${space.id}`)).status).toBe(200)
  }, 60_000)

  it('by an earlier version is found by what it left, if this portal has known it', async () => {
    const [known, unknown] = [await workedSpace(), await usedSpace()]
    await sqlOf('delete from spaces where id = any($1)', [[known.id, unknown.id]])
    await world.restartPortal()
    await expect.poll(() => isThere(known.namespace), { timeout: 30_000, interval: 200 }).toBe(false)
    expect(await labelled(`quayside.io/space=${known.id}`)).toEqual([])
    const { data } = await story.good<ListReply<Action>>('/deployment/v1/actions')
    expect(data.find(({ startedBy, kind }) => startedBy === 'quayside' && kind === 'DeleteSpace')).toMatchObject({
      appName: known.namespace,
    })
    expect(await isThere(unknown.namespace)).toBe(true)
  }, 90_000)
})

describe('a cluster that spaces had left under an earlier version', () => {
  it('is cleared of them, and what somebody runs there by Helm stays isolated', async () => {
    const [left, helmed] = [await workedSpace(), await workedSpace()]
    const { namespace } = helmed
    const labels = { owner: 'helm', name: 'own' }
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'sh.helm.release.v1.own.v1', labels } } })
    await sqlOf('delete from space_clusters where space_id = any($1)', [[left.id, helmed.id]])
    const level = 'pod-security.kubernetes.io/enforce'
    const there = await core.readNamespace({ name: namespace })
    expect(there.metadata?.labels?.[level]).toBe('baseline')
    delete there.metadata?.labels?.[level]
    await core.replaceNamespace({ name: namespace, body: there })
    await world.restartPortal()
    await expect.poll(() => isThere(left.namespace), { timeout: 30_000, interval: 200 }).toBe(false)
    expect(await labelled(`quayside.io/space=${left.id}`)).toEqual([])
    expect((await story.good<Space>(`/portal-api/v3/spaces/${left.id}`)).clusters).toEqual([])
    const enforced = async () => (await core.readNamespace({ name: namespace })).metadata?.labels?.[level]
    await expect.poll(enforced, { timeout: 30_000, interval: 200 }).toBe('baseline')
  }, 90_000)
})

describe('a cluster', () => {
  it('is not deregistered while apps are on it', async () => {
    expect(await story.call(`/cluster/v1/clusters/${cluster.id}`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'cluster.in-use' },
    })
  })

  it('that never comes back can be forgotten, and it is said what it keeps', async () => {
    const dead = await registered(text)
    const space = await usedSpace(dead.id)
    await faults.add({ kind: 'reset' })
    const action = await remove(`/cluster/v1/clusters/${dead.id}?forget=true`)
    await faults.clear()
    expect(action.state).toBe('Success')
    const said = action.result?.lines.map(({ message }) => message).join('\n') ?? ''
    expect(said).toContain(`Namespaces of spaces: ${space.namespace}`)
    expect(said).toContain('quayside-system')
    expect((await story.call(`/cluster/v1/clusters/${dead.id}`)).status).toBe(404)
    expect((await story.good<Space>(`/portal-api/v3/spaces/${space.id}`)).clusters).toEqual([])
    expect(await isThere(space.namespace)).toBe(true)
  }, 60_000)

  it('registered twice keeps, when it is deregistered once, what spaces use by the other', async () => {
    const twin = await registered(text)
    const [here, there] = [await usedSpace(), await usedSpace(twin.id)]
    expect((await remove(`/cluster/v1/clusters/${twin.id}`)).state).toBe('Success')
    expect(await isThere(here.namespace)).toBe(true)
    expect(await isThere(there.namespace)).toBe(false)
    expect(await isThere('quayside-system')).toBe(true)
    expect(await labelled(`quayside.io/cluster=${twin.id}`)).toEqual([])
  }, 60_000)

  it('that is deregistered has nothing of the portal left', async () => {
    const { data } = await story.good<ListReply<{ id: string }>>('/portal-api/v2/apps')
    for (const { id } of data) {
      const sent = await story.post<Accepted>('Delete', { app: { id } })
      await story.ended(sent.body.actionId)
    }
    const action = await remove(`/cluster/v1/clusters/${cluster.id}`)
    expect(action).toMatchObject({ kind: 'DeregisterCluster', state: 'Success' })
    expect(await labelled('app.kubernetes.io/managed-by=quayside')).toEqual([])
    expect(await isThere('quayside-system')).toBe(false)
    const roles = (await rbac.listClusterRole()).items.map(({ metadata }) => metadata?.name ?? '')
    expect(roles.filter((name) => name.startsWith('quayside'))).toEqual([])
    expect((await story.call(`/cluster/v1/clusters/${cluster.id}`)).status).toBe(404)
  }, 60_000)
})
