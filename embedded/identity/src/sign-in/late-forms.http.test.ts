import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../storage/database.ts'
import { Browser } from '../testing/browser.ts'
import { demoRealm, openSignIn, PASSWORD, portalRequest, signInWith } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'
import { findProgress, passOtp, startProgress, timeNow } from './progress.ts'

const realm = 'demo'
let fixture: IdentityFixture
let issuer: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  issuer = (await demoRealm(fixture, realm)).issuer
})
afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const users = () => fixture.admin.users
const names = (username: string) => ({ email: `${username}@demo.example`, firstName: 'Sam', lastName: 'Sailor' })

/** Somebody of whom an action is asked at the next sign-in. */
async function make(username: string, action: string) {
  const credentials = [{ type: 'password', value: PASSWORD, temporary: false }]
  const { id } = await users().create({
    ...{ realm, username, enabled: true, ...names(username), requiredActions: [action], credentials },
  })
  return id
}

/** Gives the password, and reads the page that comes then. */
async function givePassword(username: string) {
  const browser = new Browser()
  const page = await openSignIn(browser, issuer, portalRequest(issuer))
  const { response, url } = await browser.submit(page, issuer, { username, password: PASSWORD })
  const text = await response.text()
  return { text, send: (typed: Record<string, string>) => browser.submit({ url, text }, issuer, typed) }
}

const totpOf = (page: string) =>
  new TOTP({ secret: Secret.fromBase32(/<code class="secret">([^<]*)/.exec(page)?.[1]?.replaceAll(' ', '') ?? '') })

/** Keeps a row from being written until `release`; `waiters` waits until so many requests wait for it. */
async function hold(table: 'user_account' | 'credential', id: string) {
  const database = new pg.Client({ connectionString: fixture.databaseUrl })
  await database.connect()
  await database.query('begin')
  const key = table === 'credential' ? 'user_id' : 'id'
  await database.query(`select 1 from ${table} where ${key} = $1 for update`, [id])
  const waiting = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return {
    waiters: (count: number) =>
      expect
        .poll(
          async () => {
            // A transaction goes on seeing the connections that there were when it first looked.
            await database.query('select pg_stat_clear_snapshot()')
            return (await database.query<{ n: number }>(waiting)).rows[0]?.n
          },
          { timeout: 20_000 },
        )
        .toBe(count),
    async release() {
      await database.query('commit')
      await database.end()
    },
  }
}

/**
 * Begins requests one after the other while nothing about a person can be written, so that they end in that order: each
 * has read by then what the ones before it change.
 */
async function inOrder(table: 'user_account' | 'credential', id: string, requests: (() => Promise<unknown>)[]) {
  const row = await hold(table, id)
  const running: Promise<unknown>[] = []
  try {
    for (const request of requests) {
      running.push(request())
      await row.waiters(running.length)
    }
  } finally {
    await row.release()
    await Promise.allSettled(running)
  }
  await Promise.all(running)
}

const signsIn = async (username: string, password: string) => {
  const { url, response } = await signInWith(new Browser(), issuer, portalRequest(issuer), username, password)
  await response.body?.cancel()
  return url.includes('code=')
}

