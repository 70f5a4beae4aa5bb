import type { Credential, UserSession } from '@quayside/contract/users/credentials'
import type { User, UserDetail } from '@quayside/contract/users/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const usersPath = '/iam/v3/users'
const iamUsers = 'quayside-portal-ui-iam-users'
const refusedBy = (code: string) => ({ body: { code } })

let world: World
let admin: ReturnType<typeof callsOf>
let adminId: string
/** Manages users, and nothing else. */
let helpdesk: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  admin = callsOf(world, token)
  adminId = (await admin.good<{ id: string }>('/iam/v2/account')).id
  const rights = ['view', 'create', 'edit', 'delete', 'credentials.manage', 'credentials.view', 'groups.manage']
  const clientRoles = { [iamUsers]: ['access', ...rights.map((right) => `users.${right}`)] }
  helpdesk = callsOf(world, await world.tokenFor({ clientRoles }))
})
afterAll(() => world?.close())

const pathOf = (id: string) => `/iam/v2/users/${id}`

let count = 0
async function make(more: object = {}) {
  count += 1
  const password = { value: 'First-pass-4711', temporary: false }
  const username = `sailor-${count}`
  // Keycloak asks who lacks one of these for it at the sign-in.
  const profile = { email: `${username}@demo.example`, firstName: 'Sam', lastName: 'Sailor' }
  const body = { username, password, ...profile, ...more }
  const user = await admin.good<UserDetail>(usersPath, { body })
  const credentials = { username: user.username, password: password.value }
  return { ...user, path: pathOf(user.id), credentials, signIn: () => signInAsPerson(world, credentials) }
}

async function personOf(roles: Parameters<World['personWith']>[0]) {
  const { username } = await world.personWith(roles)
  const { id } = await admin.good<UserDetail>(`/iam/v2/users/name/${username}`)
  return { id, username, path: pathOf(id) }
}

async function makeGroup(name: string, realmRole?: string): Promise<string> {
  const directory = await world.directory()
  await directory.post('/groups', { name })
  const [group] = await directory.get<{ id: string }[]>(`/groups?search=${name}&exact=true`)
  const id = group?.id ?? ''
  if (realmRole) {
    const role = await directory.get<{ id: string; name: string }>(`/roles/${realmRole}`)
    await directory.post(`/groups/${id}/role-mappings/realm`, [{ id: role.id, name: role.name }])
  }
  return id
}

test.each([
  ['POST', usersPath],
  ['PUT', pathOf('u1')],
  ['DELETE', pathOf('u1')],
  ['PUT', `${pathOf('u1')}/reset-password`],
  ['GET', `${pathOf('u1')}/credentials`],
  ['GET', `${usersPath}/u1/identities`],
  ['DELETE', `${usersPath}/u1/identities/x`],
])('%s %s wants a token, and the right', async (method, path) => {
  expect((await world.api(path, { method })).status).toBe(401)
  const viewer = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  expect((await viewer.call(path, { method })).status).toBe(403)
})

describe('what is sent', () => {
  test.each([
    [{}, 'username'],
    [{ username: 'two words' }, 'username'],
    [{ username: 'Service-account-x' }, 'username'],
    [{ username: 'a', email: 'nowhere' }, 'email'],
    [{ username: 'a', attributes: { 'no name': ['x'] } }, 'attributes.no name'],
    [{ username: 'a', requiredActions: ['NOTHING'] }, 'requiredActions.0'],
    [{ username: 'a', isAdmin: true }, 'body'],
  ])('%j is refused by %s', async (body, field) => {
    expect(await admin.call(usersPath, { body })).toMatchObject({ status: 400, body: { field } })
  })

  test('a user name or an address that is taken is said by its field', async () => {
    const { username } = await make({ email: 'taken@example.org' })
    expect(await admin.call(usersPath, { body: { username } })).toMatchObject({
      ...{ status: 409, body: { code: 'iam.user-exists', field: 'username' } },
    })
    const body = { username: 'another', email: 'Taken@example.org' }
    expect(await admin.call(usersPath, { body })).toMatchObject({ status: 409, body: { field: 'email' } })
  })
})

