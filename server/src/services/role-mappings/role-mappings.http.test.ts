import type { HeldRole } from '@quayside/contract/role-mappings/endpoints'
import type { Role } from '@quayside/contract/roles/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const iamUsers = 'quayside-portal-ui-iam-users'
const clusters = 'quayside-portal-ui-clusters'

let world: World
let admin: ReturnType<typeof callsOf>
let person: { id: string; username: string; password: string }
let groupId: string
let clusterClient: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const made = await world.personWith({})
  person = { ...made, ...(await admin.good<{ id: string }>(`/iam/v2/users/name/${made.username}`)) }
  const directory = await world.directory()
  await directory.post('/groups', { name: 'Crew' })
  groupId = (await directory.get<{ id: string }[]>('/groups?search=Crew'))[0]?.id ?? ''
  const { data } = await admin.good<{ data: { id: string; clientId: string }[] }>('/iam/v2/clients')
  clusterClient = data.find(({ clientId }) => clientId === clusters)?.id ?? ''
})
afterAll(() => world?.close())

const names = (roles: readonly { name: string }[]) => roles.map(({ name }) => name)
const listOf = async (path: string) => (await admin.good<{ data: Role[] }>(path)).data

async function roleOf(path: string, name: string): Promise<Role> {
  const found = (await listOf(`${path}/available`)).find((role) => role.name === name)
  if (!found) throw new Error(`no role ${name} at ${path}`)
  return found
}

const holders = () => [
  ['users', person.id],
  ['groups', groupId],
]

test('wants a token, and the right', async () => {
  const viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  for (const [kind, id] of holders()) {
    const path = `/iam/v2/${kind}/${id}/role-mappings/realm`
    expect((await world.api(path)).status).toBe(401)
    expect((await viewer.call(path)).status).toBe(403)
    expect((await viewer.call(path, { method: 'POST', body: [{ id: 'r1' }] })).status).toBe(403)
    expect(await admin.call(path, { method: 'POST', body: [] })).toMatchObject({ status: 400 })
    expect(await admin.call(path, { method: 'POST', body: [{ id: 'no-such-role' }] })).toMatchObject({ status: 404 })
    expect((await admin.call(path.replace(id ?? '', 'nobody'))).status).toBe(404)
  }
})

describe('roles of the realm', () => {
  test.each([0, 1])('are assigned, seen and taken back (%i)', async (at) => {
    const [kind, id] = holders()[at] as [string, string]
    const path = `/iam/v2/${kind}/${id}/role-mappings/realm`
    const role = await roleOf(path, 'quayside-operator')
    await admin.good(path, { body: [role] })
    expect(names(await listOf(path))).toContain('quayside-operator')
    expect(names(await listOf(`${path}/available`))).not.toContain('quayside-operator')
    expect(names(await listOf(`${path}/composite`))).toContain('quayside-operator')
    const { data } = await admin.good<{ data: HeldRole[] }>(`/iam/v3/${kind}/${id}/roles`)
    expect(data).toContainEqual({
      ...{ name: 'quayside-operator', client: null, through: [], assigned: { id: role.id, cid: null } },
    })
    expect(data).toContainEqual({
      ...{ name: 'clusters.view', client: clusters },
      ...{ through: [{ kind: 'role', id: 'quayside-operator', name: 'quayside-operator' }], assigned: null },
    })
    await admin.good(path, { method: 'DELETE', body: [role] })
    expect(names(await listOf(path))).not.toContain('quayside-operator')
  })

  test('open what they open within seconds, also by a group', async () => {
    const own = callsOf(world, (await signInAsPerson(world, person)).access_token)
    expect((await own.call('/cluster/v2/clusters')).status).toBe(403)
    const path = `/iam/v2/groups/${groupId}/role-mappings/realm`
    const role = await roleOf(path, 'quayside-viewer')
    await admin.good(path, { body: [role] })
    await admin.good(`/iam/v2/users/${person.id}/groups/${groupId}`, { method: 'POST' })
    await expect.poll(async () => (await own.call('/cluster/v2/clusters')).status, { timeout: 10_000 }).toBe(200)
    const { data } = await admin.good<{ data: HeldRole[] }>(`/iam/v3/users/${person.id}/roles`)
    expect(data).toContainEqual({
      ...{ name: 'quayside-viewer', client: null, assigned: null },
      through: [{ kind: 'group', id: groupId, name: 'Crew' }],
    })
    await admin.good(path, { method: 'DELETE', body: [role] })
    await expect.poll(async () => (await own.call('/cluster/v2/clusters')).status, { timeout: 10_000 }).toBe(403)
  })
})

test('roles of a client are assigned by the client that the path names', async () => {
  const path = `/iam/v2/users/${person.id}/role-mappings/clients/${clusterClient}`
  const role = await roleOf(path, 'clusters.view')
  await admin.good(path, { body: [{ id: role.id, name: role.name }] })
  expect(names(await listOf(path))).toEqual(['clusters.view'])
  const realmPath = `/iam/v2/users/${person.id}/role-mappings/realm`
  expect(await admin.call(realmPath, { method: 'POST', body: [role] })).toMatchObject({ status: 404 })
  await admin.good(path, { method: 'DELETE', body: [role] })
  expect(await listOf(path)).toEqual([])
})

describe('nobody gives or takes what they do not hold', () => {
  test.each([0, 1])('a role with more inside (%i)', async (at) => {
    const [kind, id] = holders()[at] as [string, string]
    const manages = {
      [iamUsers]: ['access', 'users.roles.manage', 'users.roles.view'],
      'quayside-portal-ui-iam-groups': ['access', 'groups.roles.manage', 'groups.roles.view'],
    }
    const manager = callsOf(world, await world.tokenFor({ clientRoles: manages }))
    const path = `/iam/v2/${kind}/${id}/role-mappings/realm`
    for (const name of ['quayside-admin', 'quayside-viewer']) {
      const body = [await roleOf(path, name)]
      const refused = await manager.call(path, { method: 'POST', body })
      expect(refused).toMatchObject({ status: 403, body: { code: 'auth.escalation' } })
    }
    const ofUsers = await admin.good<{ data: { id: string; clientId: string }[] }>('/iam/v2/clients')
    const own = ofUsers.data.find(({ clientId }) => clientId === iamUsers)?.id
    const ownPath = `/iam/v2/${kind}/${id}/role-mappings/clients/${own}`
    const held = await roleOf(ownPath, 'users.roles.view')
    await manager.good(ownPath, { body: [held] })
    await manager.good(ownPath, { method: 'DELETE', body: [held] })
    const more = await roleOf(ownPath, 'users.delete')
    expect((await manager.call(ownPath, { method: 'POST', body: [more] })).status).toBe(403)
  })

  test('power over the realm itself is handed out by nobody here', async () => {
    const { data } = await admin.good<{ data: { id: string; clientId: string }[] }>('/iam/v2/clients')
    expect(data.map(({ clientId }) => clientId)).not.toContain('realm-management')
    const directory = await world.directory()
    const [management] = await directory.get<{ id: string }[]>('/clients?clientId=realm-management')
    const path = `/iam/v2/users/${person.id}/role-mappings/clients/${management?.id}`
    const role = await roleOf(path, 'manage-users')
    expect((await admin.call(path, { method: 'POST', body: [role] })).status).toBe(403)
  })
})
