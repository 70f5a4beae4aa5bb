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
      realm: 'demo',
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
