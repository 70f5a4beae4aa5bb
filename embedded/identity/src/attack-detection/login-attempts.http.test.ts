import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeSettings, type RealmSettings } from '../directory/realm-settings.ts'
import { createRealm } from '../directory/realms.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'
import { attackStatus, clearAttempts, countAttempt, forgiveAttempts } from './login-attempts.ts'

let fixture: IdentityFixture
let db: Database
let realmId: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  db = openDatabase(fixture.databaseUrl, 20, 'a key that is long enough for a test')
  realmId = (await createRealm(db, { realm: 'harbour' })).id
})
afterAll(async () => {
  await db?.close()
  await fixture?.[Symbol.asyncDispose]()
})

const settingsWith = (more: object = {}) =>
  mergeSettings({
    ...{ bruteForceProtected: true, failureFactor: 3, waitIncrementSeconds: 60, maxFailureWaitSeconds: 100 },
    ...more,
  })
const settings = settingsWith()
const attempt = (userId: string, ip = '203.0.113.1', chosen: RealmSettings = settings) =>
  countAttempt(db, { settings: chosen, realmId, tried: { userId }, ip })
const restIsOver = () =>
  fixture.sql(
    `update login_attempt set locked_until = now() where locked_until is not null and locked_until <> 'infinity'`,
  )

test('of a thousand attempts at once exactly as many are tried as the limit says', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => attempt('u1', `203.0.113.${index % 20}`)),
  )
  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(3)
  expect(await attackStatus(db, realmId, 'u1')).toMatchObject({ numFailures: 3, disabled: true })
})

test('of a thousand attempts of one address at a thousand accounts, a hundred are tried', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => attempt(`many-${index}`, '203.0.113.99')),
  )
  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(100)
})

test('the addresses of one IPv6 network are one address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => attempt(`spread-${index}`, `2001:db8::${(index + 1).toString(16)}`)),
  )
  expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(100)
  expect(await attempt('spread-0', '2001:db8:0:1::1')).toBeUndefined()
})

test('a good sign-in takes one attempt off its address, and not those at the accounts of others', async () => {
  const ip = '203.0.113.77'
  for (let index = 0; index < 50; index += 1) {
    expect(await attempt(`victim-${index}`, ip)).toBeUndefined()
    expect(await attempt('guesser', ip)).toBeUndefined()
    await forgiveAttempts(db, realmId, 'guesser', ip)
  }
  for (let index = 50; index < 100; index += 1) expect(await attempt(`victim-${index}`, ip)).toBeUndefined()
  expect(await attempt('victim-100', ip)).toMatchObject({ waitSeconds: expect.any(Number) })
})

test('rests grow, up to their limit, and what was counted goes with a good sign-in or an administrator', async () => {
  const rests: (number | undefined)[] = []
  for (let index = 0; index < 9; index += 1) {
    const refusal = await attempt('u2', '203.0.113.2')
    expect(refusal).toBeUndefined()
    const resting = (await attackStatus(db, realmId, 'u2')).disabled
    if (resting) rests.push((await attempt('u2', '203.0.113.2'))?.waitSeconds)
    await restIsOver()
  }
  expect(rests).toEqual([60, 100, 100])
  await forgiveAttempts(db, realmId, 'u2', '203.0.113.2')
  expect(await attackStatus(db, realmId, 'u2')).toMatchObject({ numFailures: 0, disabled: false })
  for (let index = 0; index < 4; index += 1) await attempt('u2')
  await clearAttempts(db, realmId, 'u2')
  expect(await attempt('u2')).toBeUndefined()
})

test('counting linearly every further failure rests', async () => {
  const linear = settingsWith({ bruteForceStrategy: 'LINEAR' })
  for (let index = 0; index < 3; index += 1) await attempt('u3', '203.0.113.3', linear)
  await restIsOver()
  expect(await attempt('u3', '203.0.113.3', linear)).toBeUndefined()
  expect(await attempt('u3', '203.0.113.3', linear)).toMatchObject({ waitSeconds: 60 })
})

test('an account can be locked for good, and a count grows old', async () => {
  const forGood = settingsWith({ permanentLockout: true, maxTemporaryLockouts: 1 })
  for (let index = 0; index < 3; index += 1) await attempt('u4', '203.0.113.4', forGood)
  await restIsOver()
  for (let index = 0; index < 3; index += 1) await attempt('u4', '203.0.113.4', forGood)
  expect(await attempt('u4', '203.0.113.4', forGood)).toEqual({ waitSeconds: undefined })

  for (let index = 0; index < 2; index += 1) await attempt('u5', '203.0.113.5')
  await fixture.sql("update login_attempt set last_failure = now() - interval '1 day' where key = 'u5'")
  await attempt('u5', '203.0.113.5')
  expect(await attackStatus(db, realmId, 'u5')).toMatchObject({ numFailures: 1, disabled: false })
})