describe('a user', () => {
  test('is made with all that is said, and can sign in', async () => {
    const group = await makeGroup('Deck')
    const made = await make({
      ...{ email: 'deck@example.org', emailVerified: true, firstName: 'Dora', lastName: 'Deck' },
      ...{ attributes: { currency: ['EUR'] }, groups: [group] },
    })
    expect(made).toMatchObject({
      ...{ email: 'deck@example.org', emailVerified: true, firstName: 'Dora', lastName: 'Deck', enabled: true },
      ...{ attributes: { currency: ['EUR'] }, requiredActions: [], serviceAccountOf: null },
    })
    expect(await admin.good(`${made.path}/groups`)).toEqual({ data: [{ id: group, name: 'Deck' }] })
    expect(decodeJwt((await made.signIn()).access_token)).toMatchObject({ sub: made.id, currency: 'EUR' })
  })

  test('is not made when a part of it is refused', async () => {
    const long = { username: 'half-made', groups: ['no-such-group'] }
    expect(await admin.call(usersPath, { body: long })).toMatchObject({ status: 404, body: { field: 'groups' } })
    expect((await admin.call('/iam/v2/users/name/half-made')).status).toBe(404)
  })

  test('changes in what is sent, and in nothing else', async () => {
    const user = await make({ email: 'mate@example.org', firstName: 'Mate', attributes: { deck: ['2'] } })
    const after = await admin.good<UserDetail>(user.path, {
      method: 'PUT',
      body: { lastName: 'Miller', firstName: null },
    })
    expect(after).toMatchObject({ email: 'mate@example.org', firstName: null, lastName: 'Miller' })
    expect(after.attributes).toEqual({ deck: ['2'] })
    const cleared = await admin.good<UserDetail>(user.path, { method: 'PUT', body: { email: null, attributes: {} } })
    expect(cleared).toMatchObject({ email: null, attributes: {}, lastName: 'Miller' })
  })

  test('who is disabled is signed out, and back in when enabled', async () => {
    const user = await make()
    const calls = callsOf(world, (await user.signIn()).access_token)
    expect((await calls.call('/iam/v2/account')).status).toBe(200)
    await admin.good(user.path, { method: 'PUT', body: { enabled: false } })
    expect((await calls.call('/iam/v2/account')).status).toBe(401)
    await admin.good(user.path, { method: 'PUT', body: { enabled: true } })
    expect((await callsOf(world, (await user.signIn()).access_token).call('/iam/v2/account')).status).toBe(200)
  })

  test('is gone when deleted', async () => {
    const user = await make()
    const calls = callsOf(world, (await user.signIn()).access_token)
    await admin.good(user.path, { method: 'DELETE' })
    expect((await admin.call(user.path)).status).toBe(404)
    expect((await calls.call('/iam/v2/account')).status).toBe(401)
    expect(await admin.call(user.path, { method: 'DELETE' })).toMatchObject({ status: 404 })
  })

  test('attributes are for who may see them', async () => {
    const user = await make({ attributes: { deck: ['2'] } })
    expect((await helpdesk.good<UserDetail>(user.path)).attributes).toBeNull()
    const body = { attributes: { deck: ['3'] } }
    expect(await helpdesk.call(user.path, { method: 'PUT', body })).toMatchObject({ status: 403 })
  })
})

