import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../testing/browser.ts'
import {
  demoRealm,
  fullSignIn,
  openSignIn,
  PASSWORD,
  portalRequest,
  RETURN_TO,
  signInWith,
} from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

const WRONG = 'Invalid username or password.'
let fixture: IdentityFixture
let issuer: string
let realm: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  ;({ issuer, realm } = await demoRealm(fixture, 'demo', {
    passwordPolicy: 'length(8) and digits(1)',
    bruteForceProtected: true,
    failureFactor: 4,
  }))
})

afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const person = (username: string, more: object = {}) =>
  fixture.admin.users.create({
    realm,
    username,
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD }],
    ...more,
  })

async function attempt(username: string, password: string) {
  const { response, url } = await signInWith(new Browser(), issuer, portalRequest(issuer), username, password)
  return { status: response.status, text: await response.text(), signedIn: url.startsWith(RETURN_TO) }
}

/** A page without what is of one sign-in alone: what was typed, the token of its form, the challenge of a passkey. */
const withoutOnes = (text: string) =>
  text.replace(/value="[^"]*"/g, '').replace(/(challenge&quot;:&quot;)[\w-]{43}/, '$1')

describe('a password that is not right', () => {
  test('gets the same words as an unknown user, a disabled one and an empty one', async () => {
    await person('barred', { enabled: false })
    const pages = [
      await attempt('ada', 'wrong 1'),
      await attempt('nobody', 'wrong 1'),
      await attempt('barred', PASSWORD),
      await attempt('', ''),
      await attempt('a\0da', PASSWORD),
    ]
    const plain = (text: string) => withoutOnes(text).replace(/ autofocus/g, '')
    for (const page of pages) {
      expect(page).toMatchObject({ status: 200, signedIn: false })
      expect(page.text).toContain(WRONG)
      expect(plain(page.text)).toBe(plain(pages[0]?.text ?? ''))
    }
  })

  test('what was typed comes back as text, never as markup', async () => {
    const { text } = await attempt('"><script>alert(1)</script>', 'x')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
  })

  test('unknown names take as long as known ones', async () => {
    await person('slow')
    await fixture.admin.realms.update({ realm }, { failureFactor: 1000 })
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const times: Record<string, number[]> = { slow: [], 'nobody-at-all': [] }
    // In turns, so that whatever else this machine does meets both alike.
    for (let round = 0; round < 30; round += 1) {
      for (const [username, taken] of Object.entries(times)) {
        const start = performance.now()
        await browser.submit(page, issuer, { username, password: 'wrong 1' })
        taken.push(performance.now() - start)
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((taken) => taken.sort((one, other) => one - other)[15])
    await fixture.admin.realms.update({ realm }, { failureFactor: 4 })
    await fixture.sql('delete from login_attempt')
    // A skipped hash would show as a difference of its whole cost, which is most of the answer's time.
    expect(Math.abs(known - unknown)).toBeLessThan(Math.max(known, unknown) * 0.35)
  })
})

describe('guessing', () => {
  test('after too many failures even the right password is refused, with the time to wait; a while later it works', async () => {
    const { id } = await person('target')
    for (let round = 0; round < 4; round += 1) expect((await attempt('target', 'wrong 1')).signedIn).toBe(false)
    const locked = await attempt('target', PASSWORD)
    expect(locked).toMatchObject({ signedIn: false, status: 429 })
    expect(locked.text).toContain('Try again in 1 minute, or ask an administrator to unlock this account.')
    expect(await fixture.admin.attackDetection.findOne({ realm, id })).toMatchObject({ disabled: true, numFailures: 4 })
    await fixture.sql("update login_attempt set locked_until = now() - interval '1 second' where key = $1", [id])
    expect((await attempt('target', PASSWORD)).signedIn).toBe(true)
    expect(await fixture.admin.attackDetection.findOne({ realm, id })).toMatchObject({
      disabled: false,
      numFailures: 0,
    })
  })

  test('a name that nobody has is refused just the same', async () => {
    await person('there')
    const pages = async (username: string) => {
      const said: string[] = []
      for (let round = 0; round < 6; round += 1) {
        const { status, text } = await attempt(username, 'wrong 1')
        said.push(`${status} ${withoutOnes(text).replace(/in \d+ (second|minute)s?/, 'in a while')}`)
      }
      return said
    }
    expect(await pages('not-there')).toEqual(await pages('there'))
  })

  test('of many attempts side by side exactly as many are tried as the limit says', async () => {
    const { id } = await person('parallel')
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => browser.submit(page, issuer, { username: 'parallel', password: 'wrong 1' })),
    )
    const statuses = answers.map(({ response }) => response.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(56)
    expect(await fixture.admin.attackDetection.findOne({ realm, id })).toMatchObject({ disabled: true, numFailures: 4 })
    await fixture.sql('delete from login_attempt')
  })

  test('an address that guesses at many accounts is refused for all of them, and no other address is', async () => {
    const from = (ip: string) => async (username: string, password: string) => {
      const browser = new Browser({ 'x-forwarded-for': ip })
      const { response, url } = await signInWith(browser, issuer, portalRequest(issuer), username, password)
      return { status: response.status, signedIn: url.startsWith(RETURN_TO) }
    }
    await person('innocent')
    const guess = from('203.0.113.9')
    expect((await guess('guess-1', 'wrong 1')).status).toBe(200)
    await fixture.sql("update login_attempt set failures = 98 where kind = 'address' and key = '203.0.113.9'")
    for (const name of ['guess-99', 'guess-100']) expect((await guess(name, 'wrong 1')).status).toBe(200)
    expect(await guess('innocent', PASSWORD)).toEqual({ status: 429, signedIn: false })
    expect(await from('203.0.113.10')('innocent', PASSWORD)).toMatchObject({ signedIn: true })
    await fixture.sql('delete from login_attempt')
  })

  test('an administrator can lift the lock', async () => {
    const { id } = await person('lifted')
    for (let round = 0; round < 5; round += 1) await attempt('lifted', 'wrong 1')
    await fixture.admin.attackDetection.del({ realm, id })
    expect((await attempt('lifted', PASSWORD)).signedIn).toBe(true)
  })

  test('in a realm without protection one name cannot be tried for ever either', async () => {
    await fixture.admin.realms.update({ realm }, { bruteForceProtected: false })
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const statuses: number[] = []
    for (let round = 0; round < 32; round += 1) {
      statuses.push((await browser.submit(page, issuer, { username: 'ghost', password: 'x' })).response.status)
    }
    await fixture.admin.realms.update({ realm }, { bruteForceProtected: true })
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(statuses.slice(30)).toEqual([429, 429])
  })
})

describe('the form', () => {
  test('is refused without its token, or from another site', async () => {
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const without = await browser.open(page.url, {
      method: 'POST',
      body: new URLSearchParams({ step: 'password', username: 'ada', password: PASSWORD }),
    })
    expect(without.status).toBe(403)
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const foreign = await browser.open(page.url, {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
      body: new URLSearchParams({ step: 'password', form_token: token, username: 'ada', password: PASSWORD }),
    })
    expect(foreign.status).toBe(403)
  })

  test('of another browser is an expired page with a way back', async () => {
    const page = await openSignIn(new Browser(), issuer, portalRequest(issuer))
    const answer = await new Browser().open(page.url)
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('This page has expired')
    expect(text).toContain(`href="${new URL(issuer).origin}/"`)
  })

  test('loads nothing foreign and cannot be framed', async () => {
    const { response, text } = await openSignIn(new Browser(), issuer, portalRequest(issuer))
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/(src|href)="https?:/)
  })
})

describe('what has to be done first', () => {
  test('a temporary password is changed before anything else, by the rules', async () => {
    const { id } = await person('fresh')
    await fixture.admin.users.resetPassword({
      realm,
      id,
      credential: { type: 'password', value: 'temporary 1', temporary: true },
    })
    const browser = new Browser()
    const request = portalRequest(issuer)
    const first = await signInWith(browser, issuer, request, 'fresh', 'temporary 1')
    const page = { url: first.url, text: await first.response.text() }
    expect(page.text).toContain('Choose a new password')
    expect(page.text).toContain('At least 8 characters')
    const type = async (password: string, confirm: string) => {
      const { response, url } = await browser.submit(page, issuer, {
        'password-new': password,
        'password-confirm': confirm,
      })
      return { text: await response.text(), url }
    }
    expect((await type('one password 1', 'another 1')).text).toContain('Passwords do not match.')
    expect((await type('short 1', 'short 1')).text).toContain('Invalid password: minimum length 8.')
    expect((await type('a fine password 1', 'a fine password 1')).url).toContain('code=')
    await fullSignIn(new Browser(), issuer, 'fresh', 'a fine password 1')
  })

  test('a later step cannot be sent before the password', async () => {
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const { response, url } = await browser.submit(page, issuer, {
      step: 'new-password',
      'password-new': 'x',
      'password-confirm': 'x',
    })
    expect(url).not.toContain('code=')
    expect(await response.text()).toContain('name="password"')
  })

  test('an action asked for later interrupts a session, and a silent sign-in says so', async () => {
    const { id } = await person('profile-less')
    const browser = new Browser()
    await fullSignIn(browser, issuer, 'profile-less')
    await fixture.admin.users.update({ realm, id }, { requiredActions: ['UPDATE_PROFILE'] })
    const silent = await browser.open(portalRequest(issuer, { prompt: 'none' }).url)
    expect(silent.headers.get('location')).toContain('error=interaction_required')
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    expect(page.text).toContain('Check your profile')
    const { url } = await browser.submit(page, issuer, { email: 'p@demo.example', firstName: 'Pia', lastName: 'Demo' })
    expect(url).toContain('code=')
    expect(await fixture.admin.users.findOne({ realm, id })).toMatchObject({ firstName: 'Pia', requiredActions: [] })
  })

  test('an address that somebody gives themselves is not a verified one any more', async () => {
    const { id } = await fixture.admin.users.create({
      ...{ realm, username: 'moves', email: 'moves@demo.example', emailVerified: true, enabled: true },
      requiredActions: ['UPDATE_PROFILE'],
      credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
    })
    const fill = async (email: string) => {
      await fixture.admin.users.update({ realm, id }, { requiredActions: ['UPDATE_PROFILE'] })
      const browser = new Browser()
      const page = await openSignIn(browser, issuer, portalRequest(issuer))
      const first = await browser.submit(page, issuer, { username: 'moves', password: PASSWORD })
      const profile = { url: first.url, text: await first.response.text() }
      await browser.submit(profile, issuer, { email, firstName: 'Mo', lastName: 'Ves' })
      const { email: kept, emailVerified } = (await fixture.admin.users.findOne({ realm, id })) ?? {}
      return { email: kept, emailVerified }
    }
    expect(await fill('Moves@demo.example')).toEqual({ email: 'moves@demo.example', emailVerified: true })
    expect(await fill('boss@company.example')).toEqual({ email: 'boss@company.example', emailVerified: false })
  })

  test('a second factor is set up, then asked for; a code works once', async () => {
    const { id } = await person('two-factor', { requiredActions: ['CONFIGURE_TOTP'] })
    const browser = new Browser()
    const first = await signInWith(browser, issuer, portalRequest(issuer), 'two-factor', PASSWORD)
    const setup = { url: first.url, text: await first.response.text() }
    const secret = (/<code class="secret">([A-Z2-7 ]+)</.exec(setup.text)?.[1] ?? '').replaceAll(' ', '')
    const codeAt = (offset: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * 1000 })
    // The code of now counts for another period, so that no change of periods comes between reading and sending it.
    const once = codeAt(0)
    const wrong = await browser.submit(setup, issuer, { otp: '000000', label: '' })
    expect(await wrong.response.text()).toContain('Invalid authenticator code.')
    expect((await browser.submit(setup, issuer, { otp: once, label: 'Phone' })).url).toContain('code=')
    expect(await fixture.admin.users.getCredentials({ realm, id })).toMatchObject([
      { type: 'password' },
      { type: 'otp', userLabel: 'Phone' },
    ])
    expect((await fixture.admin.users.findOne({ realm, id }))?.totp).toBe(true)

    const again = new Browser()
    const second = await signInWith(again, issuer, portalRequest(issuer), 'two-factor', PASSWORD)
    const otp = { url: second.url, text: await second.response.text() }
    expect(otp.text).toContain('One-time code')
    expect(await (await again.submit(otp, issuer, { otp: once })).response.text()).toContain(
      'Invalid authenticator code.',
    )
    expect((await again.submit(otp, issuer, { otp: codeAt(30) })).url).toContain('code=')
    expect((await attempt('two-factor', PASSWORD)).signedIn).toBe(false)
  })

  test('a client that needs consent asks once and is remembered', async () => {
    const { id: user } = await person('careful')
    await fixture.admin.clients.create({
      realm,
      clientId: 'guest-app',
      name: 'Guest app',
      publicClient: true,
      consentRequired: true,
      redirectUris: [RETURN_TO],
    })
    const browser = new Browser()
    const request = portalRequest(issuer, { client_id: 'guest-app' })
    const first = await signInWith(browser, issuer, request, 'careful', PASSWORD)
    const page = { url: first.url, text: await first.response.text() }
    expect(page.text).toContain('Grant access to')
    expect((await browser.submit(page, issuer, { step: 'consent' })).url).toContain('code=')
    expect(await fixture.admin.users.listConsents({ realm, id: user })).toMatchObject([{ clientId: 'guest-app' }])
    const silent = await browser.open(portalRequest(issuer, { client_id: 'guest-app', prompt: 'none' }).url)
    expect(silent.headers.get('location')).toContain('code=')
    await fixture.admin.users.revokeConsent({ realm, id: user, clientId: 'guest-app' })
    const later = await browser.open(portalRequest(issuer, { client_id: 'guest-app', prompt: 'none' }).url)
    expect(later.headers.get('location')).toContain('error=consent_required')
  })
})

