import type { ClientDetail, ClientRow, ClientSession } from '@quayside/contract/clients/administration'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Role } from '@quayside/contract/roles/endpoints'
import { portalAudience } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const path = '/iam/v3/clients'
const rights = {
  'quayside-portal-ui-iam-roles': ['roles.view', 'roles.create', 'roles.edit', 'roles.delete'],
  'quayside-portal-ui-iam-loginsettings': ['loginsettings.edit'],
  'quayside-portal-ui-iam-users': ['users.credentials.manage', 'users.sessions.view'],
}

let world: World
let admin: ReturnType<typeof callsOf>
/** May do all that is about clients, and holds nothing else. */
let keeper: ReturnType<typeof callsOf>
let viewer: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  keeper = callsOf(world, await world.tokenFor({ clientRoles: rights }))
  viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
})
afterAll(() => world?.close())

const application = {
  ...{ clientId: 'ledger', name: 'Ledger', isPublic: false, redirectUris: ['https://ledger.example.org/in'] },
  ...{ webOrigins: ['https://ledger.example.org'] },
}
const make = (more: object = {}, who = admin) =>
  who.good<{ client: ClientDetail; secret: string | null }>(path, { body: { ...application, ...more } })
const search = (text: string) => admin.good<ListReply<ClientRow>>(`${path}?search=${text}`)
const idOf = async (clientId: string) =>
  (await search(clientId)).data.find((row) => row.clientId === clientId)?.id ?? ''
const kept = { status: 409, body: { code: 'iam.client-kept' } }

test('wants a token and the right', async () => {
  for (const [method, at] of [
    ['GET', path],
    ['GET', `${path}/x`],
    ['POST', path],
    ['PUT', `${path}/x`],
    ['DELETE', `${path}/x`],
    ['POST', `${path}/x/secret`],
    ['GET', `${path}/x/sessions`],
    ['PUT', `${path}/x/roles/y`],
    ['DELETE', `${path}/x/roles/y`],
    ['GET', `${path}/x/roles/y/users`],
  ] as const) {
    expect((await world.api(at, { method })).status, `${method} ${at}`).toBe(401)
    const body = method === 'PUT' ? {} : at === path && method === 'POST' ? application : undefined
    expect((await viewer.call(at, { method, ...(body && { body }) })).status, `${method} ${at}`).toBe(403)
  }
})

test.each([
  [{ clientId: 'My App' }, 'clientId'],
  [{ clientId: 'quayside-mine' }, 'clientId'],
  [{ clientId: 'account' }, 'clientId'],
  [{ redirectUris: [] }, 'redirectUris'],
  [{ redirectUris: ['*'] }, 'redirectUris'],
  [{ redirectUris: ['javascript:alert(1)'] }, 'redirectUris'],
  [{ redirectUris: Array.from({ length: 31 }, (_, at) => `https://x.example.org/${at}`) }, 'redirectUris'],
  [{ webOrigins: ['*'] }, 'webOrigins'],
  [{ name: ' ' }, 'name'],
  [{ fullScopeAllowed: true }, 'body'],
])('%j is no application', async (more, field) => {
  expect(await admin.call(path, { body: { ...application, ...more } })).toMatchObject({ status: 400, body: { field } })
})

