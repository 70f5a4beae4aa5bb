import type { Account } from '@quayside/contract/account/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Session {
  id: string
  startedAt: string
  lastAccessAt: string
  clients: string[]
  current: boolean
}

const accountPath = '/iam/v2/account'
const sessionsPath = '/iam/v2/account/sessions'
const logoutPath = '/iam/v2/account/logout'

let world: World

beforeAll(async () => {
  world = await World.start({ cluster: false })
})
afterAll(() => world?.close())

type Credentials = Awaited<ReturnType<World['personWith']>>

async function signIn(person: Credentials) {
  const { access_token: token } = await signInAsPerson(world, person)
  const calls = callsOf(world, token)
  const sessions = async () => (await calls.good<{ data: Session[] }>(sessionsPath)).data
  return { ...calls, id: decodeJwt(token).sub ?? '', sessions }
}

test.each([
  ['GET', accountPath],
  ['GET', sessionsPath],
  ['POST', logoutPath],
  ['GET', '/portal-api/v0/currency'],
  ['PUT', '/portal-api/v0/currency'],
])('%s %s wants a token', async (method, path) => {
  expect((await world.api(path, { method })).status).toBe(401)
})

describe('an account', () => {
  test('is the caller, with their names, roles and groups', async () => {
    const person = await world.personWith({
      realmRoles: ['quayside-member'],
      clientRoles: { 'quayside-portal-ui-clusters': ['clusters.view', 'access'] },
    })
    const directory = await world.directory()
    const caller = await signIn(person)
    await directory.post('/groups', { name: 'Harbour' })
    const [group] = await directory.get<{ id: string }[]>('/groups?search=Harbour&exact=true')
    await directory.put(`/users/${caller.id}/groups/${group?.id}`)
    const account = await caller.good<Account>(accountPath)
    expect(account).toMatchObject({
      id: caller.id,
      username: person.username,
      email: `${person.username}@demo.example`,
      firstName: 'Test',
      lastName: 'Person',
      realm: world.realm,
      realmRoles: expect.arrayContaining(['quayside-member']),
      groups: ['/Harbour'],
    })
    expect(account.resourceRoles['quayside-portal-ui-clusters']).toEqual(['access', 'clusters.view'])
  })

  test('is also that of somebody without a role or a name', async () => {
    const token = await world.tokenFor()
    const account = await callsOf(world, token).good<Account>(accountPath)
    expect(account).toMatchObject({
      id: decodeJwt(token).sub,
      email: null,
      firstName: null,
      lastName: null,
      groups: [],
    })
    expect(Object.keys(account.resourceRoles).filter((client) => client.startsWith('quayside-portal-ui'))).toEqual([])
  })
})

describe('sessions', () => {
  test('are those of the caller on every device, and the one of the call is marked', async () => {
    const [person, other] = [await world.personWith({}), await world.personWith({})]
    const [laptop, phone, stranger] = [await signIn(person), await signIn(person), await signIn(other)]
    const [seenFromLaptop, seenFromPhone] = [await laptop.sessions(), await phone.sessions()]
    expect(seenFromLaptop).toHaveLength(2)
    const currentOf = (sessions: Session[]) => sessions.filter(({ current }) => current).map(({ id }) => id)
    expect([currentOf(seenFromLaptop), currentOf(seenFromPhone)]).toEqual([[expect.any(String)], [expect.any(String)]])
    expect(currentOf(seenFromLaptop)).not.toEqual(currentOf(seenFromPhone))
    for (const { startedAt, lastAccessAt, clients } of seenFromLaptop) {
      expect(clients).toEqual(['quayside-portal-ui'])
      expect(Date.parse(lastAccessAt)).toBeGreaterThanOrEqual(Date.parse(startedAt))
      expect(Math.abs(Date.now() - Date.parse(startedAt))).toBeLessThan(10 * 60_000)
    }
    expect((await stranger.sessions()).map(({ id }) => id)).not.toContain(seenFromLaptop[0]?.id)
  })

  test('all end by logging out, at once, and nobody else is logged out', async () => {
    const [person, other] = [await world.personWith({}), await world.personWith({})]
    const [laptop, phone, stranger] = [await signIn(person), await signIn(person), await signIn(other)]
    expect((await phone.call(accountPath)).status).toBe(200)
    expect(await laptop.call(logoutPath, { method: 'POST' })).toEqual({ status: 204, body: undefined })
    for (const device of [laptop, phone]) expect((await device.call(accountPath)).status).toBe(401)
    expect(await stranger.sessions()).toHaveLength(1)
    expect(await (await signIn(person)).sessions()).toHaveLength(1)
  })
})

