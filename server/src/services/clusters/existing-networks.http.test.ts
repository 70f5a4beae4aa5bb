import { readFileSync } from 'node:fs'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { noReach } from '@quayside/contract/clusters/network-reach'
import type { SpaceOnCluster } from '@quayside/contract/clusters/rules'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let admin: Story
let cluster: Cluster

beforeAll(async () => {
  world = await World.start({ env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  cluster = await admin.good<Cluster>('/cluster/v1/clusters', {
    body: { displayName: 'Here', iaas: { type: 'Sandbox' }, kubeconfig: readFileSync(world.kubeconfig, 'utf8') },
  })
})
afterAll(() => world?.close())

const newSpace = (displayName: string) =>
  admin.good<Space>('/portal-api/v3/spaces', { body: { displayName, clusterIds: [cluster.id] } })

/** The tables as they were before it could be chosen what a space reaches. */
async function goBack(): Promise<void> {
  const client = new pg.Client(world.databaseUrl)
  await client.connect()
  await client.query(`select set_config('app.tenant', '*', false)`)
  await client.query('alter table space_isolation drop column reaches')
  const later = ['%cluster/009-network-reach', '%cluster/012-network-policies-of-charts']
  await client.query('delete from kysely_migration where name like any($1)', [later])
  await client.end()
}

test('spaces from before keep what they reached, and those that come later begin without', async () => {
  const [former, apart] = [await newSpace('Former'), await newSpace('Apart')]
  const path = `/cluster/v1/clusters/${cluster.id}/spaces`
  await admin.good(`${path}/${apart.id}`, { method: 'PUT', body: { network: 'own' } })
  await goBack()
  await world.restartPortal()
  const later = await newSpace('Later')
  const { data } = await admin.good<{ data: SpaceOnCluster[] }>(path)
  const reached = ({ id }: Space) => data.find(({ space }) => space.id === id)?.reaches
  expect([reached(former), reached(apart), reached(later)]).toEqual([
    { ...noReach, internet: true, apiServer: true, chartPolicies: true },
    { ...noReach, chartPolicies: true },
    noReach,
  ])
})