/** A passkey as a browser would have registered it. */
async function addPasskey({ id }: { id: string }): Promise<void> {
  const type = 'webauthn-passwordless'
  const data = { credentialId: 'a2V5', credentialPublicKey: 'AQID', counter: 0, aaguid: '', transports: [] }
  if (process.env.KEYCLOAK_URL) {
    const credentials = [{ type, userLabel: 'Key', secretData: '{}', credentialData: JSON.stringify(data) }]
    return void (await (await world.directory()).put(`/users/${id}`, { credentials }))
  }
  const database = new pg.Client({ connectionString: world.identityDatabaseUrl })
  await database.connect()
  try {
    const insert = `insert into credential (id, user_id, type, label, secret, data) values ($1, $1, $2, 'Key', '', $3)`
    await database.query(insert, [id, type, JSON.stringify(data)])
  } finally {
    await database.end()
  }
}

describe('how somebody signs in', () => {
  test('a new password ends passkeys: whoever had set one up may be somebody else', async () => {
    const user = await make()
    await addPasskey(user)
    const types = async () =>
      (await admin.good<{ data: Credential[] }>(`${user.path}/credentials`)).data.map(({ type }) => type).sort()
    expect(await types()).toEqual(['password', 'webauthn-passwordless'])
    const body = { value: 'Second-pass-4711', temporary: false }
    await admin.good(`${user.path}/reset-password`, { method: 'PUT', body })
    expect(await types()).toEqual(['password'])
  })

  test('a new password ends the sessions of the old one', async () => {
    const user = await make()
    const calls = callsOf(world, (await user.signIn()).access_token)
    expect((await admin.good<{ data: UserSession[] }>(`${usersPath}/${user.id}/sessions`)).data).toHaveLength(1)
    const body = { value: 'Second-pass-4711', temporary: false }
    await admin.good(`${user.path}/reset-password`, { method: 'PUT', body })
    expect((await calls.call('/iam/v2/account')).status).toBe(401)
    await expect(user.signIn()).rejects.toThrow()
    await signInAsPerson(world, { ...user.credentials, password: body.value })
  })

  test('a temporary one asks for another at the next sign-in', async () => {
    const user = await make()
    await admin.good(`${user.path}/reset-password/realm/${world.realm}`, {
      method: 'PUT',
      body: { value: 'Other-pass-4711' },
    })
    expect((await admin.good<UserDetail>(user.path)).requiredActions).toEqual(['UPDATE_PASSWORD'])
  })

  test('a realm that is not the own one is not there', async () => {
    const user = await make()
    const body = { value: 'Other-pass-4711' }
    const path = `${user.path}/reset-password/realm/master`
    expect(await admin.call(path, { method: 'PUT', body })).toMatchObject({ status: 404 })
  })

  test('credentials are listed without secrets, and removed', async () => {
    const user = await make()
    const { data } = await admin.good<{ data: Credential[] }>(`${user.path}/credentials`)
    expect(data).toEqual([{ id: expect.any(String), type: 'password', label: null, createdAt: expect.any(String) }])
    expect(await admin.call(`${user.path}/credentials/none`, { method: 'DELETE' })).toMatchObject({ status: 404 })
    await admin.good(`${user.path}/credentials/${data[0]?.id}`, { method: 'DELETE' })
    await expect(user.signIn()).rejects.toThrow()
    await admin.good(`${user.path}/reset-password`, { method: 'PUT', body: { value: 'Back-4711-again' } })
    await admin.good(`${user.path}/disable-credential-types`, { method: 'PUT', body: ['password', 'otp'] })
    expect(await admin.good(`${user.path}/credentials`)).toEqual({ data: [] })
  })

  test('mail needs an address', async () => {
    const user = await make({ email: null })
    const said = await admin.call<{ message: string }>(`${user.path}/execute-actions-email`, {
      ...{ method: 'PUT', body: ['UPDATE_PASSWORD'] },
    })
    expect(said).toMatchObject({ status: 409, ...refusedBy('iam.no-mail') })
    expect(said.body.message).toContain('no e-mail address')
  })

  test('somebody is signed out everywhere, and their consents are listed', async () => {
    const user = await make()
    const calls = callsOf(world, (await user.signIn()).access_token)
    await admin.good(`${usersPath}/${user.id}/sessions`, { method: 'DELETE' })
    expect((await calls.call('/iam/v2/account')).status).toBe(401)
    expect(await admin.good(`${usersPath}/${user.id}/consents`)).toEqual({ data: [] })
  })
})

