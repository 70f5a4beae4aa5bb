import type { App } from '@quayside/contract/apps/endpoints'
import { deployDataOf, metadataOf } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let team: Team
let assigned: App
let deployed: App
let failed: string

const helm = '/deployment/v1/helm/deployment'
const configMap = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\n`
const yaml = `objects: ${JSON.stringify(configMap)}\n`
const refused = { status: 400, body: { code: 'cluster.not-in-space' } }

const clusters = (clusterIds: string[]) =>
  teams.admin.good(`/portal-api/v3/spaces/${team.space.id}`, {
    method: 'PUT',
    body: { displayName: team.space.displayName, description: '', clusterIds },
  })
const appNow = (id: string) => team.story.good<App>(`/portal-api/v2/apps/${id}`)
const release = (app: App) => ({
  appId: app.id,
  versionId: teams.child.version.id,
  deployData: deployDataOf(app, team.space, teams.child, yaml),
})

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  teams = await teamsOn(world)
  team = await teams.team()
  assigned = await teams.assign(team)
  const made = [await teams.assign(team), await teams.assign(team)] as const
  for (const objects of [configMap, `${configMap}data: { a: b }\n`])
    expect(await teams.deploy(team, team.story, await appNow(made[0].id), objects)).toMatchObject({
      action: { state: 'Success' },
    })
  deployed = await appNow(made[0].id)
  const { action } = await teams.deploy(team, team.story, made[1], '{{ fail "not today" }}')
  expect(action?.state).toBe('Failed')
  failed = action?.id ?? ''
  await clusters([])
})
afterAll(() => world?.close())

it('what was assigned before cannot be deployed', async () => {
  const body = { ...release(assigned), releaseName: await team.story.releaseName(assigned, 'anything') }
  expect(await team.story.post('Deploy', body)).toMatchObject(refused)
})

it('what runs there can be neither upgraded nor rolled back', async () => {
  expect(await team.story.post('Upgrade', release(deployed))).toMatchObject(refused)
  expect(await team.story.post('Rollback', { appId: deployed.id, revision: 1 })).toMatchObject(refused)
})

it('what has failed there is not done again', async () => {
  expect(await team.story.call(`/deployment/v1/actions/${failed}/retry`, { method: 'POST' })).toMatchObject(refused)
})

it('nothing is tried out there', async () => {
  const body = { appMetadata: metadataOf(assigned, team.space), yaml }
  const { id } = teams.child.version
  expect(await team.story.call(`${helm}/validate/${id}`, { method: 'PUT', body })).toMatchObject(refused)
  expect(await team.story.call(`${helm}/approvals/${id}`, { body: { ...body, reason: 'Why not' } })).toMatchObject(
    refused,
  )
})

it('what runs there can be deleted', async () => {
  expect(await teams.act('Delete', { app: { id: deployed.id } }, team.story)).toMatchObject({ state: 'Success' })
})
