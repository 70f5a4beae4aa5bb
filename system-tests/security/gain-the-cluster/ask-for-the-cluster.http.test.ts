import { noReach } from '@quayside/contract/clusters/network-reach'
import type { Approval, ClusterRule } from '@quayside/contract/clusters/rules'
import { createStory } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
})
afterAll(() => world?.close())

const rbac = 'apiVersion: rbac.authorization.k8s.io/v1'
const reader = (name: string, resource = 'nodes') => `${rbac}
kind: ClusterRole
metadata: {name: ${name}}
rules: [{apiGroups: [""], resources: [${resource}], verbs: [get, list]}]
---
${rbac}
kind: ClusterRoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
const rulesPath = () => `/cluster/v1/clusters/${teams.cluster.id}/rules`

describe('what a chart needs outside of its space', () => {
  test('is said by name with what it gives and the way on, asked for, answered by who edits the cluster, and then approved', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const found = await teams.validate(team, app, reader('nodes-of-one'))
    expect(found).toMatchObject({ success: false, provider: 'Policy', outside: { elevates: true, canAsk: true } })
    expect(found.outside?.needs.map(({ kind, name, verdict }) => [kind, name, verdict])).toEqual([
      ['ClusterRole', 'nodes-of-one', 'ask'],
      ['ClusterRoleBinding', 'nodes-of-one', 'ask'],
    ])
    expect(found.lines.map(({ message }) => message).join('\n')).toContain('Ask for approval')
    const { status, body } = await teams.ask(team, app, reader('nodes-of-one'))
    expect([status, body.state, body.elevates]).toEqual([201, 'open', true])
    expect((await teams.validate(team, app, reader('nodes-of-one'))).outside).toMatchObject({ approvalId: body.id })
    // The person who asked cannot answer.
    expect((await teams.answer(team.story, body, 'grant')).status).toBe(403)
    expect((await teams.answer(teams.admin, body, 'grant')).body.state).toBe('granted')
    expect((await teams.answer(teams.admin, body, 'decline')).status).toBe(409)
    const again = await teams.validate(team, app, reader('nodes-of-one'))
    expect(again.outside?.needs.map(({ verdict }) => verdict)).toEqual(['approved', 'approved'])
    // The approval covers exactly those objects: any change needs another one.
    const more = await teams.validate(team, app, reader('nodes-of-one', 'secrets'))
    expect(more.outside?.needs.map(({ verdict }) => verdict)).toEqual(['ask', 'ask'])
  })

  test('is not asked for where nobody can have it', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const all = reader('all').replace('[get, list]', '["*"]').replace('[nodes]', '["*"]').replace('[""]', '["*"]')
    expect((await teams.validate(team, app, all)).outside).toMatchObject({ canAsk: false })
    expect(await teams.ask(team, app, all)).toMatchObject({ status: 409, body: { code: 'approval.refused' } })
  })

  test('is seen by who sees the space and by who looks after clusters, and by nobody else', async () => {
    const [team, other] = [await teams.team(), await teams.team()]
    const app = await teams.assign(team)
    const { body } = await teams.ask(team, app, reader('seen'))
    const of = async (story: typeof team.story) =>
      (await story.good<{ data: Approval[] }>(`/cluster/v1/approvals?filters.appId=${app.id}`)).data.map(({ id }) => id)
    expect([await of(team.story), await of(teams.admin), await of(other.story)]).toEqual([[body.id], [body.id], []])
    const path = `/cluster/v1/approvals/${body.id}`
    expect((await other.story.call(path)).status).toBe(404)
    expect((await other.story.call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await team.story.call(path, { method: 'DELETE' })).status).toBe(204)
  })
})

describe('rights that a chart gives in its space', () => {
  const role = (group: string, resource: string) => `---
${rbac}
kind: Role
metadata: {name: web}
rules: [{apiGroups: ["${group}"], resources: [${resource}], verbs: [get, create]}]
`
  const definition = (group: string, plural = 'things') => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: ${plural}, singular: thing}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
  const bound = `---
