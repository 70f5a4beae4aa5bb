import type { Role } from '@quayside/contract/roles/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { type Replica, World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const rolesPath = '/iam/v2/roles'

let world: World
let abroad: Replica
let adminToken: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  abroad = await world.addReplica({ realm: 'abroad' })
  adminToken = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const directory = await world.directory()
  await directory.post('/roles', { name: 'zz-harbour-master', description: 'Assigns berths' })
  await directory.post('/roles', { name: 'aa-apprentice' })
})
afterAll(() => world?.close())

const rolesFor = async (token: string, portal: Pick<World, 'api'> = world) =>
  (await callsOf(portal, token).good<{ data: Role[] }>(rolesPath)).data

describe('who may', () => {
  test('nobody without a token', async () => {
    expect((await world.api(rolesPath)).status).toBe(401)
  })

  test('nobody without a role for it', async () => {
    for (const roles of [{}, { realmRoles: ['quayside-member'] }, { realmRoles: ['quayside-viewer'] }])
      expect((await callsOf(world, await world.tokenFor(roles)).call(rolesPath)).status).toBe(403)
  })

  test('somebody who views roles', async () => {
    const token = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-iam-roles': ['roles.view'] } })
    expect(await rolesFor(token)).toEqual(await rolesFor(adminToken))
  })

  test('somebody who deploys in one space, from when they may', async () => {
    const admin = callsOf(world, adminToken)
    const token = await world.tokenFor()
    expect((await callsOf(world, token).call(rolesPath)).status).toBe(403)
    const { id } = await admin.good<Space>('/portal-api/v3/spaces', { body: { displayName: 'Team' } })
    const principal = { type: 'user', id: decodeJwt(token).sub }
    await admin.good(`/portal-api/v3/spaces/${id}/permissions`, { body: { principal, role: 'deployer' } })
    expect(await rolesFor(token)).toEqual(await rolesFor(adminToken))
  })
})

describe('the list', () => {
  test('has the roles of the realm by name, each with its description', async () => {
    const roles = await rolesFor(adminToken)
    const names = roles.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((left, right) => left.localeCompare(right)))
    expect(names.at(0)).toBe('aa-apprentice')
    expect(names).toEqual(
      expect.arrayContaining(['quayside-admin', 'quayside-operator', 'quayside-viewer', 'quayside-member']),
    )
    expect(roles.at(-1)).toEqual({
      id: expect.any(String),
      name: 'zz-harbour-master',
      description: 'Assigns berths',
      composite: false,
    })
    expect(roles.find(({ name }) => name === 'quayside-admin')).toMatchObject({
      composite: true,
      description: 'Everything in this tenant',
    })
  })

  test('shows no keys of message files as descriptions', async () => {
    const own = (await rolesFor(adminToken)).filter(({ name }) => name === 'offline_access' || /^default-/.test(name))
    expect(own.length).toBeGreaterThan(0)
    for (const { description } of own) expect(description).not.toContain('${')
  })

  test('has no role of another tenant', async () => {
    const token = await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] })
    const names = (await rolesFor(token, abroad)).map(({ name }) => name)
    expect(names).toContain('quayside-admin')
    expect(names).not.toContain('zz-harbour-master')
  })
})
