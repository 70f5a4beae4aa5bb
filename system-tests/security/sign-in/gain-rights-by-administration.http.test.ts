import { request } from 'node:http'
import type { ClientRoles, Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { askToken } from '@quayside/embedded-identity/testing/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let directory: Directory
let admin: ReturnType<typeof callsOf>
let spaceId: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  spaceId = (await admin.good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName: 'Harbour' } })).id
})
afterAll(() => world?.close())

const spacePath = () => `/portal-api/v3/spaces/${spaceId}`
const escalation = { status: 403, body: { code: 'auth.escalation' } }
const password = 'Attack-pass-4711'

/** Somebody with some roles of the clients that are meant by the second half of their names. */
async function personWith(roles: Record<string, string[]>) {
  const clientRoles: ClientRoles['clientRoles'] = Object.fromEntries(
    Object.entries(roles).map(([section, names]) => [`quayside-portal-ui-${section}`, names]),
  )
  const person = await world.personWith({ clientRoles })
  const { access_token: token } = await signInAsPerson(world, person)
  const calls = callsOf(world, token)
  return { ...calls, ...person, token, id: (await calls.good<{ id: string }>('/iam/v2/account')).id }
}

async function groupNamed(name: string): Promise<string> {
  return (await admin.good<{ id: string }>('/iam/v2/groups', { body: { name } })).id
}

describe('somebody who administers people', () => {
  test('comes into no space as a new user by a default group that a space lets in', async () => {
    const newcomers = await groupNamed('newcomers')
    const maker = await personWith({ 'iam-users': ['users.view', 'users.create', 'users.credentials.manage'] })
    const path = `/iam/v2/realms/default-groups/${world.realm}/${newcomers}`
    const make = (username: string) =>
      maker.call('/iam/v3/users', { body: { username, password: { value: password, temporary: false } } })
    await admin.good(path, { method: 'PUT' })
    expect((await make('harmless')).status).toBe(201)
    await admin.good(`${spacePath()}/permissions`, {
      body: { principal: { type: 'group', id: newcomers }, role: 'manager' },
    })
    expect(await make('puppet')).toMatchObject({ status: 403, body: { code: 'auth.escalation', field: 'groups' } })
    // Somebody who is in the group gives nobody more than they have.
    await admin.good(`/iam/v2/users/${maker.id}/groups/${newcomers}`, { method: 'POST' })
    expect((await make('colleague')).status).toBe(201)
    await admin.good(path, { method: 'DELETE' })
  })

  test('gives no role by its name the scopes that they lack', async () => {
    const keeper = await personWith({
      'iam-roles': ['roles.view', 'roles.create', 'roles.edit'],
      'iam-users': ['users.view', 'users.roles.manage'],
      spaces: ['spaces.manage'],
    })
    const { data } = await admin.good<{ data: { id: string; clientId: string }[] }>('/iam/v2/clients')
    const api = data.find(({ clientId }) => clientId === 'quayside-api')?.id
    expect(await keeper.call('/iam/v2/roles', { body: { name: 'space.deploy' } })).toMatchObject(escalation)
    const kept = { status: 409, body: { code: 'iam.role-kept' } }
    expect(await keeper.call(`/iam/v2/clients/${api}/roles`, { body: { name: 'app.secrets' } })).toMatchObject(kept)
    const { id } = await keeper.good<{ id: string }>('/iam/v2/roles', { body: { name: 'plain' } })
    expect(await keeper.call(`/iam/v2/roles/${id}`, { method: 'PUT', body: { name: 'space.deploy' } })).toMatchObject(
      escalation,
    )
    // A role that somebody else has made so is theirs to give only with the scope.
    await directory.post('/roles', { name: 'space.deploy' })
    const role = await directory.get<{ id: string }>('/roles/space.deploy')
    expect(
      await keeper.call(`/iam/v2/users/${keeper.id}/role-mappings/realm`, { body: [{ id: role.id }] }),
    ).toMatchObject(escalation)
    await admin.good(`/iam/v2/users/${keeper.id}/role-mappings/realm`, { body: [{ id: role.id }] })
    const secrets = `/cluster/v1/secrets/spaces/${spaceId}/clusters/none`
    const ticket = (await world.api(secrets, { token: keeper.token })).headers.get('ticket') ?? ''
    const exchange = { grant_type: 'uma-ticket', client_id: 'quayside-portal-ui', ticket }
    const permission = await askToken(`${world.signInUrl}/realms/${world.realm}`, exchange, {
      authorization: `Bearer ${keeper.token}`,
    })
    expect(permission.status).toBe(200)
  })

  test('makes themselves indispensable by no attribute that is kept for the portal', async () => {
    const keeper = await personWith({
      'iam-roles': ['roles.view', 'roles.create', 'roles.edit', 'roles.attributes.manage'],
      'iam-users': ['users.view', 'users.edit', 'users.roles.manage', 'users.attributes.manage'],
      'iam-groups': ['groups.view', 'groups.create', 'groups.edit', 'groups.attributes.manage'],
      spaces: ['spaces.manage'],
    })
    const attributes = { 'quayside.last-holder-stays': ['true'] }
    const refused = { status: 400, body: { field: 'attributes.quayside.last-holder-stays' } }
    expect(await keeper.call('/iam/v2/roles', { body: { name: 'mine', attributes } })).toMatchObject(refused)
    const { id } = await keeper.good<{ id: string }>('/iam/v2/roles', { body: { name: 'mine' } })
    const change = { method: 'PUT', body: { attributes } }
    expect(await keeper.call(`/iam/v2/roles/${id}`, change)).toMatchObject(refused)
    expect(await keeper.call('/iam/v2/groups', { body: { name: 'mine', attributes } })).toMatchObject(refused)
    expect(await keeper.call(`/iam/v2/users/${keeper.id}`, change)).toMatchObject(refused)

    // A group of a deployment keeps its mark, whoever changes its other attributes.
    await directory.post('/groups', { name: 'of-an-app', attributes: { 'quayside.made-for-app': ['a1'] } })
    const [group] = await directory.get<{ id: string }[]>('/groups?search=of-an-app')
    const path = `/iam/v2/groups/${group?.id}`
    for (const sent of [{ deck: ['2'] }, { deck: ['2'], 'quayside.made-for-app': ['a1'] }])
      expect(await admin.good(path, { method: 'PUT', body: { attributes: sent } })).toMatchObject({
        attributes: { deck: ['2'], 'quayside.made-for-app': ['a1'] },
      })
    const other = { 'quayside.made-for-app': ['a2'] }
    expect((await admin.call(path, { method: 'PUT', body: { attributes: other } })).status).toBe(400)
  })
})

test('nobody reaches another call of the identity server through the name of a client', async () => {
  const person = await personWith({})
  for (const name of ['%2e%2e', '%2e', '%2e%2e%2f%2e%2e', '.%2e%5c']) {
    const answer = await rawCall('DELETE', `/iam/v2/account/consent/${name}`, person.token)
    expect(answer, name).toBe(404)
  }
  expect((await person.call('/iam/v2/account')).status).toBe(200)
})

/** A call whose path nobody tidies on its way. */
async function rawCall(method: string, path: string, token: string): Promise<number | undefined> {
  const { hostname, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request({ hostname, port, method, path, headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
}
