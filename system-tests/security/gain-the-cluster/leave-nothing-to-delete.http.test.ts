import type { RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { SpaceOnCluster } from '@quayside/contract/clusters/rules'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let rbac: RbacAuthorizationV1Api

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  rbac = teams.clients.rbac
})
afterAll(() => world?.close())

async function deployed(by: Team, objects: string): Promise<App> {
  const app = await teams.assign(by)
  await teams.approve(by, app, objects)
  const { action } = await teams.deploy(by, by.story, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return teams.admin.good<App>(`/portal-api/v2/apps/${app.id}`)
}

async function deletes({ story }: Team, { id }: App) {
  const action = await teams.act('Delete', { app: { id } }, story)
  return [action.state, JSON.stringify(action)]
}

/** Apps that make the space elevated, as who edits the cluster sees them. */
async function elevating({ space }: Team) {
  const { data } = await teams.admin.good<{ data: SpaceOnCluster[] }>(`/cluster/v1/clusters/${teams.cluster.id}/spaces`)
  return data.find((one) => one.space.id === space.id)?.elevatedBy.map(({ id }) => id)
}

describe('an app with a quota from before only the cluster set them', () => {
  const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
  const quota = (name: string) =>
    `---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: ${name}}\nspec: {hard: {pods: "9"}}\n`
  const quotas = async ({ space: { namespace } }: Team) =>
    (await teams.clients.core.listNamespacedResourceQuota({ namespace })).items.map(({ metadata }) => metadata?.name)

  /** Makes what an earlier version left: the release has the quota, and the cluster knows it as the release's, or not. */
  async function former(by: Team, name: string, isOwn: boolean): Promise<App> {
    const assigned = await teams.assign(by)
    const { action } = await teams.deploy(by, by.story, assigned, map(name))
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    const app = await teams.admin.good<App>(`/portal-api/v2/apps/${assigned.id}`)
    const annotations = {
      'meta.helm.sh/release-name': app.releaseName ?? '',
      'meta.helm.sh/release-namespace': app.namespace,
    }
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
    const metadata = isOwn ? { name, labels, annotations } : { name }
    const body = { metadata, spec: { hard: { pods: '9' } } }
    await teams.clients.core.createNamespacedResourceQuota({ namespace: app.namespace, body })
    await teams.storeAnew(app, (release) => ({ ...release, manifest: release.manifest + quota(name) }))
    return app
  }

  test('is deleted with it, or upgraded to a chart without it', async () => {
    const by = await teams.team()
    expect(await deletes(by, await former(by, 'deleted', true))).toEqual(['Success', expect.anything()])
    const { action } = await teams.deploy(by, by.story, await former(by, 'upgraded', true), map('without'))
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    expect(await quotas(by)).toEqual([])
  })

  test('is deleted with an app whose release is gone, by the marks that the cluster has of it', async () => {
    const by = await teams.team()
    const app = await former(by, 'orphaned', true)
    const name = `sh.helm.release.v1.${app.releaseName}.v1`
    await teams.clients.core.deleteNamespacedSecret({ namespace: app.namespace, name })
    expect(await deletes(by, app)).toEqual(['Success', expect.anything()])
    expect(await quotas(by)).toEqual([])
  })

  test('takes no quota of the cluster along that somebody has written into its release', async () => {
    const by = await teams.team()
    await deletes(by, await former(by, 'of-the-cluster', false))
    expect(await quotas(by)).toEqual(['of-the-cluster'])
  })
})

describe('an app of which an object outside of its space was deleted by hand', () => {
  test('can be deleted, before and after the portal has noticed', async () => {
    const by = await teams.team()
    for (const [name, notices] of [
      ['gone-at-once', false],
      ['gone-since-long', true],
    ] as const) {
      const app = await deployed(by, role(name, readsNodes) + bound(name))
      await rbac.deleteClusterRoleBinding({ name })
      await rbac.deleteClusterRole({ name })
      // A change of settings brings the cluster to what the tables say.
      if (notices) {
        expect(await elevating(by)).toEqual([app.id])
        const path = `/cluster/v1/clusters/${teams.cluster.id}`
        await teams.admin.good(path, { method: 'PUT', body: { clusterScoped: true } })
        expect(await elevating(by)).toEqual([])
      }
      expect(await deletes(by, app)).toEqual(['Success', expect.anything()])
    }
  })

  test('takes nothing along that another team has made under its name since', async () => {
    const [by, other] = [await teams.team(), await teams.team()]
    const app = await deployed(by, role('taken', readsNodes) + bound('taken'))
    await rbac.deleteClusterRole({ name: 'taken' })
    await deployed(other, role('taken', readsNodes))
    await deletes(by, app)
    expect((await rbac.readClusterRole({ name: 'taken' })).metadata?.name).toBe('taken')
  })
})
