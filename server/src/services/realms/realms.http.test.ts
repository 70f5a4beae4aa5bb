import type {
  BruteForceDetection,
  LoginSettings,
  OtpPolicy,
  Realm,
  RequiredAction,
  SecurityHeaders,
} from '@quayside/contract/realms/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { type Call, World } from '@quayside/embedded/world'
import { authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Person = Awaited<ReturnType<World['personWith']>>

const password = '/v2/realms/policies/password'
const login = '/v2/realms/login/settings'
const headers = '/v2/realms/login/security-defenses/headers'
const bruteForce = '/v2/realms/login/security-defenses/brute-force-detection'
const otp = '/v2/otp'
const settable = [password, login, headers, bruteForce, otp]
const inRealm = (realm: string) => [password, login, headers, bruteForce].map((path) => `${path}/${realm}`)
const actionsOf = (realm: string) => `/v2/realms/${realm}/authentication/required-actions`

let world: World
let admin: string
let ofPolicies: string
let ofLogin: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  ofPolicies = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-iam-policies': ['access', 'policies.view'] } })
  ofLogin = await world.tokenFor({
    clientRoles: { 'quayside-portal-ui-iam-loginsettings': ['access', 'loginsettings.view'] },
  })
})
afterAll(() => world?.close())

type Refused = { code?: string; field?: string; message?: string }

