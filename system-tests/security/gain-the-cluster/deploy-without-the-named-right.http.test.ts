import type { App } from '@quayside/contract/apps/endpoints'
import type { Approval, SpaceOnCluster } from '@quayside/contract/clusters/rules'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, readsNodes, role } from './charts-that-reach-out.ts'

const crew = { type: 'role', id: 'quayside-operator' } as const
const mapCalled = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`
const configMap = mapCalled('plain')
/** A workload whose pods start once it is scaled, restarted or given other limits. */
const workload = (name: string, replicas: number) => `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: own }] }
`

let world: World
let teams: Teams
let mine: Team
let app: App
/** Deployed before anything in the space had rights on the cluster. */
let before: App
/** Holds every scope in the space, and not the role that the approver names. */
let admin: Story
/** Holds the role, and not `space.deploy.elevated`. */
let operator: Story

const answer = (id: string, asksFor: object) =>
  teams.admin.call<Approval & { code?: string; field?: string }>(`/cluster/v1/approvals/${id}/answer`, {
    body: { decision: 'grant', asksFor },
  })

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  admin = teams.admin
  operator = createStory(world, await world.tokenFor({ realmRoles: ['quayside-operator'] }))
  mine = await teams.team()
  app = await teams.assign(mine)
  before = await teams.assign(mine)
  expect(await teams.deploy(mine, mine.story, before, workload('idle', 0) + workload('busy', 2))).toMatchObject({
    action: { state: 'Success' },
  })
})
afterAll(() => world?.close())

it('the right has to be one that somebody can hold', async () => {
  const { body } = await teams.ask(mine, app, role('named', readsNodes) + bound('named'))
  expect(await answer(body.id, { type: 'role', id: 'nobody-is-this' })).toMatchObject({
    status: 404,
    body: { code: 'iam.role-not-found', field: 'asksFor.id' },
  })
  expect((await answer(body.id, { type: 'scope', id: 'space.view' })).status).toBe(400)
  expect((await answer(body.id, crew)).body).toMatchObject({ state: 'granted', asksFor: crew })
})

it('the release that was approved is deployed, and from then on deploying takes the named right', async () => {
  const objects = role('named', readsNodes) + bound('named')
  expect(await teams.deploy(mine, mine.story, app, objects)).toMatchObject({ action: { state: 'Success' } })
  const elevation = `/cluster/v1/spaces/${mine.space.id}/elevation`
  expect(await mine.story.good(elevation)).toEqual({
    data: [{ cluster: { id: teams.cluster.id, displayName: 'Here' }, asksFor: [crew] }],
  })
  const { data } = await admin.good<{ data: SpaceOnCluster[] }>(`/cluster/v1/clusters/${teams.cluster.id}/spaces`)
  expect(data.find(({ space }) => space.id === mine.space.id)).toMatchObject({ asksFor: [crew] })
  const other = await teams.assign(mine)
  const refused = await teams.validate(mine, other, configMap)
  expect(refused.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/has rights on the whole cluster, and that takes the role quayside-operator or an approval/),
  )
  for (const story of [mine.story, admin]) {
    const { action } = await teams.deploy(mine, story, other, configMap)
    expect([action?.state, action?.result?.summary]).toEqual([
      'Failed',
      expect.stringContaining('that takes the role quayside-operator'),
    ])
  }
  const { action } = await teams.deploy(mine, operator, other, configMap)
  expect(action?.result?.summary).toContain('is deployed')
})

it('starting pods of what was deployed before takes the named right, too', async () => {
  const deployed = { appId: before.id, kind: 'Deployment' }
  const none = { cpu: null, memory: null }
  const scaling = (name: string, replicas: number) => ({ ...deployed, name, replicas })
  const pods = `/cluster/v1/apps/${before.id}/${mine.space.namespace}/pods`
  const [pod] = (await mine.story.good<{ data: { name: string }[] }>(`/cluster/v1/apps/${before.id}/pods`)).data
  const starts: [string, object][] = [
    ['/cluster/v1/action/apps.scale', { body: scaling('idle', 1) }],
    ['/cluster/v1/action/apps.restart', { body: { ...deployed, name: 'busy' } }],
    [
      '/cluster/v1/apps/set.limits',
      { body: { ...deployed, name: 'busy', container: 'web', requests: none, limits: none } },
    ],
    [`${pods}/${pod?.name}`, { method: 'DELETE' }],
  ]
  for (const [path, call] of starts)
    for (const story of [mine.story, admin])
      expect(await story.call<object>(path, call), path).toMatchObject({
        status: 403,
        body: { code: 'deployment.pods-elevated', details: { asksFor: crew } },
      })
  const scaled = async (story: Story, name: string, replicas: number) => {
    const { actionId } = await story.good<{ actionId: string }>('/cluster/v1/action/apps.scale', {
      body: scaling(name, replicas),
    })
    return (await story.ended(actionId)).state
  }
  expect(await scaled(mine.story, 'busy', 1)).toBe('Success')
  expect(await scaled(operator, 'idle', 1)).toBe('Success')
})

it('the named right goes with the release', async () => {
  expect((await teams.act('Delete', { app: { id: app.id } })).state).toBe('Success')
  expect(await mine.story.good(`/cluster/v1/spaces/${mine.space.id}/elevation`)).toEqual({ data: [] })
  expect(await teams.deploy(mine, mine.story, await teams.assign(mine), mapCalled('later'))).toMatchObject({
    action: { state: 'Success' },
  })
})
