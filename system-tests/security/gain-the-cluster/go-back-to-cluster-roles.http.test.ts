import type { App } from '@quayside/contract/apps/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, rbacVersion, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let core: Teams['clients']['core']
let rbac: Teams['clients']['rbac']

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  ;({ core, rbac } = teams.clients)
})
afterAll(() => world?.close())

const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const reader = (name: string, resource: string) =>
  role(name, `{apiGroups: [""], resources: [${resource}], verbs: [get, list]}`) + bound(name)
const resourcesOf = async (name: string) =>
  (await rbac.readClusterRole({ name })).rules?.flatMap(({ resources }) => resources ?? [])

/** Asks, is granted it, and deploys; the id of the approval. */
async function deployed(team: Team, app: App, objects: string): Promise<string> {
  const { id } = await teams.approve(team, app, objects)
  const { action } = await teams.deploy(team, team.story, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return id
}

const rollBack = (app: App, revision: number) => teams.act('Rollback', { appId: app.id, revision })

describe('a rollback of a release with cluster roles', () => {
  test('sets them to what was approved then, and is refused when that approval was ended', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const first = await deployed(team, app, reader('back', 'nodes'))
    const installed = await team.story.good<App>(`/portal-api/v2/apps/${app.id}`)
    await deployed(team, installed, reader('back', 'namespaces'))
    expect(await resourcesOf('back')).toEqual(['namespaces'])

    expect(await rollBack(app, 1)).toMatchObject({ state: 'Success' })
    expect(await resourcesOf('back')).toEqual(['nodes'])
    expect(await rollBack(app, 2)).toMatchObject({ state: 'Success' })

    await teams.admin.good(`/cluster/v1/approvals/${first}/end`, { method: 'POST' })
    const refused = await rollBack(app, 1)
    expect([refused.state, JSON.stringify(refused)]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect(await resourcesOf('back')).toEqual(['namespaces'])
  })
})

describe('a rollback of a release with two roles of one name', () => {
  test('leaves in the namespace of the cluster what was judged there, and not the role of the space', async () => {
    const elect = (namespace: string, rule: string) =>
      `---\n${rbacVersion}\nkind: Role\nmetadata: {name: elect${namespace}}\nrules: [${rule}]\n`
    const leases = '{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [web], verbs: [get, update]}'
    const both = `${elect('', '{apiGroups: [""], resources: [secrets], verbs: [get]}')}${elect(', namespace: kube-system', leases)}`
    const team = await teams.team()
    const app = await teams.assign(team)
    await deployed(team, app, both)
    const installed = await team.story.good<App>(`/portal-api/v2/apps/${app.id}`)
    await deployed(team, installed, both.replace('[get, update]', '[get]'))

    expect(await rollBack(app, 1)).toMatchObject({ state: 'Success' })
    const { rules } = await rbac.readNamespacedRole({ name: 'elect', namespace: 'kube-system' })
    const names = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['web'] }
    expect(rules).toEqual([{ ...names, verbs: ['get', 'update'] }])
    const own = await rbac.readNamespacedRole({ name: 'elect', namespace: team.space.namespace })
    expect(own.rules?.[0]?.resources).toEqual(['secrets'])
  })
})

describe('a space whose pods have rights on the cluster', () => {
  test('is refused by validation to who may not deploy there, with the scope that is missing', async () => {
    const team = await teams.team()
    const other = await teams.assign(team)
    expect(await teams.validate(team, other, map('plain'))).toMatchObject({ success: true })
    const objects = reader('elevated', 'nodes')
    const app = await teams.assign(team)
    await deployed(team, app, objects)

    const found = await teams.validate(team, other, map('plain-too'))
    expect(found).toMatchObject({ success: false, provider: 'Policy' })
    expect(found.lines.map(({ message }) => message).join('\n')).toContain('space.deploy.elevated')
    // Exactly what was approved may be deployed again, and who holds the scope deploys what they like.
    expect(await teams.validate(team, app, objects)).toMatchObject({ success: true })
    const asAdmin = { ...team, story: teams.admin }
    expect(await teams.validate(asAdmin, other, map('plain-too'))).toMatchObject({ success: true })
  })
})

describe('what older versions left on a cluster', () => {
  test('is removed when the cluster is looked through, and what is somebody else’s stays', async () => {
    const team = await teams.team()
    const { action } = await teams.deploy(team, team.story, await teams.assign(team), map('there'))
    expect(action).toMatchObject({ state: 'Success' })
    const { namespace } = team.space
    const labels = { 'app.kubernetes.io/managed-by': 'quayside' }
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }
    const subjects = [{ kind: 'ServiceAccount', name: 'quayside-deployer', namespace }]
    await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'quayside-deployer', labels } } })
    for (const name of [`quayside:${namespace}`, 'quayside:a-deleted-space'])
      await rbac.createClusterRoleBinding({ body: { metadata: { name, labels }, roleRef, subjects } })
    await rbac.createClusterRoleBinding({ body: { metadata: { name: 'quayside:of-others' }, roleRef, subjects } })

    // A change of its settings has the cluster looked through at once.
    const path = `/cluster/v1/clusters/${teams.cluster.id}`
    await teams.admin.good(path, { method: 'PUT', body: { clusterScoped: false } })
    await teams.admin.good(path, { method: 'PUT', body: { clusterScoped: true } })
    const left = async () => {
      const bindings = (await rbac.listClusterRoleBinding()).items.map(({ metadata }) => metadata?.name ?? '')
      const accounts = (await core.listNamespacedServiceAccount({ namespace })).items
      return [
        ...bindings.filter((name) => /^quayside:(of-others|a-deleted-space)$/.test(name) || name.endsWith(namespace)),
        ...accounts.flatMap(({ metadata }) => (metadata?.name === 'quayside-deployer' ? [metadata.name] : [])),
      ]
    }
    await expect.poll(left, { timeout: 20_000 }).toEqual(['quayside:of-others'])
  })
})