test('an application is registered, its secret shown once, changed, and deleted', async () => {
  const { client, secret } = await make({}, keeper)
  expect(secret?.length).toBeGreaterThan(20)
  expect(client).toMatchObject({
    ...{ clientId: 'ledger', kind: 'other', keptBecause: null, consentRequired: true, fullScopeAllowed: false },
    flows: { standard: true, implicit: false, password: false, serviceAccount: false },
  })
  expect(await admin.call(path, { body: application })).toMatchObject({ status: 409, body: { field: 'clientId' } })
  const shown = await admin.good<ClientDetail>(`${path}/${client.id}`)
  expect(JSON.stringify(shown)).not.toContain(secret)
  const change = { redirectUris: ['https://ledger.example.org/other'], consentRequired: false, description: 'Books' }
  const changed = await keeper.good<ClientDetail>(`${path}/${client.id}`, { method: 'PUT', body: change })
  expect(changed).toMatchObject({ ...change, name: 'Ledger', webOrigins: application.webOrigins })
  const bad = { redirectUris: ['https://x.example.org/*/y'] }
  expect(await keeper.call(`${path}/${client.id}`, { method: 'PUT', body: bad })).toMatchObject({ status: 400 })
  // The change has not taken the secret along.
  const directory = await world.directory()
  expect(await directory.get(`/clients/${client.id}/client-secret`)).toMatchObject({ value: secret })
  const renewed = await keeper.good<{ secret: string }>(`${path}/${client.id}/secret`, { method: 'POST' })
  expect(renewed.secret).not.toBe(secret)
  expect(await directory.get(`/clients/${client.id}/client-secret`)).toMatchObject({ value: renewed.secret })
  expect((await keeper.call(`${path}/${client.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await keeper.call(`${path}/${client.id}`)).status).toBe(404)
})

test('one that runs in a browser has no secret', async () => {
  const { client, secret } = await make({ clientId: 'board', isPublic: true })
  expect(secret).toBeNull()
  expect(await admin.call(`${path}/${client.id}/secret`, { method: 'POST' })).toMatchObject({ status: 409 })
  await admin.call(`${path}/${client.id}`, { method: 'DELETE' })
})

test('the portal’s own clients are refused by name', async () => {
  for (const clientId of ['quayside-portal-ui', 'quayside-portal-ui-apps', 'quayside-api']) {
    const at = `${path}/${await idOf(clientId)}`
    expect((await admin.good<ClientDetail>(at)).keptBecause).toContain(clientId)
    for (const [method, end, body] of [
      ['PUT', '', { redirectUris: ['https://evil.example.org/'] }],
      ['PUT', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/secret', undefined],
    ] as const) {
      const answer = await admin.call<{ message: string }>(`${at}${end}`, { method, ...(body && { body }) })
      expect(answer).toMatchObject(kept)
      expect(answer.body.message).toContain(clientId)
    }
  }
  const directory = await world.directory()
  const [own] = await directory.get<{ id: string }[]>('/clients?clientId=realm-management')
  expect(await admin.call(`${path}/${own?.id}`, { method: 'PUT', body: { enabled: false } })).toMatchObject(kept)
  expect((await search('realm-management')).data).toEqual([])
})

describe('nobody gets more by a client than they hold', () => {
  test('the tokens that open the portal go where they went', async () => {
    const directory = await world.directory()
    const foreign = { clientId: 'till', publicClient: true, protocolMappers: [portalAudience] }
    await directory.post('/clients', { ...foreign, redirectUris: ['https://till.example.org/'] })
    const at = `${path}/${await idOf('till')}`
    for (const body of [
      { redirectUris: ['https://evil.example.org/'] },
      { webOrigins: ['https://evil.example.org'] },
      { standardFlow: true },
    ])
      expect(await admin.call(at, { method: 'PUT', body })).toMatchObject(kept)
    expect(await admin.good(at, { method: 'PUT', body: { description: 'Sells' } })).toMatchObject({
      description: 'Sells',
      opensPortal: true,
    })
  })

  test('tokens with every role are led elsewhere by an administrator alone', async () => {
    await (await world.directory()).post('/clients', { clientId: 'wide', redirectUris: ['https://wide.example.org/'] })
    const at = `${path}/${await idOf('wide')}`
    const body = { redirectUris: ['https://other.example.org/'] }
    const escalation = { status: 403, body: { code: 'auth.escalation' } }
    expect(await keeper.call(at, { method: 'PUT', body })).toMatchObject(escalation)
    expect(await keeper.call(`${at}/secret`, { method: 'POST' })).toMatchObject(escalation)
    expect(await admin.good(at, { method: 'PUT', body })).toMatchObject(body)
  })

  test('the secret of a script is for who holds what it holds', async () => {
    const script = { clientId: 'robot', realmRoles: ['quayside-operator'] }
    const made = await admin.good<{ id: string; secret: string; tokenUrl: string }>('/iam/v2/clients', { body: script })
    const at = `${path}/${made.id}`
    expect(await keeper.call(`${at}/secret`, { method: 'POST' })).toMatchObject({ status: 403 })
    expect(await keeper.call(at, { method: 'PUT', body: { enabled: false } })).toMatchObject({ status: 403 })
    const { secret } = await admin.good<{ secret: string }>(`${at}/secret`, { method: 'POST' })
    const signIn = async (word: string) => {
      const form = { grant_type: 'client_credentials', client_id: 'robot', client_secret: word }
      return (await fetch(made.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })).status
    }
    expect([await signIn(made.secret), await signIn(secret)]).toEqual([401, 200])
    expect(await admin.good<ClientDetail>(at)).toMatchObject({
      kind: 'script',
      serviceAccount: { username: 'service-account-robot' },
    })
    await admin.good(at, { method: 'PUT', body: { enabled: false } })
    expect(await signIn(secret)).not.toBe(200)
    expect(await admin.call(at, { method: 'DELETE' })).toMatchObject(kept)
    expect((await admin.call(`/iam/v2/clients/${made.id}`, { method: 'DELETE' })).status).toBe(204)
  })
})

describe('roles of a client', () => {
  test('are made, changed, given to everybody, held and deleted', async () => {
    const { client } = await make({ clientId: 'books' })
    const rolesOf = `/iam/v2/clients/${client.id}/roles`
    const made = await admin.good<Role>(rolesOf, { body: { name: 'read', description: 'Reads' } })
    const at = `${path}/${client.id}/roles/${made.id}`
    expect(await admin.good(at, { method: 'PUT', body: { name: 'look' } })).toMatchObject({
      id: made.id,
      name: 'look',
      description: 'Reads',
    })
    const everybody = `${rolesOf}/default/assigned/realm/${world.realm}`
    await admin.good(everybody, { body: [{ id: made.id }] })
    expect(await admin.good(everybody)).toMatchObject({ data: [{ name: 'look' }] })
    const available = `${rolesOf}/default/available/realm/${world.realm}`
    expect(await admin.good(available)).toEqual({ data: [] })
    const { username } = await world.personWith({ clientRoles: { books: ['look'] } })
    const { data } = await admin.good<ListReply<{ username: string }>>(`${at}/users`)
    expect(data.map((user) => user.username)).toEqual([username])
    expect((await admin.call(at, { method: 'DELETE' })).status).toBe(204)
    expect(await admin.good(everybody)).toEqual({ data: [] })
    await admin.call(`${path}/${client.id}`, { method: 'DELETE' })
  })

  test('are changed by who holds them, and those of the portal by nobody', async () => {
    const { client } = await make({ clientId: 'notes' })
    const made = await admin.good<Role>(`/iam/v2/clients/${client.id}/roles`, { body: { name: 'write' } })
    const at = `${path}/${client.id}/roles/${made.id}`
    const escalation = { status: 403, body: { code: 'auth.escalation' } }
    expect(await keeper.call(at, { method: 'PUT', body: { name: 'mine' } })).toMatchObject(escalation)
    expect(await keeper.call(at, { method: 'DELETE' })).toMatchObject(escalation)
    expect(await keeper.call(`${path}/${client.id}`, { method: 'DELETE' })).toMatchObject(escalation)
    const own = await idOf('quayside-portal-ui-clusters')
    const { data } = await admin.good<{ data: Role[] }>(`/iam/v3/clients/${own}/roles`)
    const portals = `${path}/${own}/roles/${data[0]?.id}`
    for (const method of ['PUT', 'DELETE'])
      expect(await admin.call(portals, { method, ...(method === 'PUT' && { body: { name: 'x' } }) })).toMatchObject({
        status: 409,
        body: { code: 'iam.role-kept' },
      })
    // A role of another client is none of this one.
    expect((await admin.call(`${path}/${client.id}/roles/${data[0]?.id}`, { method: 'DELETE' })).status).toBe(404)
    await admin.call(`${path}/${client.id}`, { method: 'DELETE' })
  })
})

test('who is signed in with a client is listed by pages', async () => {
  const people = await Promise.all([1, 2, 3].map(() => world.personWith({})))
  for (const person of people) await signInAsPerson(world, person)
  const at = `${path}/${await idOf('quayside-portal-ui')}/sessions`
  const first = await admin.good<ListReply<ClientSession>>(`${at}?page.limit=2`)
  expect(first.data).toHaveLength(2)
  expect(first.page.total).toBeGreaterThanOrEqual(3)
  const { data } = await admin.good<ListReply<ClientSession>>(`${at}?page.limit=1000`)
  expect(data.map(({ user }) => user.username)).toEqual(expect.arrayContaining(people.map(({ username }) => username)))
  expect(await admin.call(`${at}?search=x`)).toMatchObject({ status: 400, body: { field: 'search' } })
})
