import type { App } from '@quayside/contract/apps/endpoints'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Approval } from '@quayside/contract/clusters/rules'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let mine: Team
let theirs: Team
let app: App
let ofTheirs: App

const rbac = 'rbac.authorization.k8s.io'
const gentle = `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gentle }\nvalue: -5\n`
const clusterRole = (name: string) => `---
apiVersion: ${rbac}/v1
kind: ClusterRole
metadata: { name: "${name}" }
rules: [{ apiGroups: [""], resources: [nodes], verbs: [get] }]
`
const bindingIn = (namespace: string, role: string) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'their-readers', namespace },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
})

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  teams = await teamsOn(world)
  ;[mine, theirs] = [await teams.team(), await teams.team()]
  const made = await teams.assign(theirs)
  expect(await teams.deploy(theirs, theirs.story, made, gentle)).toMatchObject({ action: { state: 'Success' } })
  ofTheirs = await teams.admin.good<App>(`/portal-api/v2/apps/${made.id}`)
  const places = [{ spaceId: theirs.space.id, clusterId: teams.cluster.id }]
  await theirs.story.good<Kubeconfig>('/cluster/v1/kubeconfigs', { body: { places } })
  app = await teams.assign(mine)
})
afterAll(() => world?.close())

/** Names of the other team that no answer may hold. */
const names = () => [theirs.space.id, ofTheirs.namespace, String(ofTheirs.releaseName), 'kubeconfig-', 'their-readers']
const told = (text: string) => names().filter((name) => text.includes(name))

it('who asks for roles that the portal binds everywhere is not told in which spaces', async () => {
  const roles = ['quayside:deployer-account', 'quayside:viewer', 'quayside:deployer', 'quayside:manager', 'view']
  const { outside } = await teams.validate(mine, app, roles.map(clusterRole).join(''))
  expect(outside?.needs.map(({ verdict }) => verdict)).toEqual(roles.map(() => 'never'))
  expect(told(JSON.stringify(outside))).toEqual([])
})

it('who asks for what a release of another team has is not told which one', async () => {
  const result = await teams.validate(mine, app, gentle)
  expect(result.outside?.needs).toMatchObject([{ verdict: 'never' }])
  expect(told(JSON.stringify(result))).toEqual([])
})

it('who guesses a namespace is told the same of that of another space and of none', async () => {
  const said = async (namespace: string) => {
    const objects = `apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: ${namespace} }\nspec: { ports: [{ port: 80 }] }\n`
    const { outside } = await teams.validate(mine, app, objects)
    return JSON.stringify(outside?.needs).replaceAll(namespace, 'it')
  }
  expect(await said(ofTheirs.namespace)).toBe(await said('nobodys'))
})

it('who asks to change a role that another team is bound to is not told by which binding; who answers is', async () => {
  const body = bindingIn(ofTheirs.namespace, 'shared-reader')
  await teams.clients.rbac.createNamespacedRoleBinding({ namespace: ofTheirs.namespace, body })
  const asked = await teams.ask(mine, app, clusterRole('shared-reader'))
  expect(asked).toMatchObject({ status: 201, body: { elevates: true } })
  const path = `/cluster/v1/approvals/${asked.body.id}`
  const seen = [asked.body, await mine.story.good(path), await mine.story.good('/cluster/v1/approvals')]
  expect(told(JSON.stringify(seen))).toEqual([])
  expect(asked.body.objects[0]?.grants).toContain('gives this at once to whom bindings in other namespaces name')
  const { objects } = await teams.admin.good<Approval>(path)
  expect(objects[0]?.grants[0]).toBe(
    `gives this at once to whom RoleBinding their-readers in ${ofTheirs.namespace} names`,
  )
})