describe('a session that outlives the browser', () => {
  /** Tells whether the cookie of the session that an answer on the way gave has an end of its own. */
  function watched(browser: Browser): () => boolean | undefined {
    let outlives: boolean | undefined
    const open = browser.open.bind(browser)
    browser.open = async (url, init) => {
      const response = await open(url, init)
      for (const line of response.headers.getSetCookie())
        if (line.startsWith('IDENTITY_SESSION=')) outlives = /expires=/i.test(line)
      return response
    }
    return () => outlives
  }

  test('is asked for with the password, and counts after all that has to be done first', async () => {
    await fixture.admin.realms.update({ realm }, { rememberMe: true })
    const { id } = await person('stays')
    for (const remember of ['on', '']) {
      await fixture.admin.users.update({ realm, id }, { requiredActions: ['UPDATE_PROFILE'] })
      const browser = new Browser()
      const outlives = watched(browser)
      const page = await openSignIn(browser, issuer, portalRequest(issuer))
      const first = await browser.submit(page, issuer, { username: 'stays', password: PASSWORD, remember })
      const profile = { url: first.url, text: await first.response.text() }
      const names = { email: 'stays@demo.example', firstName: 'Sta', lastName: 'Ys' }
      expect((await browser.submit(profile, issuer, names)).url).toContain('code=')
      expect(outlives()).toBe(remember === 'on')
      // An action that interrupts it later leaves that as it is.
      await fixture.admin.users.update({ realm, id }, { requiredActions: ['UPDATE_PROFILE'] })
      const later = await openSignIn(browser, issuer, portalRequest(issuer))
      expect((await browser.submit(later, issuer, names)).url).toContain('code=')
      expect(outlives()).toBe(remember === 'on')
    }
    await fixture.admin.realms.update({ realm }, { rememberMe: false })
  })

  test('is not to be had where the realm does not offer it', async () => {
    await person('leaves')
    const browser = new Browser()
    const outlives = watched(browser)
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    expect(page.text).not.toContain('Keep me signed in')
    await browser.submit(page, issuer, { username: 'leaves', password: PASSWORD, remember: 'on' })
    expect(outlives()).toBe(false)
  })
})

describe('what is kept of it', () => {
  test('sessions and events of a person can be seen and ended', async () => {
    const { id } = await person('watched')
    const browser = new Browser()
    await fullSignIn(browser, issuer, 'watched')
    const [session] = await fixture.admin.users.listSessions({ realm, id })
    expect(session).toMatchObject({ username: 'watched', userId: id, ipAddress: '127.0.0.1' })
    expect(Object.values(session?.clients ?? {})).toEqual(['quayside-portal-ui'])
    const types = (await fixture.admin.realms.findEvents({ realm, user: id })).map((event) => event.type)
    expect(types).toEqual(expect.arrayContaining(['LOGIN']))
    await fixture.admin.realms.removeSession({ realm, sessionId: session?.id ?? '' })
    expect(await fixture.admin.users.listSessions({ realm, id })).toEqual([])
    const silent = await browser.open(portalRequest(issuer, { prompt: 'none' }).url)
    expect(silent.headers.get('location')).toContain('error=login_required')
  })
})