describe('an account', () => {
  test('changes in what is sent; its address does not, since a token alone would then lead to a new password', async () => {
    const person = await world.personWith({})
    const caller = await signIn(person)
    const put = (body: object) => caller.call<Account>(accountPath, { method: 'PUT', body })
    expect(await put({ firstName: 'Noor' })).toMatchObject({
      status: 200,
      body: { firstName: 'Noor', lastName: 'Person' },
    })
    const directory = await world.directory()
    const email = `${person.username}@demo.example`
    for (const other of [`thief-${email}`, null, 'nowhere'])
      expect(await put({ email: other, firstName: 'Thief' })).toMatchObject({ status: 400, body: { field: 'email' } })
    expect(await directory.get(`/users/${caller.id}`)).toMatchObject({ email, firstName: 'Noor' })
    expect((await put({ email: email.toUpperCase() })).body.email).toBe(email)
    expect((await put({ username: 'admin' })).status).toBe(400)
    expect((await put({ emailVerified: true })).status).toBe(400)
  })

  test('of a script is changed with the script', async () => {
    const calls = callsOf(world, await world.tokenFor())
    const body = { firstName: 'Robot' }
    expect(await calls.call(accountPath, { method: 'PUT', body })).toMatchObject({
      ...{ status: 409, body: { code: 'iam.service-account' } },
    })
  })

  test.each([
    ['PUT', '/iam/v2/account/resetpassword', 'UPDATE_PASSWORD'],
    ['PUT', '/iam/v2/account/resetmypassword', 'UPDATE_PASSWORD'],
    ['POST', '/iam/v3/account/second-factor', 'CONFIGURE_TOTP'],
    ['POST', '/iam/v3/account/email', 'UPDATE_PROFILE'],
    ['POST', '/iam/v3/account/passkey', 'webauthn-register-passwordless'],
  ])('%s %s asks at the next sign-in, after the password', async (method, path, action) => {
    const person = await world.personWith({})
    const caller = await signIn(person)
    expect((await caller.call(path, { method })).status).toBe(204)
    expect((await caller.call(accountPath)).status).toBe(401)
    const directory = await world.directory()
    expect(await directory.get(`/users/${caller.id}`)).toMatchObject({ requiredActions: [action] })
    await expect(signIn(person)).rejects.toThrow()
  })

  test('says how it signs in, and what happened with it', async () => {
    const person = await world.personWith({})
    await expect(signIn({ ...person, password: 'wrong' })).rejects.toThrow()
    const caller = await signIn(person)
    expect((await caller.good<{ data: { type: string }[] }>('/iam/v3/account/credentials')).data).toMatchObject([
      { type: 'password' },
    ])
    interface Activities {
      kept: boolean
      data: { type: string; at: string; error: string | null; client: string | null }[]
    }
    const activities = () => caller.good<Activities>('/iam/v2/account/activities')
    await expect.poll(async () => (await activities()).data.map(({ type }) => type)).toEqual(['LOGIN', 'LOGIN_ERROR'])
    const { data, kept } = await activities()
    expect(kept).toBe(true)
    expect(data[0]).toMatchObject({ client: 'quayside-portal-ui', error: null })
    expect(data[1]?.error).not.toBeNull()
  })

  test('removes nothing but a passkey, and of nobody else', async () => {
    const caller = await signIn(await world.personWith({}))
    const other = await signIn(await world.personWith({}))
    const { data } = await caller.good<{ data: { id: string }[] }>('/iam/v3/account/credentials')
    const path = `/iam/v3/account/credentials/${data[0]?.id}`
    const refused = { status: 404, body: { code: 'iam.credential-not-found' } }
    expect(await caller.call(path, { method: 'DELETE' })).toMatchObject(refused)
    expect(await other.call(path, { method: 'DELETE' })).toMatchObject(refused)
    expect((await caller.good<{ data: unknown[] }>('/iam/v3/account/credentials')).data).toHaveLength(1)
  })

  test('has no consent that was never given', async () => {
    const caller = await signIn(await world.personWith({}))
    expect(await caller.good('/iam/v3/account/consents')).toEqual({ data: [] })
    const none = { status: 404, body: { code: 'iam.consent-not-found' } }
    expect(await caller.call('/iam/v2/account/consents/some-app')).toMatchObject(none)
    expect(await caller.call('/iam/v2/account/consent/some-app', { method: 'DELETE' })).toMatchObject(none)
  })
})