describe('nobody gets at somebody who holds more', () => {
  const takeOvers = (path: string): [string, string, unknown][] => [
    ['PUT', `${path}/reset-password`, { value: 'Taken-over-4711' }],
    ['PUT', `${path}/disable-credential-types`, ['otp']],
    ['DELETE', path.replace('/v2/', '/v3/').concat('/identities/harbour'), undefined],
    ['PUT', path, { email: 'mine@example.org' }],
    ['PUT', path, { enabled: false }],
    ['PUT', path, { firstName: 'Somebody' }],
    ['DELETE', path, undefined],
    ['DELETE', path.replace('/v2/', '/v3/').concat('/sessions'), undefined],
  ]

  test('not at an administrator', async () => {
    const boss = await personOf({ realmRoles: ['quayside-admin'] })
    for (const [method, path, body] of takeOvers(boss.path))
      expect(await helpdesk.call(path, { method, body })).toMatchObject({
        status: 403,
        ...refusedBy('iam.person-above'),
      })
  })

  test('not at somebody whom a space lets in, although anybody may end their sessions', async () => {
    const user = await make()
    const members = [{ principal: { type: 'user', id: user.id }, role: 'viewer' }]
    const space = await admin.good<{ id: string }>('/portal-api/v3/spaces', { body: { displayName: 'Hold', members } })
    const path = `${user.path}/reset-password`
    const body = { value: 'Taken-over-4711' }
    expect(await helpdesk.call(path, { method: 'PUT', body })).toMatchObject({
      ...{ status: 403, ...refusedBy('iam.person-above') },
    })
    await helpdesk.good(`${usersPath}/${user.id}/sessions`, { method: 'DELETE' })
    await admin.good(`/portal-api/v3/spaces/${space.id}`, { method: 'DELETE' })
    await helpdesk.good(path, { method: 'PUT', body })
  })

  test('and by a group nobody gives what they do not hold', async () => {
    const user = await make()
    const [crew, bosses] = [await makeGroup('Crew'), await makeGroup('Bosses', 'quayside-admin')]
    for (const [group, status] of [
      [bosses, 403],
      // The group may be on lists of spaces.
      [crew, 403],
    ] as const)
      expect(await helpdesk.call(`${user.path}/groups/${group}`, { method: 'POST' })).toMatchObject({
        ...{ status, ...refusedBy('auth.escalation') },
      })
    const body = { username: 'by-the-back-door', groups: [bosses] }
    expect(await helpdesk.call(usersPath, { body })).toMatchObject({ status: 403, ...refusedBy('auth.escalation') })
    await admin.good(`${user.path}/groups/${bosses}`, { method: 'POST' })
    expect(await helpdesk.call(`${user.path}/groups/${bosses}`, { method: 'DELETE' })).toMatchObject({ status: 403 })
    await admin.good(`${user.path}/groups/${bosses}`, { method: 'DELETE' })
    expect(await admin.good(`${user.path}/groups`)).toEqual({ data: [] })
  })

  test('nor does anybody shut themselves out, or change their own password past the old one', async () => {
    const boss = await world.personWith({ realmRoles: ['quayside-admin'] })
    const token = (await signInAsPerson(world, boss)).access_token
    const own = callsOf(world, token)
    const path = pathOf(String(decodeJwt(token).user_id))
    for (const [method, at, body] of [
      ['PUT', path, { enabled: false }],
      ['DELETE', path, undefined],
      ['PUT', `${path}/reset-password`, { value: 'Without-the-old-1' }],
    ] as const)
      expect(await own.call(at, { method, body })).toMatchObject({ status: 403, ...refusedBy('iam.own-account') })
  })

  test('the account of a script is not a person to change', async () => {
    expect(await admin.call(pathOf(adminId), { method: 'DELETE' })).toMatchObject({
      ...{ status: 409, ...refusedBy('iam.service-account') },
    })
  })

  test('who manages users for a while makes nobody', async () => {
    const person = await world.personWith({ clientRoles: { [iamUsers]: ['access', 'users.view'] } })
    const own = callsOf(world, (await signInAsPerson(world, person)).access_token)
    const ask = { role: 'iam-users:users.create', reason: 'One evening', hours: 1 }
    const { id } = await own.good<{ id: string }>('/portal-api/v3/role-requests', { body: ask })
    await admin.good(`/portal-api/v3/role-requests/${id}/answer`, { body: { decision: 'grant' } })
    const later = callsOf(world, (await signInAsPerson(world, person)).access_token)
    const made = await later.call(usersPath, { body: { username: 'outlives-it' } })
    expect(made).toMatchObject({ status: 403, ...refusedBy('auth.escalation') })
  })
})