describe('a form that was sent before an administrator decided, and is written after it', () => {
  test('enables nobody, and takes no action back that was asked for', async () => {
    const id = await make('sly', 'UPDATE_PROFILE')
    const { send } = await givePassword('sly')
    await inOrder('user_account', id, [
      () => users().update({ realm, id }, { enabled: false, requiredActions: ['UPDATE_PROFILE', 'CONFIGURE_TOTP'] }),
      () => send({ ...names('sly'), firstName: 'Sly' }),
    ])
    expect(await users().findOne({ realm, id })).toMatchObject({
      ...{ enabled: false, firstName: 'Sam', requiredActions: ['UPDATE_PROFILE', 'CONFIGURE_TOTP'] },
    })
  })

  test('takes back no other action than the one that is done', async () => {
    const id = await make('busy', 'UPDATE_PROFILE')
    const { send } = await givePassword('busy')
    await inOrder('user_account', id, [
      () => users().update({ realm, id }, { requiredActions: ['UPDATE_PROFILE', 'CONFIGURE_TOTP'] }),
      () => send(names('busy')),
    ])
    expect(await users().findOne({ realm, id })).toMatchObject({ requiredActions: ['CONFIGURE_TOTP'] })
  })

  test('sets no password over the one that an administrator has set', async () => {
    const id = await make('late', 'UPDATE_PASSWORD')
    const { send } = await givePassword('late')
    const [theirs, mine] = ['Other-pass-4711', 'Mine-forever-4711']
    const credential = { type: 'password', value: theirs, temporary: false }
    await inOrder('user_account', id, [
      () => users().resetPassword({ realm, id, credential }),
      () => send({ 'password-new': mine, 'password-confirm': mine }),
    ])
    expect(await signsIn('late', mine)).toBe(false)
    expect(await signsIn('late', theirs)).toBe(true)
  })

  test('adds no second factor after the password was set anew', async () => {
    const id = await make('backdoor', 'CONFIGURE_TOTP')
    const { text, send } = await givePassword('backdoor')
    const credential = { type: 'password', value: 'Other-pass-4711', temporary: false }
    await inOrder('user_account', id, [
      () => users().resetPassword({ realm, id, credential }),
      () => send({ otp: totpOf(text).generate(), label: 'Mine' }),
    ])
    expect((await users().getCredentials({ realm, id })).map(({ type }) => type)).toEqual(['password'])
  })
})

async function makeWithOtp(username: string) {
  const id = await make(username, 'CONFIGURE_TOTP')
  const { text, send } = await givePassword(username)
  const totp = totpOf(text)
  await send({ otp: totp.generate(), label: '' })
  return { id, nextCode: () => totp.generate({ timestamp: Date.now() + 30_000 }) }
}

test('the second factor of one account does not count for another whose password came meanwhile', async () => {
  const { id: realmId = '' } = (await fixture.admin.realms.findOne({ realm })) ?? {}
  const [mine, theirs] = [await make('mine', 'UPDATE_PROFILE'), await make('theirs', 'UPDATE_PROFILE')]
  const db = openDatabase(fixture.databaseUrl, 1, 'a key that nothing here is encrypted with')
  const begin = async (userId: string) =>
    startProgress(db, 'one interaction', realmId, {
      userId,
      otpPassed: false,
      remember: false,
      amr: ['pwd'],
      since: await timeNow(db),
    })
  await begin(mine)
  await begin(theirs)
  await passOtp(db, 'one interaction', mine, 'otp')
  expect(await findProgress(db, 'one interaction')).toMatchObject({ user_id: theirs, otp_passed: false })
  await passOtp(db, 'one interaction', theirs, 'otp')
  expect(await findProgress(db, 'one interaction')).toMatchObject({ otp_passed: true, amr: ['pwd', 'otp'] })
  await db.close()
})

test('of two who send one code at the same time, one is let in', async () => {
  const { id, nextCode } = await makeWithOtp('twice')
  const visits = await Promise.all([givePassword('twice'), givePassword('twice')])
  const otp = nextCode()
  const arrived: string[] = []
  const sending = visits.map(
    ({ send }) =>
      async () =>
        void arrived.push((await send({ otp })).url),
  )
  await inOrder('credential', id, sending)
  expect(arrived.filter((url) => url.includes('code='))).toHaveLength(1)
})

test('of two who take a name and an address that are one text, one gets it', async () => {
  const [one, other] = [await make('one', 'UPDATE_PROFILE'), await make('other', 'UPDATE_PROFILE')]
  await fixture.admin.realms.update({ realm }, { editUsernameAllowed: true })
  for (let round = 0; round < 10; round += 1) {
    const text = `shared-${round}@demo.example`
    const answers = await Promise.allSettled([
      users().update({ realm, id: one }, { username: text }),
      users().update({ realm, id: other }, { email: text }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})
