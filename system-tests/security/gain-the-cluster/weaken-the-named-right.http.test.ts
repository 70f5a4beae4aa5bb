import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Approval } from '@quayside/contract/clusters/rules'
import { clientOf } from '@quayside/contract/permissions/roles'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, readsNodes, role } from './charts-that-reach-out.ts'

const crew = { type: 'role', id: 'quayside-operator' } as const
const managers = { type: 'scope', id: 'space.members' } as const
const mapCalled = (name: string) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`
const objects = role('named', readsNodes) + bound('named')
/** An object that Helm makes when it deletes the release, and leaves. */
const parting = `---
apiVersion: v1
kind: ConfigMap
metadata: { name: parting-{{ .Release.Name }}, annotations: { helm.sh/hook: pre-delete } }
`

let world: World
let teams: Teams
let mine: Team
let app: App
/** Holds `space.members`, and not the role that the first approval names. */
let manager: Story

const answer = (id: string, asksFor: object) =>
  teams.admin.call<Approval & { code?: string; field?: string; message?: string }>(
    `/cluster/v1/approvals/${id}/answer`,
    { body: { decision: 'grant', asksFor } },
  )
const elevation = () =>
  mine.story.good<{ data: { asksFor: object[] }[] }>(`/cluster/v1/spaces/${mine.space.id}/elevation`)
const now = ({ id }: App) => mine.story.good<App>(`/portal-api/v2/apps/${id}`)

/** Names of the ConfigMaps that hooks of deletions have left. */
async function partings(): Promise<string[]> {
  const { items } = await teams.clients.core.listNamespacedConfigMap({ namespace: mine.space.namespace })
  return items.flatMap(({ metadata }) => (metadata?.name?.startsWith('parting-') ? [metadata.name] : []))
}

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  mine = await teams.team()
  manager = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
  await teams.admin.good(`/portal-api/v3/spaces/${mine.space.id}/permissions`, {
    body: { principal: { type: 'user', id: manager.userId }, role: 'manager' },
  })
  app = await teams.assign(mine)
})
afterAll(() => world?.close())

it('a role that everybody holds is no right that an approval can name', async () => {
  const directory = await world.directory()
  await directory.post('/roles', { name: 'welcomed' })
  await directory.post('/groups', { name: 'Newcomers' })
  const [{ id: group } = { id: '' }] = await directory.get<{ id: string }[]>('/groups?search=Newcomers')
  await directory.post(`/groups/${group}/role-mappings/realm`, [await directory.get<object>('/roles/welcomed')])
  await directory.put(`/default-groups/${group}`, {})
  const { body } = await teams.ask(mine, app, objects)
  const common = ['quayside-member', `default-roles-${world.realm}`, 'offline_access', `${clientOf('apps')}:access`]
  for (const id of [...common, 'welcomed'])
    expect(await answer(body.id, { type: 'role', id })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', field: 'asksFor.id', message: expect.stringContaining(id) },
    })
  expect((await answer(body.id, crew)).body).toMatchObject({ state: 'granted', asksFor: crew })
})

it('who edits clusters for an hour approves for no longer, and puts nothing on the list', async () => {
  const editor = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
  const wanted = { role: 'clusters:clusters.edit', reason: 'On call', hours: 1 }
  const asked = await editor.good<{ id: string }>('/portal-api/v3/role-requests', { body: wanted })
  const granting = { body: { decision: 'grant' } }
  await teams.admin.good(`/portal-api/v3/role-requests/${asked.id}/answer`, granting)
  const list = `/cluster/v1/clusters/${teams.cluster.id}/rules`
  const entry = { group: 'networking.k8s.io', kind: 'IngressClass', name: 'for-good' }
  const adding = async () => (await editor.call<{ code: string }>(list, { body: entry })).body.code
  await expect.poll(adding, { timeout: 10_000 }).toBe('auth.escalation')
  const { body } = await teams.ask(mine, await teams.assign(mine), role('for-an-hour', readsNodes))
  const grant = (hours: number | null) =>
    editor.call(`/cluster/v1/approvals/${body.id}/answer`, { body: { decision: 'grant', hours } })
  for (const hours of [null, 2])
    expect((await grant(hours)).body).toMatchObject({ code: 'auth.escalation', field: 'hours' })
  expect((await editor.call(`/cluster/v1/approvals/${body.id}/answer`, { body: { decision: 'decline' } })).status).toBe(
    200,
  )
})

it('a newer approval of the same object leaves the right of the earlier one in force', async () => {
  expect(await teams.deploy(mine, mine.story, app, objects)).toMatchObject({ action: { state: 'Success' } })
  app = await now(app)
  const more = objects + mapCalled('more')
  const { body } = await teams.ask(mine, app, more)
  expect((await answer(body.id, managers)).status).toBe(200)
  expect(await teams.deploy(mine, mine.story, app, more)).toMatchObject({ action: { state: 'Success' } })
  const both = expect.arrayContaining([crew, managers])
  expect((await elevation()).data).toMatchObject([{ asksFor: both }])

  const { action } = await teams.deploy(mine, manager, await teams.assign(mine), mapCalled('by-a-manager'))
  expect([action?.state, action?.result?.summary]).toEqual([
    'Failed',
    expect.stringContaining('that takes the role quayside-operator'),
  ])
})

it('a right stays with an object that is approved anew with another content', async () => {
  app = await now(app)
  const other = role('named', readsNodes.replace('nodes', 'namespaces')) + bound('named')
  const { body } = await teams.ask(mine, app, other)
  expect((await answer(body.id, managers)).status).toBe(200)
  expect(await teams.deploy(mine, mine.story, app, other)).toMatchObject({ action: { state: 'Success' } })
  expect((await elevation()).data).toMatchObject([{ asksFor: expect.arrayContaining([crew, managers]) }])
})

it('a space is elevated by every registration of the cluster on which it is', async () => {
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8').replace('127.0.0.1', 'localhost')
  const again = { displayName: 'Again', iaas: { type: 'Sandbox' }, kubeconfig }
  const twin = await teams.admin.good<Cluster>('/cluster/v1/clusters', { body: again })
  const space = { displayName: mine.space.displayName, clusterIds: [teams.cluster.id, twin.id] }
  await teams.admin.good(`/portal-api/v3/spaces/${mine.space.id}`, { method: 'PUT', body: space })
  const places = [{ spaceId: mine.space.id, clusterId: twin.id }]
  expect((await manager.call<{ role: string }>('/cluster/v1/kubeconfigs', { body: { places } })).body.role).toBe(
    'viewer',
  )
})

it('a deletion in an elevated space starts no hook for who lacks the named rights', async () => {
  const kept = await teams.team()
  mine = kept
  const [first, second] = [await teams.assign(kept), await teams.assign(kept)]
  for (const one of [first, second])
    expect(await teams.deploy(kept, kept.story, one, mapCalled(`of-${one.id}`) + parting)).toMatchObject({
      action: { state: 'Success' },
    })
  const holder = await teams.assign(kept)
  const here = objects.replaceAll('named', 'named-there')
  const { body } = await teams.ask(kept, holder, here)
  expect((await answer(body.id, managers)).status).toBe(200)
  expect(await teams.deploy(kept, kept.story, holder, here)).toMatchObject({ action: { state: 'Success' } })

  expect(await teams.act('Delete', { app: { id: first.id } }, kept.story)).toMatchObject({ state: 'Success' })
  expect(await partings()).toEqual([])
  expect(await teams.act('Delete', { app: { id: second.id } }, teams.admin)).toMatchObject({ state: 'Success' })
  expect(await partings()).toHaveLength(1)
})