async function call<T>(token: string | undefined, path: string, how: Call = {}) {
  const answer = await world.api(`/iam${path}`, { ...how, ...(token === undefined ? {} : { token }) })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T & Refused }
}
async function get<T>(path: string): Promise<T> {
  const { status, body } = await call<T>(admin, path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const put = <T = object>(path: string, body: unknown) => call<T>(admin, path, { method: 'PUT', body })

/** Sets some of the settings for as long as the work lasts, and all of them back afterwards. */
async function during<T extends object>(path: string, change: Partial<T>, work: () => Promise<void>): Promise<void> {
  const before = await get<T>(path)
  expect(await put(path, { ...before, ...change })).toMatchObject({ status: 200, body: change })
  try {
    expect(await get(path)).toEqual({ ...before, ...change })
    await work()
  } finally {
    expect((await put(path, before)).status).toBe(200)
  }
}

const issuer = () => `${world.signInUrl}/realms/${world.realm}`
async function signInPage() {
  const browser = new Browser()
  const request = authRequest(issuer(), { client_id: 'quayside-portal-ui', redirect_uri: `${world.url}/en/` })
  const { response, url } = await browser.follow(request.url, issuer())
  return { browser, response, url, text: await response.text() }
}
/** Page after the password, or the address with the code. */
async function afterPassword(person: Person, more: Record<string, string> = {}) {
  const page = await signInPage()
  const { response, url } = await page.browser.submit(page, issuer(), { ...person, ...more })
  return { browser: page.browser, url, text: await response.text(), cookies: response.headers.getSetCookie() }
}
const isIn = (person: Person) =>
  signInAsPerson(world, person).then(
    () => true,
    () => false,
  )
async function userOf({ username }: Person): Promise<string> {
  const directory = await world.directory()
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${username}`)
  return user?.id ?? ''
}
async function mustDo(person: Person, action: string): Promise<void> {
  await (await world.directory()).put(`/users/${await userOf(person)}`, { requiredActions: [action] })
}

describe('the door', () => {
  const reads = () => [...settable, ...inRealm(world.realm), `/v2/realms/${world.realm}`, actionsOf(world.realm)]
  const writes = () => [...settable, ...inRealm(world.realm)]

  test('wants a token', async () => {
    for (const path of reads()) expect((await call(undefined, path)).status, path).toBe(401)
    for (const path of writes())
      expect((await call(undefined, path, { method: 'PUT', body: {} })).status, path).toBe(401)
  })

  test('lets in who holds the role of the part, to look', async () => {
    const isPolicy = (path: string) => path.startsWith(password) || path === otp
    for (const path of reads()) {
      const both = path === `/v2/realms/${world.realm}`
      expect((await call(ofPolicies, path)).status, path).toBe(both || isPolicy(path) ? 200 : 403)
      expect((await call(ofLogin, path)).status, path).toBe(both || !isPolicy(path) ? 200 : 403)
    }
    for (const path of writes())
      for (const token of [ofPolicies, ofLogin])
        expect(await call(token, path, { method: 'PUT', body: await get(path) }), path).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden' },
        })
  })

  test.each(settable)('%s takes nothing that it does not know, and everything that it needs', async (path) => {
    const known = await get<Record<string, unknown>>(path)
    const bodies = [
      {},
      'all',
      { ...known, more: true },
      ...Object.keys(known).map((key) => ({ ...known, [key]: null })),
    ]
    for (const body of bodies)
      expect(await put(path, body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      })
    expect(await get(path)).toEqual(known)
  })

  test.each<[string, Record<string, unknown>, string]>([
    [login, { ssoSessionIdleTimeout: 5 }, 'ssoSessionIdleTimeout'],
    [login, { ssoSessionIdleTimeout: 7200, ssoSessionMaxLifespan: 3600 }, 'ssoSessionIdleTimeout'],
    [login, { duplicateEmailsAllowed: true }, 'duplicateEmailsAllowed'],
    [bruteForce, { failureFactor: 0 }, 'failureFactor'],
    [bruteForce, { failureFactor: 1 }, 'failureFactor'],
    [bruteForce, { bruteForceStrategy: 'GUESS' }, 'bruteForceStrategy'],
    [headers, { xFrameOptions: 'DENY\r\nset-cookie: a=b' }, 'xFrameOptions'],
    [otp, { otpPolicyDigits: 7 }, 'otpPolicyDigits'],
    [otp, { otpPolicyLookAheadWindow: 5000 }, 'otpPolicyLookAheadWindow'],
    [password, { passwordPolicy: 'length(0)' }, 'passwordPolicy'],
    [password, { passwordPolicy: 'length(20) and maxLength(10)' }, 'passwordPolicy'],
    [password, { passwordPolicy: 'digits(1) and digits(2)' }, 'passwordPolicy'],
  ])('%s refuses %j by its field', async (path, change, field) => {
    const known = await get<object>(path)
    expect(await put(path, { ...known, ...change })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', field },
    })
    expect(await get(path)).toEqual(known)
  })

  test.each(['elsewhere', 'master'])('knows no realm %s', async (realm) => {
    for (const path of [...inRealm(realm), `/v2/realms/${realm}`, actionsOf(realm)])
      expect(await call(admin, path), path).toMatchObject({ status: 404, body: { code: 'tenant.not-found' } })
    for (const path of inRealm(realm)) {
      const body = await get(path.slice(0, -realm.length - 1))
      expect(await put(path, body), path).toMatchObject({ status: 404, body: { code: 'tenant.not-found' } })
    }
  })
})

test('the realm and each part of it are read by its name as without it', async () => {
  const { realm } = world
  const found = await get<Realm>(`/v2/realms/${realm}`)
  expect(found).toEqual({ id: expect.any(String), realm, displayName: expect.any(String), enabled: true })
  for (const path of [password, login, headers, bruteForce]) {
    expect(await get(`${path}/${realm}`)).toEqual(await get(path))
    const before = await get<object>(path)
    expect(await put(`${path}/${realm}`, before)).toEqual({ status: 200, body: before })
  }
  const { data } = await get<{ data: RequiredAction[] }>(actionsOf(realm))
  expect(data).toContainEqual({
    alias: 'CONFIGURE_TOTP',
    name: expect.any(String),
    enabled: true,
    defaultAction: false,
  })
})

test.each<[string, Record<string, unknown>]>([
  [password, { passwordPolicy: 'length(12) and digits(2) and notUsername(undefined) and passwordHistory(3)' }],
  [password, { passwordPolicy: '' }],
  [login, { rememberMe: true, editUsernameAllowed: true, ssoSessionIdleTimeout: 600, ssoSessionMaxLifespan: 1200 }],
  [headers, { xFrameOptions: 'SAMEORIGIN', xRobotsTag: '', strictTransportSecurity: 'max-age=600' }],
  [bruteForce, { bruteForceProtected: true, permanentLockout: true, maxTemporaryLockouts: 2, failureFactor: 3 }],
  [bruteForce, { bruteForceStrategy: 'LINEAR', waitIncrementSeconds: 30, maxFailureWaitSeconds: 300 }],
  [otp, { otpPolicyAlgorithm: 'HmacSHA512', otpPolicyDigits: 8, otpPolicyPeriod: 60, otpPolicyLookAheadWindow: 2 }],
  [otp, { otpPolicyType: 'hotp', otpPolicyInitialCounter: 7, otpPolicyCodeReusable: true }],
])('%s is set to %j, read back, and nothing else changes', async (path, change) => {
  const all = async () => {
    const found = await (await world.directory()).get<Record<string, unknown>>('')
    // Keycloak derives the latter two from others, and leaves an empty policy out.
    const { passwordPolicy = '', otpSupportedApplications, attributes, ...rest } = found
    return { ...rest, passwordPolicy }
  }
  const before = await all()
  await during(path, change, async () => {
    const sent = path === headers ? { browserSecurityHeaders: expect.objectContaining(change) } : change
    expect(await all()).toEqual({ ...before, ...sent })
  })
  expect(await all()).toEqual(before)
})

test('a rule that the identity server does not know is refused by the field', async () => {
  expect(await put(password, { passwordPolicy: 'wishful(1)' })).toMatchObject({
    status: 400,
    body: { code: 'iam.setting-refused', field: 'passwordPolicy', message: expect.stringMatching(/policy not found/) },
  })
})

const isKeycloak = process.env.KEYCLOAK_URL !== undefined

// Keycloak obeys other settings, and says other words.
describe.skipIf(isKeycloak)('a setting that the identity server cannot obey', () => {
  test.each<[string, Record<string, unknown>, string, RegExp]>([
    [
      login,
      { duplicateEmailsAllowed: true, loginWithEmailAllowed: false },
      'duplicateEmailsAllowed',
      /belongs to one person/,
    ],
    [bruteForce, { quickLoginCheckMilliSeconds: 1000 }, 'quickLoginCheckMilliSeconds', /time between two attempts/],
    [headers, { referrerPolicy: 'no-referrer' }, 'referrerPolicy', /hide where a sign-in form was sent from/],
    [password, { passwordPolicy: 'length(8) and passwordAge(30)' }, 'passwordPolicy', /passwordAge cannot be obeyed/],
    [password, { passwordPolicy: 'hashIterations(5)' }, 'passwordPolicy', /hashIterations cannot be obeyed/],
    [password, { passwordPolicy: 'passwordBlacklist(a.txt)' }, 'passwordPolicy', /passwordBlacklist/],
    [password, { passwordPolicy: 'regexPattern([)' }, 'passwordPolicy', /regular expression/],
  ])('%s %j is refused by its name and changes nothing', async (path, change, field, words) => {
    const known = await get<object>(path)
    expect(await put(path, { ...known, ...change })).toMatchObject({
      status: 400,
      body: { code: 'iam.setting-refused', field, message: expect.stringMatching(words) },
    })
    expect(await get(path)).toEqual(known)
  })
})

// Keycloak's own pages say it in their words.
describe('at sign-in', () => {
  test.skipIf(isKeycloak)('a new password is held to the rules', async () => {
    const person = await world.personWith({})
    await mustDo(person, 'UPDATE_PASSWORD')
    const passwordPolicy = 'length(12) and digits(2) and notUsername(undefined) and regexPattern((a+)+b.*)'
    await during(password, { passwordPolicy }, async () => {
      const page = await afterPassword(person)
      expect(page.text).toContain('At least 12 characters')
      const choose = async (next: string) => {
        const typed = { 'password-new': next, 'password-confirm': next }
        const { response, url } = await page.browser.submit(page, issuer(), typed)
        return { text: await response.text(), url }
      }
      expect((await choose('short 12')).text).toContain('minimum length 12')
      expect((await choose('long enough, no digits')).text).toContain('at least 2 numerical digits')
      // A pattern that runs for ever on this password is given up.
      expect((await choose(`${'a'.repeat(60)}12`)).text).toContain('fails to match regex pattern')
      expect((await choose('aaab 12 is fine')).url).toContain('code=')
    })
  })

  test('wrong passwords lock out after as many as are set, and for good where that is set', async () => {
    const person = await world.personWith({})
    const change = { bruteForceProtected: true, failureFactor: 2, permanentLockout: true, maxTemporaryLockouts: 0 }
    await during<BruteForceDetection>(bruteForce, change, async () => {
      expect(await isIn(person)).toBe(true)
      for (let at = 0; at < 2; at += 1) await isIn({ ...person, password: 'wrong' })
      expect(await isIn(person)).toBe(false)
      if (!isKeycloak)
        expect((await afterPassword(person)).text).toContain('Ask an administrator to unlock this account.')
    })
  })

  test('an e-mail address is a name to sign in with only where that is set', async () => {
    const person = await world.personWith({})
    const byMail = { username: `${person.username}@demo.example`, password: person.password }
    expect(await isIn(byMail)).toBe(true)
    await during<LoginSettings>(login, { loginWithEmailAllowed: false }, async () => {
      expect(await isIn(byMail)).toBe(false)
      expect(await isIn(person)).toBe(true)
      if (!isKeycloak) expect((await signInPage()).text).not.toContain('Username or e-mail')
    })
  })

  test.skipIf(isKeycloak)('a session outlives the browser only where that is set and asked for', async () => {
    const person = await world.personWith({})
    const kept = (cookies: readonly string[]) =>
      cookies.some((line) => /IDENTITY_SESSION=/i.test(line) && /expires=/i.test(line))
    const follow = async (more: Record<string, string>) => kept(await cookiesOfSignIn(person, more))
    expect((await signInPage()).text).not.toContain('Keep me signed in')
    expect(await follow({ remember: 'on' })).toBe(false)
    await during<LoginSettings>(login, { rememberMe: true }, async () => {
      expect((await signInPage()).text).toContain('Keep me signed in')
      expect(await follow({})).toBe(false)
      expect(await follow({ remember: 'on' })).toBe(true)
    })
  })

  test.skipIf(isKeycloak)('people name themselves only where that is set', async () => {
    const person = await world.personWith({})
    await mustDo(person, 'UPDATE_PROFILE')
    const profile = { email: `${person.username}@demo.example`, firstName: 'Test', lastName: 'Person' }
    const closed = await afterPassword(person)
    expect(closed.text).not.toContain('name="username"')
    await closed.browser.submit(closed, issuer(), { ...profile, username: 'renamed-in-vain' })
    expect(await isIn(person)).toBe(true)
    await during<LoginSettings>(login, { editUsernameAllowed: true }, async () => {
      await mustDo(person, 'UPDATE_PROFILE')
      const open = await afterPassword(person)
      expect(open.text).toContain('name="username"')
      const username = `${person.username}-renamed`
      const { url } = await open.browser.submit(open, issuer(), { ...profile, username })
      expect(url).toContain('code=')
      expect(await isIn({ ...person, username })).toBe(true)
      expect(await isIn(person)).toBe(false)
    })
  })

  test.skipIf(isKeycloak)('sessions last as long as is set', async () => {
    const person = await world.personWith({})
    const change = { rememberMe: true, ssoSessionIdleTimeout: 600, ssoSessionMaxLifespan: 1200 }
    await during<LoginSettings>(login, change, async () => {
      const [session] = (await cookiesOfSignIn(person, { remember: 'on' })).filter((line) =>
        /^(?:__Secure-)?IDENTITY_SESSION=/i.test(line),
      )
      const ends = Date.parse(/expires=([^;]+)/i.exec(session ?? '')?.[1] ?? '')
      expect(ends - Date.now()).toBeGreaterThan(1100_000)
      expect(ends - Date.now()).toBeLessThan(1300_000)
    })
  })

  test('the pages carry the headers that are set', async () => {
    const change = {
      xFrameOptions: 'SAMEORIGIN',
      contentSecurityPolicy: "frame-ancestors 'self' https://intranet.example.org",
      contentSecurityPolicyReportOnly: "default-src 'self'",
      xContentTypeOptions: 'nosniff',
      xRobotsTag: '',
      referrerPolicy: 'strict-origin',
      strictTransportSecurity: 'max-age=600',
    }
    await during<SecurityHeaders>(headers, change, async () => {
      const { response } = await signInPage()
      const sent = (name: string) => response.headers.get(name)
      expect(sent('x-frame-options')).toBe('SAMEORIGIN')
      expect(sent('content-security-policy')).toContain("frame-ancestors 'self' https://intranet.example.org")
      if (!isKeycloak) expect(sent('content-security-policy')).toContain("default-src 'none'")
      expect(sent('content-security-policy-report-only')).toBe("default-src 'self'")
      expect(sent('x-robots-tag')).toBeNull()
      expect(sent('referrer-policy')).toBe('strict-origin')
      expect(sent('strict-transport-security')).toBe('max-age=600')
    })
    if (isKeycloak) return
    const { response } = await signInPage()
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.skipIf(isKeycloak)('a second factor is set up as is set', async () => {
    const person = await world.personWith({})
    await mustDo(person, 'CONFIGURE_TOTP')
    const change = { otpPolicyAlgorithm: 'HmacSHA256', otpPolicyDigits: 8, otpPolicyPeriod: 60 } as const
    await during<OtpPolicy>(otp, change, async () => {
      const { text } = await afterPassword(person)
      expect(text).toMatch(/otpauth:\/\/totp\/[^"]*algorithm=SHA256[^"]*digits=8[^"]*period=60/)
    })
    await during<OtpPolicy>(otp, { otpPolicyType: 'hotp', otpPolicyInitialCounter: 7 }, async () => {
      const { text } = await afterPassword(person)
      expect(text).toMatch(/otpauth:\/\/hotp\/[^"]*counter=7/)
    })
  })
})

/** Cookies that the browser is given on the way from the right password to the portal. */
async function cookiesOfSignIn(person: Person, more: Record<string, string>): Promise<string[]> {
  const page = await signInPage()
  const given: string[] = []
  const { open } = page.browser
  page.browser.open = async (url, init) => {
    const response = await open.call(page.browser, url, init)
    given.push(...response.headers.getSetCookie())
    return response
  }
  await page.browser.submit(page, issuer(), { ...person, ...more })
  return given
}
