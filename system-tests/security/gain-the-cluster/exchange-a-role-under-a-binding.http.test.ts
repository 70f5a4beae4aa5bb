import type { RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { ClusterRule } from '@quayside/contract/clusters/rules'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, neverReady, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let rbac: RbacAuthorizationV1Api

beforeAll(async () => {
  world = await World.start({
    cluster: attackedCluster,
    env: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '20', QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' },
  })
  teams = await teamsOn(world)
  rbac = teams.clients.rbac
})
afterAll(() => world?.close())

const onSecrets = '{apiGroups: [""], resources: [secrets], verbs: [get, list]}'
const onPods = '{apiGroups: [""], resources: [pods], verbs: [get]}'
const onNamespaces = '{apiGroups: [""], resources: [namespaces], verbs: [update, patch]}'
const boundWithin = (name: string) => bound(name).replace('kind: ClusterRoleBinding', 'kind: RoleBinding')
const resourcesOf = async (name: string) =>
  (await rbac.readClusterRole({ name })).rules?.map((one) => one.resources?.[0])
const fresh = ({ id }: App) => teams.admin.good<App>(`/portal-api/v2/apps/${id}`)

async function deploys(by: Team, app: App, objects: string, story = by.story) {
  const { action } = await teams.deploy(by, story, await fresh(app), objects)
  return [action?.state, JSON.stringify(action)]
}

/** Lets every chart make cluster roles, as administrators do who hold that a role alone gives nobody anything. */
async function listingRoles<T>(work: () => Promise<T>): Promise<T> {
  const rules = `/cluster/v1/clusters/${teams.cluster.id}/rules`
  const body = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }
  const unnamed = { name: null, itemId: null, publisher: null, note: '' }
  const { id } = await teams.admin.good<ClusterRule>(rules, { body: { ...body, ...unnamed } })
  try {
    return await work()
  } finally {
    await teams.admin.call(`${rules}/${id}`, { method: 'DELETE' })
  }
}

describe('a role that somebody is bound to already', () => {
  test('gets no other rules by the list of the cluster, and whoever is asked sees who has them at once', async () => {
    const by = await teams.team()
    const binds = await teams.assign(by)
    const holds = await teams.assign(by)
    await listingRoles(async () => {
      expect((await deploys(by, holds, role('listed', readsNodes)))[0]).toBe('Success')
      await teams.approve(by, binds, bound('listed'))
      expect((await deploys(by, binds, bound('listed')))[0]).toBe('Success')
      // By an editor of the cluster, because the space is elevated.
      const [state, says] = await deploys(by, holds, role('listed', onSecrets), teams.admin)
      expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
      expect(await resourcesOf('listed')).toEqual(['nodes'])
      const { body } = await teams.ask(by, await fresh(holds), role('listed', onSecrets))
      expect(body.objects?.[0]).toMatchObject({ elevates: true })
      expect(body.objects?.[0]?.grants[0]).toBe('gives this at once to whom ClusterRoleBinding listed names')
      // The same rules with another label stay a matter of the list.
      const labelled = role('listed', readsNodes).replace('{name: listed}', '{name: listed, labels: {a: b}}')
      expect((await deploys(by, holds, labelled, teams.admin))[0]).toBe('Success')
    })
  })

  test('gets no other rules by an approval from before it was bound', async () => {
    const by = await teams.team()
    const [holds, binds] = [await teams.assign(by), await teams.assign(by)]
    await teams.approve(by, holds, role('early', onSecrets))
    await teams.approve(by, holds, role('early', readsNodes))
    expect((await deploys(by, holds, role('early', readsNodes)))[0]).toBe('Success')
    await teams.approve(by, binds, bound('early'))
    expect((await deploys(by, binds, bound('early')))[0]).toBe('Success')
    const [state, says] = await deploys(by, holds, role('early', onSecrets), teams.admin)
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect(await resourcesOf('early')).toEqual(['nodes'])
  })

  test('gets no other rules by the list for accounts that are bound to it in their own space', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    await listingRoles(async () => {
      const binding = boundWithin('within')
      expect(await deploys(by, app, role('within', onPods) + binding)).toEqual(['Success', expect.anything()])
      // It could take the level of Pod Security off the namespace.
      const [state] = await deploys(by, app, role('within', onNamespaces) + binding)
      expect(state).toBe('Failed')
      expect(await resourcesOf('within')).toEqual(['pods'])
    })
  })

  test('is bound by nobody while another action changes it', async () => {
    const by = await teams.team()
    const [holds, binds] = [await teams.assign(by), await teams.assign(by)]
    const waits = neverReady.replace('annotations: {', 'annotations: {helm.sh/hook: pre-upgrade, ')
    await teams.approve(by, holds, role('turning', readsNodes))
    expect((await deploys(by, holds, role('turning', readsNodes)))[0]).toBe('Success')
    await teams.approve(by, binds, bound('turning'))
    await teams.approve(by, holds, role('turning', onSecrets) + waits)
    const changing = deploys(by, holds, role('turning', onSecrets) + waits)
    const rights = async () => (await rbac.listClusterRole()).items.map(({ metadata }) => metadata?.name ?? '')
    await expect
      .poll(async () => (await rights()).some((name) => name.startsWith('quayside:action:')), { timeout: 20_000 })
      .toBe(true)
    const [state, says] = await deploys(by, binds, bound('turning'))
    expect([state, says]).toEqual(['Failed', expect.stringContaining('another action is changing the role turning')])
    await changing
  })
})