test('one session is looked at and ended; those of others are not there', async () => {
  const [person, other] = [await world.personWith({}), await world.personWith({})]
  const [laptop, phone, stranger] = [await signIn(person), await signIn(person), await signIn(other)]
  const here = (await laptop.sessions()).find(({ current }) => current)?.id
  const there = (await laptop.sessions()).find(({ current }) => !current)?.id
  expect(await laptop.good(`${sessionsPath}/${here}`)).toMatchObject({ id: here, current: true })
  const end = (calls: typeof laptop, id: string | undefined) =>
    calls.call(`/iam/v3/account/sessions/${id}`, { method: 'DELETE' })
  expect(await end(stranger, here)).toMatchObject({ status: 404, body: { code: 'iam.session-not-found' } })
  expect((await stranger.call(`${sessionsPath}/${here}`)).status).toBe(404)
  for (const drawn of ['-bmpC9_HM124l', '_bmpC9-HM124l'])
    expect(await laptop.call(`${sessionsPath}/${drawn}`)).toMatchObject({ body: { code: 'iam.session-not-found' } })
  expect((await end(laptop, there)).status).toBe(204)
  expect((await phone.call(accountPath)).status).toBe(401)
  expect((await laptop.call(accountPath)).status).toBe(200)
})

describe('a currency', () => {
  const path = '/portal-api/v0/currency'

  test('is kept with the account, beside what others keep there, and told by the next token', async () => {
    const person = await world.personWith({ realmRoles: ['quayside-member'] })
    const caller = await signIn(person)
    const directory = await world.directory()
    const known = await directory.get<object>(`/users/${caller.id}`)
    await directory.put(`/users/${caller.id}`, { ...known, attributes: { site: ['north'] } })
    expect(await caller.good(path)).toEqual({ currency: null })
    const put = (currency: unknown) => caller.call(path, { method: 'PUT', body: { currency } })
    for (const wrong of ['euro', 'eur', 'XQX', '', 7, undefined])
      expect(await put(wrong), String(wrong)).toMatchObject({ status: 400, body: { field: 'currency' } })
    expect(await put('CHF')).toMatchObject({ status: 200, body: { currency: 'CHF' } })
    expect(await caller.good(path)).toEqual({ currency: 'CHF' })
    const { access_token: later } = await signInAsPerson(world, person)
    expect(decodeJwt(later)).toMatchObject({ currency: 'CHF', given_name: 'Test' })
    const after = await directory.get<{ attributes: unknown }>(`/users/${caller.id}`)
    expect(after.attributes).toEqual({ site: ['north'], currency: ['CHF'] })
    expect(await put(null)).toMatchObject({ status: 200, body: { currency: null } })
    expect((await directory.get<{ attributes: unknown }>(`/users/${caller.id}`)).attributes).toEqual({
      site: ['north'],
    })
  })
})
