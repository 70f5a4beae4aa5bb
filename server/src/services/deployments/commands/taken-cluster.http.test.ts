import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Accepted } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

let world: World
let admin: Story
let space: Space
let child: CatalogChild
let assigned: App
let deployed: App
let failed: string

const helm = '/deployment/v1/helm/deployment'
const refused = { status: 400, body: { code: 'cluster.not-in-space' } }
const files = {
  'templates/all.yaml': `{{ if .Values.broken }}{{ fail "not today" }}{{ end }}
apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}" }
data: { size: "{{ .Values.size }}" }
`,
}

const release = (app: App, yaml = 'size: 2\n') => ({
  appId: app.id,
  versionId: child.version.id,
  deployData: deployDataOf(app, space, child, yaml),
})
const install = async (app: App, yaml: string) => ({
  ...release(app, yaml),
  releaseName: await admin.releaseName(app, 'any'),
})
async function ended(kind: 'Deploy' | 'Delete', body: object) {
  const accepted = await admin.post<Accepted>(kind, body)
  expect(accepted.status).toBe(202)
  return admin.ended(accepted.body.actionId)
}

/** Takes the clusters from a space while it has apps there, as former versions let people do. */
async function takeClusters(): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant', '*', false)`)
    await client.query('delete from space_clusters where space_id = $1', [space.id])
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  space = await admin.space('Taken', readFileSync(world.kubeconfig, 'utf8'))
  child = await admin.uploadSmall('any', '1.0.0', files)
  const made = [await admin.assign(space, child), await admin.assign(space, child)] as const
  assigned = await admin.assign(space, child)
  expect(await ended('Deploy', await install(made[0], 'size: 1\n'))).toMatchObject({ state: 'Success' })
  deployed = await admin.good<App>(`/portal-api/v2/apps/${made[0].id}`)
  failed = (await ended('Deploy', await install(made[1], 'broken: true\n'))).id
  await takeClusters()
})
afterAll(() => world?.close())

it('what was assigned there cannot be deployed', async () => {
  expect(await admin.post('Deploy', await install(assigned, ''))).toMatchObject(refused)
})

it('what runs there can be neither upgraded nor rolled back', async () => {
  expect(await admin.post('Upgrade', release(deployed))).toMatchObject(refused)
  expect(await admin.post('Rollback', { appId: deployed.id, revision: 1 })).toMatchObject(refused)
})

it('what has failed there is not done again', async () => {
  expect(await admin.call(`/deployment/v1/actions/${failed}/retry`, { method: 'POST' })).toMatchObject(refused)
})

it('nothing is tried out there', async () => {
  const body = { appMetadata: metadataOf(assigned, space), yaml: '' }
  const { id } = child.version
  expect(await admin.call(`${helm}/validate/${id}`, { method: 'PUT', body })).toMatchObject(refused)
  expect(await admin.call(`${helm}/approvals/${id}`, { body: { ...body, reason: 'Why not' } })).toMatchObject(refused)
})

it('what runs there can be deleted', async () => {
  expect(await ended('Delete', { app: { id: deployed.id } })).toMatchObject({ state: 'Success' })
})
