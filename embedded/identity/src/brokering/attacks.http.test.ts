import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Browser } from '../testing/browser.ts'
import { demoRealm, openSignIn, PASSWORD, portalRequest, redeem } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

const REALM = 'home'
const CLIENT = 'home-portal'

let fixture: IdentityFixture
let issuer: string
let server: Server
/** Address and issuer of the provider, which says whatever a test tells it to. */
let provider: string
let keys: { privateKey: CryptoKey; jwk: JWK }
let idToken: (claims: JWTPayload) => Promise<string>
let spent: string[]

const signed = (claims: JWTPayload, key: CryptoKey | Uint8Array = keys.privateKey, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key)

async function newKeys() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' } }
}

let said: JWTPayload = {}

beforeAll(async () => {
  fixture = await startIdentityFixture()
  ;({ issuer } = await demoRealm(fixture, REALM))
  keys = await newKeys()
  server = createServer((req, res) => {
    const send = (body: object) => res.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (req.url === '/jwks') return send({ keys: [keys.jwk] })
    let body = ''
    req.on('data', (chunk) => (body += chunk))
    req.on('end', async () => {
      spent.push(new URLSearchParams(body).get('code') ?? '')
      send({ access_token: 'x', token_type: 'Bearer', id_token: await idToken(said) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const alias of ['one', 'two'])
    await fixture.admin.identityProviders.create({
      ...{ realm: REALM, alias, providerId: 'oidc', enabled: true, trustEmail: false },
      config: {
        ...{ issuer: provider, authorizationUrl: `${provider}/auth`, tokenUrl: `${provider}/token` },
        ...{ jwksUrl: `${provider}/jwks`, clientId: CLIENT, clientSecret: 'x' },
      },
    })
})
afterAll(async () => {
  server?.close()
  await fixture?.[Symbol.asyncDispose]()
})

/** Leaves for a provider; gives what was sent along, as the provider sees it. */
async function leave(alias = 'one') {
  const browser = new Browser()
  const request = portalRequest(issuer)
  const page = await openSignIn(browser, issuer, request)
  const { url } = await browser.follow(`${page.url}?provider=${alias}`, issuer)
  const asked = new URL(url).searchParams
  return { browser, request, state: asked.get('state') ?? '', nonce: asked.get('nonce') ?? '' }
}

const now = () => Math.floor(Date.now() / 1000)
const claimsFor = (nonce: string, more: JWTPayload = {}): JWTPayload => ({
  ...{ iss: provider, aud: CLIENT, sub: 'somebody', nonce, iat: now(), exp: now() + 300 },
  ...more,
})

async function comeBack(browser: Browser, query: Record<string, string>, alias = 'one') {
  spent = []
  const back = `${issuer}/broker/${alias}/endpoint?${new URLSearchParams(query)}`
  const { response, url } = await browser.follow(back, issuer)
  return { status: response.status, url, text: url.startsWith(issuer) ? await response.text() : '' }
}

type Wrong = [name: string, token: (claims: JWTPayload) => Promise<string>]
const encoded = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')

const wrong: Wrong[] = [
  ['not signed at all', async (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
  ['signed by a foreign key', async (claims) => signed(claims, (await newKeys()).privateKey)],
  [
    'signed with the public key as a secret',
    (claims) => signed(claims, new TextEncoder().encode(JSON.stringify(keys.jwk)), { alg: 'HS256' }),
  ],
  [
    'signed with the client secret',
    (claims) => signed(claims, new TextEncoder().encode('x'.repeat(32)), { alg: 'HS256' }),
  ],
  ['of another issuer', (claims) => signed({ ...claims, iss: 'https://other.example' })],
  ['for another client', (claims) => signed({ ...claims, aud: 'another' })],
  ['for several, made for another', (claims) => signed({ ...claims, aud: [CLIENT, 'another'], azp: 'another' })],
  ['of another sign-in', (claims) => signed({ ...claims, nonce: 'another' })],
  ['without a nonce', ({ nonce: _, ...claims }) => signed(claims)],
  ['that has ended', (claims) => signed({ ...claims, iat: now() - 900, exp: now() - 600 })],
  ['of nobody', ({ sub: _, ...claims }) => signed(claims)],
]

describe('an identity token', () => {
  test('that is right signs in', async () => {
    idToken = (claims) => signed(claims)
    const { browser, request, state, nonce } = await leave()
    said = claimsFor(nonce)
    const { url } = await comeBack(browser, { state, code: 'right' })
    expect((await redeem(issuer, request, url)).status).toBe(200)
  })

  test.each(wrong)('%s lets nobody in', async (_name, token) => {
    idToken = token
    const { browser, state, nonce } = await leave()
    said = claimsFor(nonce)
    const { url, text } = await comeBack(browser, { state, code: 'wrong' })
    expect(url).toContain('/login-actions/')
    expect(text).toContain('one did not sign you in')
  })
})

describe('an answer', () => {
  beforeAll(() => {
    idToken = (claims) => signed(claims)
  })

  test('of one provider at the address of another is refused before its code is sent anywhere', async () => {
    const { browser, state, nonce } = await leave('one')
    said = claimsFor(nonce)
    expect((await comeBack(browser, { state, code: 'mixed' }, 'two')).status).toBe(400)
    expect(spent).toEqual([])
  })

  test('that names another issuer is refused before its code is sent anywhere', async () => {
    const { browser, state, nonce } = await leave()
    said = claimsFor(nonce)
    const { text } = await comeBack(browser, { state, code: 'mixed', iss: 'https://other.example' })
    expect(text).toContain('one did not sign you in')
    expect(spent).toEqual([])
  })

  test('counts once, and for the browser that was sent', async () => {
    const [mine, theirs] = [await leave(), await leave()]
    said = claimsFor(mine.nonce)
    // The state of somebody else's sign-in, in my browser.
    expect((await comeBack(mine.browser, { state: theirs.state, code: 'swapped' })).status).toBe(400)
    expect(spent).toEqual([])
    expect((await comeBack(mine.browser, { state: mine.state, code: 'first' })).url).toContain('code=')
    expect((await comeBack(mine.browser, { state: mine.state, code: 'first' })).status).toBe(400)
    expect(spent).toEqual([])
  })

  test('leads nowhere but to the page that had sent the browser', async () => {
    const { browser, state, nonce } = await leave()
    said = claimsFor(nonce)
    const more = { redirect_uri: 'https://evil.example', return_to: 'https://evil.example', page: 'register' }
    const { url } = await comeBack(browser, { state, code: 'x', ...more })
    expect(new URL(url).host).toBe('portal.example')
  })

  test('with markup in its error shows none of it', async () => {
    const { browser, state } = await leave()
    const { text } = await comeBack(browser, { state, error: 'access_denied', error_description: '<img src=x>' })
    expect(text).toContain('one did not sign you in')
    expect(text).not.toContain('<img src=x>')
  })
})

describe('an account that is there', () => {
  beforeAll(() => {
    idToken = (claims) => signed(claims)
  })
  const arrive = async (more: JWTPayload) => {
    const { browser, state, nonce } = await leave()
    said = claimsFor(nonce, more)
    return comeBack(browser, { state, code: 'x' })
  }
  const linksOf = async (username: string) => {
    const [user] = await fixture.admin.users.find({ realm: REALM, username, exact: true })
    return fixture.admin.users.listFederatedIdentities({ realm: REALM, id: user?.id ?? '' })
  }

  test.each([
    ['not verified', { email: 'ada@demo.example', email_verified: false }],
    ['said to be verified by a word', { email: 'ada@demo.example', email_verified: 'true' }],
    ['of which nothing is said', { email: 'ada@demo.example' }],
  ])('is not reached by an address that is %s', async (name, more) => {
    const { url } = await arrive({ ...more, sub: `takeover ${name}`, preferred_username: 'ada' })
    expect(url).toContain('code=')
    expect(await linksOf('ada')).toEqual([])
  })

  test('is not reached by its verified address without its password', async () => {
    const { text } = await arrive({ sub: 'takeover', email: 'ADA@demo.example', email_verified: true })
    expect(text).toContain('Link your account')
    expect(await linksOf('ada')).toEqual([])
  })

  test.each([
    ['verified', true],
    ['not verified', false],
  ])('and disabled does not come back as somebody new by an address that is %s', async (name, email_verified) => {
    const { admin } = fixture
    const username = `gone-${name.replace(' ', '-')}`
    const email = `${username}@demo.example`
    const { id } = await admin.users.create({ realm: REALM, username, email, enabled: false })
    const before = await admin.users.count({ realm: REALM })
    const { text } = await arrive({
      sub: name,
      email: email.toUpperCase(),
      email_verified,
      preferred_username: username,
    })
    expect(text).toContain('This account is disabled')
    expect(await admin.users.count({ realm: REALM })).toBe(before)
    await admin.users.update({ realm: REALM, id }, { enabled: true })
    expect((await arrive({ sub: name, email, email_verified: true })).text).toContain('Link your account')
  })

  const browse = async (more: JWTPayload, alias = 'one') => {
    const { browser, request, state, nonce } = await leave(alias)
    said = claimsFor(nonce, more)
    const page = await comeBack(browser, { state, code: 'x' }, alias)
    const send = async (typed: Record<string, string>) => {
      const { response, url } = await browser.submit(page, issuer, typed)
      return { status: response.status, url, text: url.startsWith(issuer) ? await response.text() : '' }
    }
    return { ...page, browser, request, send }
  }
  const resident = async (username: string, more: object = {}) => {
    const credentials = [{ type: 'password', value: PASSWORD, temporary: false }]
    const email = `${username}@demo.example`
    return (await fixture.admin.users.create({ realm: REALM, username, email, enabled: true, credentials, ...more })).id
  }
  const vouched = (username: string) => ({
    sub: `of ${username}`,
    email: `${username}@demo.example`,
    email_verified: true,
  })

  test('is neither linked nor mapped before its second factor', async () => {
    const { admin } = fixture
    const { id: group } = await admin.groups.create({ realm: REALM, name: 'Crew' })
    const mapper = await admin.identityProviders.createMapper({
      ...{ realm: REALM, alias: 'one' },
      identityProviderMapper: {
        ...{ name: 'crew', identityProviderAlias: 'one', identityProviderMapper: 'oidc-advanced-group-idp-mapper' },
        config: { claims: '[{"key":"team","value":"crew"}]', group: '/Crew', syncMode: 'FORCE' },
      },
    })
    await resident('vic', { requiredActions: ['CONFIGURE_TOTP'] })
    const browser = new Browser()
    const at = await openSignIn(browser, issuer, portalRequest(issuer))
    const second = await browser.submit(at, issuer, { username: 'vic', password: PASSWORD })
    const text = await second.response.text()
    const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const code = (since: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + since })
    await browser.submit({ url: second.url, text }, issuer, { otp: code(-30_000), label: 'Phone' })

    const asked = await browse({ ...vouched('vic'), team: 'crew' })
    const factor = await asked.send({ password: PASSWORD })
    expect(factor.text).toContain('name="otp"')
    expect(await linksOf('vic')).toEqual([])
    expect(await admin.groups.listMembers({ realm: REALM, id: group })).toEqual([])
    const finished = await asked.browser.submit(factor, issuer, { otp: code(0) })
    expect((await redeem(issuer, asked.request, finished.url)).status).toBe(200)
    expect(await linksOf('vic')).toHaveLength(1)
    expect(await admin.groups.listMembers({ realm: REALM, id: group })).toHaveLength(1)
    await admin.identityProviders.delMapper({ realm: REALM, alias: 'one', id: mapper.id })
  })

  test('and linked at a provider already is told so in words, and its new link is not made', async () => {
    await resident('tess')
    expect((await (await browse({ ...vouched('tess'), sub: 'tess one' })).send({ password: PASSWORD })).url).toContain(
      'code=',
    )
    const again = await (await browse({ ...vouched('tess'), sub: 'tess two' })).send({ password: PASSWORD })
    expect(again.text).toContain('is linked to another already')
    expect(await linksOf('tess')).toEqual([
      { identityProvider: 'one', userId: 'tess one', userName: 'tess@demo.example' },
    ])
  })

  test('is linked to no provider that was added later under the same name', async () => {
    const { admin } = fixture
    await resident('lea')
    const [asked, left] = [await browse(vouched('lea'), 'two'), await leave('two')]
    const known = await admin.identityProviders.findOne({ realm: REALM, alias: 'two' })
    await admin.identityProviders.del({ realm: REALM, alias: 'two' })
    const { internalId: _, ...settings } = known ?? {}
    const config = { ...known?.config, clientSecret: 'another' }
    await admin.identityProviders.create({ realm: REALM, ...settings, config })
    const sent = await asked.send({ password: PASSWORD })
    expect(sent.text).toContain('did not sign you in')
    said = claimsFor(left.nonce)
    expect((await comeBack(left.browser, { state: left.state, code: 'x' }, 'two')).text).toContain(
      'did not sign you in',
    )
    expect(await linksOf('lea')).toEqual([])
  })

  test('with an address that was merely typed keeps nobody out who comes with it', async () => {
    const { admin } = fixture
    const id = await resident('mal', { requiredActions: ['UPDATE_PROFILE'] })
    const browser = new Browser()
    const at = await openSignIn(browser, issuer, portalRequest(issuer))
    const profile = await browser.submit(at, issuer, { username: 'mal', password: PASSWORD })
    const form = { url: profile.url, text: await profile.response.text() }
    await browser.submit(form, issuer, { email: 'newboss@demo.example', firstName: 'M', lastName: 'L' })
    const asked = await browse(vouched('newboss'))
    expect(asked.text).toContain('This is not my account')
    expect((await asked.send({ new: 'account' })).url).toContain('code=')
    const [made] = await admin.users.find({ realm: REALM, username: 'newboss-demo.example', exact: true })
    expect(made).toMatchObject({ enabled: true })
    expect(made?.email).toBeUndefined()
    expect(await linksOf('mal')).toEqual([])
    // An address that an administrator has set is not left aside so.
    await admin.users.update({ realm: REALM, id }, { email: 'mal@demo.example' })
    const sure = await browse({ ...vouched('mal'), sub: 'another' })
    expect(sure.text).not.toContain('This is not my account')
    expect((await sure.send({ new: 'account' })).text).toContain('did not sign you in')
  })

  test('is made with no name that is the address of somebody else, and with no marks that turn a name around', async () => {
    const { admin } = fixture
    const names = { given_name: 'M\u202e\u0007al\nlo', family_name: 'Ordinary' }
    await arrive({ sub: 'future', preferred_username: 'future@corp.example', email_verified: true, ...names })
    const [made] = await admin.users.find({ realm: REALM, username: 'future-corp.example', exact: true })
    expect(made).toMatchObject({ lastName: 'Ordinary' })
    expect(made?.firstName).toBeUndefined()
    await admin.users.create({ realm: REALM, username: 'future', email: 'future@corp.example', enabled: true })
  })

  test('gets no link for a new password at an address for which no provider is trusted', async () => {
    const { admin } = fixture
    await admin.realms.update({ realm: REALM }, { resetPasswordAllowed: true })
    const mapper = await admin.identityProviders.createMapper({
      ...{ realm: REALM, alias: 'one' },
      identityProviderMapper: {
        ...{ name: 'contact', identityProviderAlias: 'one', identityProviderMapper: 'oidc-user-attribute-idp-mapper' },
        config: { claim: 'contact', 'user.attribute': 'email', syncMode: 'FORCE' },
      },
    })
    await arrive({ sub: 'stray', preferred_username: 'stray', email: 'stranger@corp.example', email_verified: false })
    await arrive({ sub: 'mapped', preferred_username: 'mapped', contact: 'contact@corp.example' })
    for (const username of ['stray', 'mapped']) {
      const browser = new Browser({ 'x-forwarded-for': '203.0.113.7' })
      const at = await openSignIn(browser, issuer, portalRequest(issuer))
      const url = new URL('?page=reset', at.url).href
      await browser.submit({ url, text: await (await browser.open(url)).text() }, issuer, { username })
      const [user] = await admin.users.find({ realm: REALM, username, exact: true })
      expect(user?.email).toContain('@corp.example')
      const about = { realm: REALM, user: user?.id ?? '', type: ['RESET_PASSWORD_ERROR'] as never }
      const refused = async () => (await admin.realms.findEvents(about)).map(({ error }) => error)
      await vi.waitFor(async () => expect(await refused()).toEqual(['invalid_email']), { timeout: 15_000 })
    }
    await admin.identityProviders.delMapper({ realm: REALM, alias: 'one', id: mapper.id })
  })

  test('is locked by guesses at the link as by any other', async () => {
    const { admin } = fixture
    const credentials = [{ type: 'password', value: PASSWORD, temporary: false }]
    await admin.users.create({ realm: REALM, username: 'vera', email: 'vera@demo.example', enabled: true, credentials })
    await admin.realms.update({ realm: REALM }, { bruteForceProtected: true, failureFactor: 3 })
    const { browser, state, nonce } = await leave()
    said = claimsFor(nonce, { sub: 'guesser', email: 'vera@demo.example', email_verified: true })
    spent = []
    let page = await browser.follow(
      `${issuer}/broker/one/endpoint?${new URLSearchParams({ state, code: 'x' })}`,
      issuer,
    )
    for (const password of ['a', 'b', 'c', PASSWORD]) {
      const form = { url: page.url, text: await page.response.text() }
      page = await browser.submit(form, issuer, { password })
    }
    expect(await page.response.text()).not.toContain('Invalid password')
    expect(await linksOf('vera')).toEqual([])
    await admin.realms.update({ realm: REALM }, { bruteForceProtected: false })
  })
})
