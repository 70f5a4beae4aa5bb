import type { ClusterEvent } from '@quayside/contract/clusters/endpoints'
import type { Approval, SpaceOnCluster } from '@quayside/contract/clusters/rules'
import type { ListReply } from '@quayside/contract/http/paging'
import { clientOf } from '@quayside/contract/permissions/roles'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

const readsNodes = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads-nodes}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
`
let world: World
let teams: Teams
let theirs: Team
let own: Team
/** Holds roles on clusters, as a tenant's own role may, and is a member of one team. */
let looker: Story
let editor: Story
let approval: Approval

const holderOf = async (...roles: string[]) =>
  createStory(
    world,
    await world.tokenFor({
      realmRoles: ['quayside-member'],
      clientRoles: { [clientOf('clusters')]: ['access', 'clusters.view', 'clusters.events.view', ...roles] },
    }),
  )

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  ;[theirs, own] = [await teams.team(), await teams.team()]
  ;[looker, editor] = [await holderOf(), await holderOf('clusters.edit')]
  const body = { principal: { type: 'user', id: looker.userId }, role: 'viewer' }
  await teams.admin.good(`/portal-api/v3/spaces/${own.space.id}/permissions`, { body })
  for (const by of [theirs, own]) {
    const app = await teams.assign(by)
    await teams.deploy(by, by.story, app, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n')
    const container = { name: 'a', image: 'b' }
    const pod = { metadata: { name: `pod-of-${by.space.name}` }, spec: { containers: [container] } }
    await teams.clients.core.createNamespacedPod({ namespace: by.space.namespace, body: pod })
  }
  const asked = await teams.ask(theirs, await teams.assign(theirs), readsNodes)
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  approval = asked.body
}, 120_000)
afterAll(() => world?.close())

const marks = () => [theirs.space.id, theirs.space.displayName, theirs.space.namespace, theirs.space.name]
const tellsOfThem = (answer: unknown) => marks().filter((mark) => JSON.stringify(answer).includes(mark))
const eventsFor = (who: Story) =>
  who.good<ListReply<ClusterEvent>>(`/cluster/v2/clusters/${teams.cluster.id}/events?page.limit=500`)
const spacesFor = (who: Story) =>
  who.good<{ data: SpaceOnCluster[] }>(`/cluster/v1/clusters/${teams.cluster.id}/spaces`)

test('events of a cluster tell who may look at clusters nothing of other teams', async () => {
  const has = async (who: Story, { space }: Team) =>
    (await eventsFor(who)).data.some(({ object }) => object.namespace === space.namespace)
  await expect.poll(() => has(editor, theirs), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => has(looker, own), { timeout: 20_000 }).toBe(true)
  expect(tellsOfThem(await eventsFor(looker))).toEqual([])
  const asked = `/cluster/v2/clusters/${teams.cluster.id}/events?filters.namespace=${theirs.space.namespace}`
  expect(await looker.good<ListReply<ClusterEvent>>(asked)).toMatchObject({ data: [], page: { total: 0 } })
})

test('events of the cluster itself name no space of others, and nobody is told of those of another tenant', async () => {
  const { core } = teams.clients
  const abroad = 'space-abroad-1'
  const labels = { 'quayside.io/space': 'abroad1', 'quayside.io/tenant': 'abroad' }
  await core.createNamespace({ body: { metadata: { name: abroad, labels } } })
  const tell = (name: string, namespace: string, involvedObject: object, message: string) =>
    core.createNamespacedEvent({
      namespace,
      body: { metadata: { name, namespace }, involvedObject, message, reason: 'Told', type: 'Warning' },
    })
  const { namespace } = theirs.space
  await tell('of-namespace', 'default', { kind: 'Namespace', name: namespace }, 'is terminating')
  await tell('of-volume', 'default', { kind: 'PersistentVolume', name: 'pv1' }, `bound to ${namespace}/data`)
  await tell('of-node', 'default', { kind: 'Node', name: 'node1' }, 'node of all')
  await tell('of-abroad', abroad, { kind: 'Pod', name: 'pod-abroad', namespace: abroad }, 'pulled')
  await tell('on-abroad', 'default', { kind: 'PersistentVolume', name: 'pv2' }, `bound to ${abroad}/data`)
  const told = async (who: Story) =>
    (await eventsFor(who)).data.filter(({ reason }) => reason === 'Told').map(({ object }) => object.name)
  expect(await told(looker)).toEqual(['node1'])
  expect((await told(editor)).sort()).toEqual(['node1', 'pv1', namespace].sort())
  expect(tellsOfThem(await eventsFor(looker))).toEqual([])
})

test('spaces on a cluster are those that one sees, and all for who edits it', async () => {
  expect((await spacesFor(looker)).data.map(({ space }) => space.id)).toEqual([own.space.id])
  expect((await spacesFor(editor)).data.map(({ space }) => space.id).sort()).toEqual(
    [own.space.id, theirs.space.id].sort(),
  )
})

test('requests of other teams are seen by who answers them alone', async () => {
  const path = '/cluster/v1/approvals'
  expect(await looker.good<ListReply<Approval>>(path)).toMatchObject({ data: [], page: { total: 0 } })
  expect((await looker.call(`${path}/${approval.id}`)).status).toBe(404)
  expect((await editor.good<ListReply<Approval>>(path)).data.map(({ id }) => id)).toEqual([approval.id])
  expect((await editor.good<Approval>(`${path}/${approval.id}`)).space.id).toBe(theirs.space.id)
})