${rbac}
kind: RoleBinding
metadata: {name: nodes-here}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: nodes-here}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
  const toNodes = reader('nodes-here').split('---')[0] + bound
  const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: mine}\nspec: {hard: {pods: "9"}}\n'

  test('may be those on kinds that it brings itself, and it is deployed', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const objects = definition('coming.example.com') + role('coming.example.com', 'things')
    const found = await teams.validate(team, app, objects)
    expect(found.lines.filter(({ resultType }) => resultType === 'error')).toEqual([])
    const { action } = await teams.deploy(team, team.story, app, objects)
    expect(JSON.stringify(action)).toContain('Success')
  })

  test.each([
    [
      'on kinds that nobody brings',
      role('missing.example.com', 'things'),
      /^Role web in .* gives .* does not serve \(missing\.example\.com\)\. Install .*, or ask for approval\.$/,
      'Policy',
    ],
    [
      'that its space does not have',
      role('', 'nodes'),
      /^Role web gives .*: get, create on nodes\. .*values of the chart$/,
      'Cluster',
    ],
    [
      'besides those on kinds that it brings',
      definition('besides.example.com') + role('besides.example.com", "', 'things'),
      /^Role web gives .*: get, create on things\. /,
      'Cluster',
    ],
  ])('%s are refused before it is deployed, by name and with the way on', async (_, objects, says, provider) => {
    const team = await teams.team()
    const found = await teams.validate(team, await teams.assign(team), objects)
    expect(found).toMatchObject({ success: false, provider })
    expect(found.lines.filter(({ resultType }) => resultType === 'error')).toMatchObject([
      { message: expect.stringMatching(says) },
    ])
  })

  test('by a quota of its own are refused before anything of it is there, and it can be deleted', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const found = await teams.validate(team, app, quota)
    expect(found.lines.filter(({ resultType }) => resultType === 'error')).toMatchObject([
      { message: expect.stringMatching(/^ResourceQuota mine cannot be made: .*no chart does\. /) },
    ])
    const { action } = await teams.deploy(team, team.story, app, quota)
    expect(JSON.stringify(action)).toMatch(/"state":"Failed".*ResourceQuota mine cannot be made/)
    expect((await teams.act('Delete', { app: { id: app.id } })).state).toBe('Success')
  })

  test('by a cluster role that it brings and binds in the space alone are refused as the cluster would', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const { body } = await teams.ask(team, app, toNodes)
    expect((await teams.answer(teams.admin, body, 'grant')).body.state).toBe('granted')
    const found = await teams.validate(team, app, toNodes)
    expect(found.lines.filter(({ resultType }) => resultType === 'error')).toMatchObject([
      { message: expect.stringMatching(/^RoleBinding nodes-here gives .*: get, list on nodes\. /) },
    ])
    const { action } = await teams.deploy(team, team.story, app, toNodes)
    expect(JSON.stringify(action)).toContain('attempting to grant RBAC permissions not currently held')
  })
})

describe('the list of a cluster', () => {
  test('is changed by who may edit the cluster alone, and lets charts of an item make what it says', async () => {
    const team = await teams.team()
    const app = await teams.assign(team)
    const rule = {
      group: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'listed-*',
      itemId: teams.child.item.id,
    }
    expect((await team.story.call(rulesPath(), { body: rule })).status).toBe(403)
    const made = await teams.admin.good<ClusterRule>(rulesPath(), { body: rule })
    expect((await teams.admin.call(rulesPath(), { body: rule })).status).toBe(409)
    const found = await teams.validate(team, app, reader('listed-one'))
    expect(found.outside?.needs.map(({ verdict }) => verdict)).toEqual(['rule', 'ask'])
    await teams.admin.call(`${rulesPath()}/${made.id}`, { method: 'DELETE' })
    const later = await teams.validate(team, app, reader('listed-two'))
    expect(later.outside?.needs.map(({ verdict }) => verdict)).toEqual(['ask', 'ask'])
  })

  test('begins with what gives nobody a right, and stays as it is when something else of the cluster is changed', async () => {
    const { data } = await teams.admin.good<{ data: ClusterRule[] }>(rulesPath())
    expect(data.map(({ kind }) => kind)).toContain('CustomResourceDefinition')
    expect(data.some(({ elevates }) => elevates)).toBe(false)
    const path = `/cluster/v1/clusters/${teams.cluster.id}`
    const changed = await teams.admin.good(path, { method: 'PUT', body: { displayName: 'Renamed' } })
    expect(changed).toMatchObject({ displayName: 'Renamed', clusterScoped: true, iaas: { type: 'Sandbox' } })
  })
})

describe('who may edit clusters for an hour', () => {
  test('closes what is open, and opens nothing, because that would stay', async () => {
    const team = await teams.team()
    const who = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
    const wanted = { role: 'clusters:clusters.edit', reason: 'On call', hours: 1 }
    const { id } = await who.good<{ id: string }>('/portal-api/v3/role-requests', { body: wanted })
    await teams.admin.good(`/portal-api/v3/role-requests/${id}/answer`, { body: { decision: 'grant' } })
    const cluster = `/cluster/v1/clusters/${teams.cluster.id}`
    const place = `${cluster}/spaces/${team.space.id}`
    const put = (path: string, body: object) => who.call<{ code?: string }>(path, { method: 'PUT', body })
    const ingress = { ingressNamespaces: ['ingress-nginx', 'harbour'] }
    await expect.poll(async () => (await put(cluster, ingress)).body.code).toBe('auth.escalation')
    const opening = [{ podSecurity: 'privileged' }, { network: 'open' }, { reaches: { ...noReach, internet: true } }]
    for (const body of opening) expect((await put(place, body)).body.code, JSON.stringify(body)).toBe('auth.escalation')
    for (const body of [{ podSecurity: 'restricted' }, { network: 'own' }])
      expect((await put(place, body)).status).toBe(200)
    // Back to what it was is more than it is.
    expect((await put(place, { podSecurity: 'baseline' })).body.code).toBe('auth.escalation')
    expect((await put(cluster, { clusterScoped: false })).status).toBe(200)
    expect((await put(cluster, { clusterScoped: true })).body.code).toBe('auth.escalation')
    await teams.admin.good(cluster, { method: 'PUT', body: { clusterScoped: true } })
  })
})
