import { existsSync } from 'node:fs'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.start({ seed: true })
})
afterAll(() => world.close())

const all = async (path: string, token: string) => {
  const answer = await world.api(`${path}?page.limit=1000`, { token })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data
}

test('a token carries the roles that were asked for, and no others', async () => {
  const admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const nobody = await world.tokenFor()
  expect((await world.api('/cluster/v2/clusters', { token: admin })).status).toBe(200)
  expect((await world.api('/cluster/v2/clusters', { token: nobody })).status).toBe(403)
  expect((await world.api('/cluster/v2/clusters')).status).toBe(401)
})

test('a first start leaves the content of the samples, and no client behind', async () => {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const items = await all('/catalog/v2/items', token)
  expect(items.length).toBeGreaterThanOrEqual(12)
  expect(items[0]).toMatchObject({ featured: true })
  expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['App', 'Flow']))
  expect(await all('/cluster/v2/clusters', token)).toMatchObject([
    { displayName: 'Sandbox', iaas: { type: 'Sandbox' } },
  ])
  expect((await all('/portal-api/v2/spaces', token)).map(({ displayName }) => displayName).sort()).toEqual([
    'Storefront',
    'Telemetry',
  ])
  for (const { id, displayName } of await all('/portal-api/v2/spaces', token)) {
    const list = (await all(`/portal-api/v3/spaces/${id}/permissions`, token)) as unknown as Permission[]
    expect(list.map(({ principal, role, owner }) => [principal.name, role.id, owner])).toEqual([
      [displayName === 'Storefront' ? 'Ines Duarte' : 'Ravi Sandoval', 'manager', true],
      [`${displayName} Developers`, 'deployer', false],
      [`${displayName} Guests`, 'viewer', false],
    ])
  }
  const clients = await all('/iam/v2/clients', token)
  expect(clients.map(({ clientId }) => clientId)).not.toContain('quayside-first-start')
})

test('comes back on the same data after the portal was killed', async () => {
  await world.restartPortal('SIGKILL')
  const token = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
  expect((await all('/portal-api/v2/spaces', token)).length).toBe(2)
})

test('leaves nothing behind', async () => {
  const other = await World.start({ portal: false, cluster: false })
  expect(existsSync(other.dataDir)).toBe(true)
  await other.close()
  expect(existsSync(other.dataDir)).toBe(false)
})
