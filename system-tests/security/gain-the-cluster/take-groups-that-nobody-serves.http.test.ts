import { ApiextensionsV1Api, AuthorizationV1Api } from '@kubernetes/client-node'
import type { Approval } from '@quayside/contract/clusters/rules'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { rbacVersion } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let rbac: Teams['clients']['rbac']
let team: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  rbac = teams.clients.rbac
  team = await teams.team()
})
afterAll(() => world?.close())

const inSpace = (name: string, ...rules: string[]) => `---
${rbacVersion}
kind: Role
metadata: {name: ${name}}
rules: [${rules.join(', ')}]
---
${rbacVersion}
kind: RoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name}}
subjects: [{kind: ServiceAccount, name: default}]
`
const on = (group: string, verbs = '"*"') => `{apiGroups: [${group}], resources: ["*"], verbs: [${verbs}]}`

async function attempt(objects: string) {
  const app = await teams.assign(team)
  const { action } = await teams.deploy(team, team.story, app, objects)
  return { app, state: action?.state, says: JSON.stringify(action) }
}
const roleOf = async (name: string) =>
  (await rbac.listNamespacedRole({ namespace: team.space.namespace })).items.find(
    ({ metadata }) => metadata?.name === name,
  )?.rules
/** Roles and bindings of actions, which end with them. */
async function lent() {
  const namespace = team.space.namespace
  const labelSelector = 'quayside.io/action'
  const lists = await Promise.all([
    rbac.listNamespacedRole({ namespace, labelSelector }),
    rbac.listNamespacedRoleBinding({ namespace, labelSelector }),
  ])
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name))
}
async function mayDo(namespace: string, group: string, verb: string) {
  const reviews = teams.kubeconfig.makeApiClient(AuthorizationV1Api)
  const user = `system:serviceaccount:${team.space.namespace}:default`
  const resourceAttributes = { namespace, verb, group, resource: 'things' }
  const { status } = await reviews.createSubjectAccessReview({ body: { spec: { user, resourceAttributes } } })
  return status?.allowed
}

test('a role on groups that nothing serves is made once somebody approved exactly these rights', async () => {
  const objects = inSpace('dex', on('dex.example.com'))
  const refused = await attempt(objects)
  expect([refused.state, refused.says]).toEqual([
    'Failed',
    expect.stringContaining('gives rights on API groups that the cluster does not serve'),
  ])
  const asked = await teams.ask(team, refused.app, objects)
  const [needed, ...more] = (asked.body as Approval).objects
  expect([asked.status, more, needed]).toEqual([
    201,
    [],
    expect.objectContaining({
      ...{ kind: 'Role', name: 'dex', namespace: team.space.namespace, elevates: false },
      grants: [
        expect.stringContaining('counts once the cluster serves dex.example.com, whoever brings that'),
        `everything (*) on everything (*) of dex.example.com in the namespace ${team.space.namespace}`,
      ],
    }),
  ])
  await teams.answer(teams.admin, asked.body, 'grant')
  expect((await teams.validate(team, refused.app, objects)).success).toBe(true)
  const { action } = await teams.deploy(team, team.story, refused.app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  expect(await roleOf('dex')).toEqual([{ apiGroups: ['dex.example.com'], resources: ['*'], verbs: ['*'] }])
  expect(await lent()).toEqual([])

  // Objects of a kind that somebody defines there later are theirs in this space, and nowhere else.
  await teams.kubeconfig.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
    body: {
      metadata: { name: 'things.dex.example.com' },
      spec: {
        ...{ group: 'dex.example.com', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  })
  expect(await mayDo(team.space.namespace, 'dex.example.com', 'create')).toBe(true)
  expect(await mayDo('default', 'dex.example.com', 'create')).toBe(false)
})

test.each([
  ['other verbs', () => inSpace('less', on('less.example.com', 'get, create')), 'does not serve'],
  [
    'other groups',
    () => inSpace('less', on('less.example.com', 'get'), on('more.example.com', 'get')),
    'does not serve',
  ],
  [
    'rights beside them',
    () =>
      inSpace(
        'less',
        on('less.example.com', 'get'),
        '{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}',
      ),
    'attempting to grant RBAC permissions not currently held',
  ],
])('with an approval nobody gives %s', async (_, objects, why) => {
  const app = await teams.assign(team)
  await teams.approve(team, app, inSpace('less', on('less.example.com', 'get')))
  const { action } = await teams.deploy(team, team.story, app, objects())
  expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining(why)])
  expect(await roleOf('less')).toBeUndefined()
  expect(await lent()).toEqual([])
})

test('a binding in the space to a cluster role of the chart is lent its rights in the space alone', async () => {
  const objects = `---
${rbacVersion}
kind: ClusterRole
metadata: {name: strimzi}
rules: [${on('build.example.com', 'get')}]
---
${rbacVersion}
kind: RoleBinding
metadata: {name: strimzi}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: strimzi}
subjects: [{kind: ServiceAccount, name: default}]
`
  const app = await teams.assign(team)
  await teams.approve(team, app, objects)
  const { action } = await teams.deploy(team, team.story, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  expect(await mayDo(team.space.namespace, 'build.example.com', 'get')).toBe(true)
  expect(await mayDo('default', 'build.example.com', 'get')).toBe(false)
  expect(await lent()).toEqual([])
})

test.each(['helm.cattle.io', 'kustomize.toolkit.fluxcd.io', 'security.openshift.io'])(
  'nobody waits with rights on %s for the day when it comes',
  async (group) => {
    const objects = inSpace('waits', on(group))
    const { app, state, says } = await attempt(objects)
    expect([state, says]).toEqual(['Failed', expect.stringContaining('nobody can approve it')])
    expect((await teams.ask(team, app, objects)).status).toBe(409)
    expect(await roleOf('waits')).toBeUndefined()
  },
)
