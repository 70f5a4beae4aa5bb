import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ListReply } from '@quayside/contract/http/paging'
import type { LockedAddress, Lockout, Unlocking } from '@quayside/contract/users/lockouts'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Person = Awaited<ReturnType<World['personWith']>>

let world: World
let admin: string
let looker: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  const directory = await world.directory()
  // Keycloak also locks who fails twice within a second.
  const slowly = { quickLoginCheckMilliSeconds: 0 }
  await directory.put('', {
    ...(await directory.get<object>('')),
    bruteForceProtected: true,
    failureFactor: 3,
    ...slowly,
  })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  looker = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-iam-users': ['access', 'users.view'] } })
})
afterAll(() => world?.close())

async function call<T>(token: string, path: string, how: { method?: string; body?: unknown } = {}) {
  const answer = await world.api(`/iam${path}`, { token, ...how })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T & { code?: string } }
}
const isIn = (person: Person) =>
  signInAsPerson(world, person).then(
    () => true,
    () => false,
  )
const guess = ({ username }: Person) => isIn({ username, password: 'wrong' } as Person)
const lockoutOf = async (id: string) =>
  (await call<{ data: Lockout[] }>(looker, '/v3/users/lockouts', { body: { ids: [id, 'nobody'] } })).body.data
const addresses = async () => (await call<{ data: LockedAddress[] }>(looker, '/v3/locked-addresses')).body.data

async function lockedOut(): Promise<{ person: Person; id: string }> {
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  const [user] = await (await world.directory()).get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  const id = user?.id ?? ''
  expect(await lockoutOf(id)).toEqual([])
  for (let at = 0; at < 3; at += 1) await guess(person)
  expect(await isIn(person)).toBe(false)
  return { person, id }
}

test('a person who is locked out is shown with the end, and an administrator lets them in again', async () => {
  const { person, id } = await lockedOut()
  // Keycloak counts an attempt a moment after it has answered it.
  await expect.poll(async () => (await lockoutOf(id))[0]?.failures).toBe(3)
  const [lockout] = await lockoutOf(id)
  expect(lockout).toMatchObject({ userId: id })
  expect(Date.parse(lockout?.until ?? '')).toBeGreaterThan(Date.now())
  expect(lockout?.lastAddress).not.toBeNull()
  const unlock = (token: string, who = id) => call(token, `/v3/users/${who}/lockout`, { method: 'DELETE' })
  expect((await unlock(looker)).status).toBe(403)
  expect((await unlock(admin, 'nobody')).body.code).toBe('iam.user-not-found')
  expect(await isIn(person)).toBe(false)
  expect((await unlock(admin)).status).toBe(204)
  expect(await lockoutOf(id)).toEqual([])
  expect(await isIn(person)).toBe(true)
  expect((await unlock(admin)).body.code).toBe('iam.not-locked')
  const { body } = await call<ListReply<Unlocking>>(looker, '/v3/unlockings')
  expect(body.data).toMatchObject([{ what: 'person', about: id, name: person.username }])
})

test.runIf(process.env.KEYCLOAK_URL)('an identity server that locks no addresses says so', async () => {
  expect(await addresses()).toEqual([])
  const unlocked = await call(admin, '/v3/locked-addresses/203.0.113.250', { method: 'DELETE' })
  expect(unlocked).toMatchObject({ status: 501, body: { code: 'iam.no-address-locks' } })
})

// Keycloak locks no addresses.
test.skipIf(process.env.KEYCLOAK_URL)(
  'an address from which too many passwords were wrong is shown and let in again',
  async () => {
    expect(await addresses()).toEqual([])
    const person = await world.personWith({ realmRoles: ['quayside-member'] })
    for (let at = 0; (await addresses()).length === 0 && at < 150; at += 1)
      await guess({ username: `nobody-${at}`, password: '' } as Person)
    const [locked] = await addresses()
    expect(locked?.failures).toBeGreaterThanOrEqual(100)
    expect(await isIn(person)).toBe(false)
    const unlock = (token: string, address = locked?.address ?? '') =>
      call(token, `/v3/locked-addresses/${encodeURIComponent(address)}`, { method: 'DELETE' })
    expect((await unlock(looker)).status).toBe(403)
    expect((await unlock(admin, 'somewhere')).status).toBe(400)
    expect((await unlock(admin, '203.0.113.250')).body.code).toBe('iam.not-locked')
    expect((await unlock(admin)).status).toBe(204)
    expect(await addresses()).toEqual([])
    expect(await isIn(person)).toBe(true)
    const { body } = await call<ListReply<Unlocking>>(looker, '/v3/unlockings')
    expect(body.data[0]).toMatchObject({ what: 'address', about: locked?.address })
  },
)

const identitySettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('KEYCLOAK_')))

test('the last administrator is let in again from a terminal', async () => {
  const { person } = await lockedOut()
  const root = resolve(import.meta.dirname, '../../../..')
  // The files of a running start in its data folder.
  const folder = join(world.dataDir, 'as-started')
  mkdirSync(folder)
  writeFileSync(join(folder, 'ports.json'), JSON.stringify({ identity: Number(new URL(world.identityUrl).port) }))
  writeFileSync(join(folder, 'identity-client-secret'), world.identitySecret)
  const lock = acquireLock(folder)
  const unlock = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'embedded/launch.js'), 'unlock', ...args], {
      env: { ...identitySettings(), QUAYSIDE_REALM: world.realm, PATH: process.env.PATH, QUAYSIDE_DATA_DIR: folder },
    })
  expect((await unlock()).stdout).toContain('No address is locked.')
  await expect(unlock('--user', 'nobody')).rejects.toMatchObject({ stderr: expect.stringContaining('no user nobody') })
  await expect(unlock('--everybody')).rejects.toMatchObject({ stderr: expect.stringContaining('Usage:') })
  expect(await isIn(person)).toBe(false)
  expect((await unlock('--user', person.username)).stdout).toContain(`${person.username} can sign in again`)
  expect(await isIn(person)).toBe(true)
  lock.release()
})
