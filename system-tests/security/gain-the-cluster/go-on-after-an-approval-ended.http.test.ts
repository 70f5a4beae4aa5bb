import { AuthorizationV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Approval, ClusterRule } from '@quayside/contract/clusters/rules'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, neverReady, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 10 },
    env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '120' },
  })
  teams = await teamsOn(world)
})
afterAll(() => world?.close())

const noLonger = 5000
const objectsOf = (name: string) => role(name, readsNodes) + bound(name) + neverReady

/** The account that the action of a space has at this moment; undefined when it has none. */
async function accountOf({ space }: Team): Promise<string | undefined> {
  const { items } = await teams.clients.core.listNamespacedServiceAccount({ namespace: 'quayside-system' })
  return items.map(({ metadata }) => metadata?.name ?? '').find((name) => name.startsWith(`space-${space.id}-`))
}

/** Asks the API server what an account may do to a cluster role now. */
async function mayChange(account: string, name: string): Promise<boolean> {
  const { status } = await teams.kubeconfig.makeApiClient(AuthorizationV1Api).createSubjectAccessReview({
    body: {
      spec: {
        user: `system:serviceaccount:quayside-system:${account}`,
        resourceAttributes: { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', verb: 'patch', name },
      },
    },
  })
  return status?.allowed === true
}

/** Everything on the cluster that was made for actions of a space. */
async function leftOf({ space }: Team): Promise<string[]> {
  const { core, rbac } = teams.clients
  const labelSelector = `quayside.io/action,quayside.io/space=${space.id}`
  const lists = await Promise.all([
    rbac.listClusterRole({ labelSelector }),
    rbac.listClusterRoleBinding({ labelSelector }),
    rbac.listRoleForAllNamespaces({ labelSelector }),
    rbac.listRoleBindingForAllNamespaces({ labelSelector }),
    core.listServiceAccountForAllNamespaces({ labelSelector }),
    core.listSecretForAllNamespaces({ labelSelector }),
  ])
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ''))
}

/** A deployment whose Helm waits for a pod, with the rights of its action in place. */
async function waiting(by: Team, story: Story, app: App, name: string) {
  const running = teams.deploy(by, story, app, objectsOf(name))
  await expect.poll(() => accountOf(by), { timeout: 30_000 }).toBeDefined()
  const account = (await accountOf(by)) ?? ''
  await expect.poll(() => mayChange(account, name), { timeout: 30_000 }).toBe(true)
  const madeIt = () =>
    teams.clients.rbac.readClusterRole({ name }).then(
      () => true,
      () => false,
    )
  await expect.poll(madeIt, { timeout: 30_000 }).toBe(true)
  return { running, account }
}

/** The action has lost everything in time, and ends with the reason. */
async function stopped(by: Team, name: string, at: { running: Promise<{ action?: Action }>; account: string }) {
  await expect.poll(() => mayChange(at.account, name), { timeout: noLonger }).toBe(false)
  await expect.poll(() => accountOf(by), { timeout: noLonger }).toBeUndefined()
  const { action } = await at.running
  expect(await leftOf(by)).toEqual([])
  return action
}

describe('an action that runs with what somebody takes back', () => {
  test('loses its rights with the approval, and says who has ended it', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const { id } = await teams.approve(by, app, objectsOf('ended'))
    const at = await waiting(by, by.story, app, 'ended')
    await teams.admin.good<Approval>(`/cluster/v1/approvals/${id}/end`, { body: {} })
    const action = await stopped(by, 'ended', at)
    expect(action?.state).toBe('Failed')
    expect(action?.result?.summary).toMatch(
      /^Deployment failed: ClusterRole ended may not be made any more: .+ has ended its approval\. The deployment was stopped\./,
    )
    // Its remains are deleted like anything else.
    expect((await teams.act('Delete', { app: { id: app.id } }, by.story)).state).toBe('Success')
    expect(await leftOf(by)).toEqual([])
  })

  test('loses its rights with the entry of the list', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const path = `/cluster/v1/clusters/${teams.cluster.id}/rules`
    const group = 'rbac.authorization.k8s.io'
    const [first] = await Promise.all(
      ['ClusterRole', 'ClusterRoleBinding'].map((kind) =>
        teams.admin.good<ClusterRule>(path, { body: { group, kind, name: 'unlisted' } }),
      ),
    )
    const at = await waiting(by, teams.admin, app, 'unlisted')
    expect((await teams.admin.call(`${path}/${first?.id}`, { method: 'DELETE' })).status).toBe(204)
    const action = await stopped(by, 'unlisted', at)
    expect([action?.state, action?.result?.summary]).toEqual([
      'Failed',
      expect.stringContaining('the list of the cluster does not have it any more'),
    ])
  })

  test('is stopped when nothing but the approval let it run, and the chart renders nothing outside by then', async () => {
    const by = await teams.team()
    const wide = await teams.assign(by)
    const reader = role('wide', readsNodes) + bound('wide')
    await teams.approve(by, wide, reader)
    expect(await teams.deploy(by, teams.admin, wide, reader)).toMatchObject({ action: { state: 'Success' } })
    const app = await teams.assign(by)
    const until = Math.floor(Date.now() / 1000) + 8
    const early = `{{- if lt (now | unixEpoch | int64) (int64 ${until}) }}\n${role('early', readsNodes)}\n{{- end }}\n`
    const { id } = await teams.approve(by, app, early + neverReady)
    await expect.poll(() => Date.now() / 1000, { timeout: 15_000 }).toBeGreaterThan(until)
    const running = teams.deploy(by, by.story, app, early + neverReady)
    await expect.poll(() => accountOf(by), { timeout: 30_000 }).toBeDefined()
    await teams.admin.good<Approval>(`/cluster/v1/approvals/${id}/end`, { body: {} })
    await expect.poll(() => accountOf(by), { timeout: noLonger }).toBeUndefined()
    const { action } = await running
    expect([action?.state, action?.result?.summary]).toEqual([
      'Failed',
      expect.stringContaining('has ended its approval. The deployment was stopped.'),
    ])
  })

  test('loses its rights when the process that worked on it was killed meanwhile', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const { id } = await teams.approve(by, app, objectsOf('killed'))
    const { running, account } = await waiting(by, by.story, app, 'killed')
    // The call that waits for its end is lost with the process.
    running.catch(() => undefined)
    const replica = await world.addReplica()
    try {
      process.kill(world.portalPid, 'SIGKILL')
      const call = { method: 'POST', token: teams.admin.token, body: {} }
      const ended = await replica.api(`/cluster/v1/approvals/${id}/end`, call)
      expect(ended.status).toBe(200)
      await expect.poll(() => mayChange(account, 'killed'), { timeout: noLonger }).toBe(false)
      await expect.poll(() => leftOf(by), { timeout: 60_000 }).toEqual([])
    } finally {
      await world.restartPortal()
      await replica.close()
    }
  })
})