test('the last administrator stays', async () => {
  const { data } = await admin.good<{ data: User[] }>('/iam/v2/users')
  const administrators: User[] = []
  for (const user of data) {
    const { data: roles } = await admin.good<{ data: { name: string }[] }>(
      `${pathOf(user.id)}/role-mappings/realm/composite`,
    )
    if (user.enabled && roles.some(({ name }) => name === 'quayside-admin')) administrators.push(user)
  }
  // The script that calls is an administrator, too, but nobody signs in as it.
  const answers: number[] = []
  for (const { id } of administrators)
    answers.push((await admin.call(pathOf(id), { method: 'PUT', body: { enabled: false } })).status)
  expect(answers.at(-1)).toBe(409)
  expect(answers.slice(0, -1).every((status) => status === 200)).toBe(true)
})

test('whoever disables somebody changes nothing else of them that they may not', async () => {
  const victim = await make({ email: 'above@demo.example' })
  const members = [{ principal: { type: 'user', id: victim.id }, role: 'viewer' }]
  await admin.good('/portal-api/v3/spaces', { body: { displayName: 'Above', members } })
  const change = { enabled: false, email: 'taken@demo.example', emailVerified: true }
  expect(await helpdesk.call(victim.path, { method: 'PUT', body: change })).toMatchObject(refusedBy('iam.person-above'))
  expect(await admin.good(victim.path)).toMatchObject({ enabled: true, email: 'above@demo.example' })
})

test('the name of somebody is not the address of another, and the other way round', async () => {
  await make({ username: 'boss', email: 'boss@demo.example' })
  const named = { username: 'boss@demo.example', email: 'other@demo.example' }
  expect(await admin.call(usersPath, { body: named })).toMatchObject({ status: 409, body: { field: 'username' } })
  const address = await make({ username: 'mate@demo.example', email: 'mate-1@demo.example' })
  const taken = await make()
  expect(await admin.call(taken.path, { method: 'PUT', body: { email: address.username } })).toMatchObject({
    status: 409,
    body: { field: 'email' },
  })
})

test('a new user gets nothing by default groups that their maker does not hold', async () => {
  const id = await makeGroup('everybody-operates', 'quayside-operator')
  await admin.good(`/iam/v2/realms/default-groups/${world.realm}/${id}`, { method: 'PUT' })
  const body = { username: 'newcomer', password: { value: 'First-pass-4711', temporary: false } }
  try {
    expect(await helpdesk.call(usersPath, { body })).toMatchObject(refusedBy('auth.escalation'))
  } finally {
    await admin.good(`/iam/v2/realms/default-groups/${world.realm}/${id}`, { method: 'DELETE' })
  }
  expect(await helpdesk.call(usersPath, { body })).toMatchObject({ status: 201 })
})
