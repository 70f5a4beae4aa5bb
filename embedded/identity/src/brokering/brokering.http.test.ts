import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../testing/browser.ts'
import { demoRealm, openSignIn, PASSWORD, portalRequest, redeem, signInWith } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

const [HOME, ABROAD, ALIAS] = ['home', 'abroad', 'harbour-id']
const SECRET = 'a secret of the provider 4711'

let fixture: IdentityFixture
let home: Awaited<ReturnType<typeof demoRealm>>
let abroad: Awaited<ReturnType<typeof demoRealm>>

/** The provider at home is the other realm of the same server. */
const configFor = (issuer: string) => ({
  ...{ issuer, authorizationUrl: `${issuer}/protocol/openid-connect/auth` },
  ...{ tokenUrl: `${issuer}/protocol/openid-connect/token`, jwksUrl: `${issuer}/protocol/openid-connect/certs` },
  userInfoUrl: `${issuer}/protocol/openid-connect/userinfo`,
  ...{ clientId: 'home-portal', clientSecret: SECRET, clientAuthMethod: 'client_secret_post' },
})

beforeAll(async () => {
  fixture = await startIdentityFixture()
  home = await demoRealm(fixture, HOME, { adminEventsEnabled: true, adminEventsDetailsEnabled: true })
  abroad = await demoRealm(fixture, ABROAD)
  const { admin } = fixture
  await admin.clients.create({
    ...{ realm: ABROAD, clientId: 'home-portal', secret: SECRET, standardFlowEnabled: true },
    redirectUris: [`${home.issuer}/broker/${ALIAS}/endpoint`],
    protocolMappers: [
      {
        ...{ name: 'team', protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper' },
        config: { 'user.attribute': 'team', 'claim.name': 'team', 'userinfo.token.claim': 'true', multivalued: 'true' },
      },
    ],
  })
  await admin.identityProviders.create({
    ...{ realm: HOME, alias: ALIAS, providerId: 'oidc', displayName: 'Harbour ID', enabled: true, trustEmail: true },
    config: { ...configFor(abroad.issuer), syncMode: 'FORCE' },
  })
})
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]()
})

async function person(realm: string, username: string, more: object = {}) {
  const credentials = [{ type: 'password', value: PASSWORD, temporary: false }]
  const names = { firstName: 'Given', lastName: 'Family', email: `${username}@demo.example`, enabled: true }
  const { id } = await fixture.admin.users.create({ realm, username, ...names, credentials, ...more })
  return id
}

/** Goes by the button to the provider, signs in there, and gives where the browser ends up. */
async function byProvider(username: string, browser = new Browser(), password = PASSWORD) {
  const request = portalRequest(home.issuer)
  const page = await openSignIn(browser, home.issuer, request)
  const left = await browser.follow(`${page.url}?provider=${ALIAS}`, home.issuer)
  const there = await browser.follow(left.url, abroad.issuer)
  const answered = await browser.submit({ url: there.url, text: await there.response.text() }, abroad.issuer, {
    ...{ username, password },
  })
  const back = answered.url.startsWith(home.issuer)
    ? await browser.follow(answered.url, home.issuer)
    : { response: answered.response, url: answered.url }
  const text = back.url.startsWith(home.issuer) ? await back.response.text() : ''
  return { request, browser, url: back.url, text, left }
}

const tokensOf = async ({ request, url }: { request: ReturnType<typeof portalRequest>; url: string }) => {
  const { status, body } = await redeem(home.issuer, request, url)
  expect(status, JSON.stringify(body)).toBe(200)
  return JSON.parse(Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString())
}
const userOf = async (username: string) => (await fixture.admin.users.find({ realm: HOME, username, exact: true }))[0]
const linksOf = (id = '') => fixture.admin.users.listFederatedIdentities({ realm: HOME, id })

test('the request carries state, nonce and a challenge, and the forms of the page lead nowhere new', async () => {
  const browser = new Browser()
  const page = await openSignIn(browser, home.issuer, portalRequest(home.issuer))
  expect(page.text).toContain('Continue with Harbour ID')
  const csp = page.response.headers.get('content-security-policy') ?? ''
  expect(csp).toContain("form-action 'self' http://portal.example;")
  const { url } = await browser.follow(`${page.url}?provider=${ALIAS}`, home.issuer)
  const asked = Object.fromEntries(new URL(url).searchParams)
  expect(asked).toMatchObject({
    ...{ client_id: 'home-portal', response_type: 'code', code_challenge_method: 'S256' },
    ...{ redirect_uri: `${home.issuer}/broker/${ALIAS}/endpoint`, scope: expect.stringContaining('openid') },
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(20)
})

test('somebody new gets a user, and the same one the next time', async () => {
  await person(ABROAD, 'nora', { emailVerified: true })
  const token = await tokensOf(await byProvider('nora'))
  const user = await userOf('nora')
  expect(user).toMatchObject({ email: 'nora@demo.example', emailVerified: true, firstName: 'Given' })
  expect(token.sub).toBe(user?.id)
  expect(await linksOf(user?.id)).toEqual([{ identityProvider: ALIAS, userId: expect.any(String), userName: 'nora' }])
  expect((await tokensOf(await byProvider('nora'))).sub).toBe(user?.id)
  const events = await fixture.admin.realms.findEvents({ realm: HOME, user: user?.id ?? '' })
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['REGISTER', 'IDENTITY_PROVIDER_LOGIN', 'LOGIN']),
  )
})

describe('an account that is there', () => {
  test('is linked by its verified address after its password, and by nothing less', async () => {
    const id = await person(HOME, 'lena', { emailVerified: true })
    await person(ABROAD, 'lena', { emailVerified: true, credentials: [{ type: 'password', value: 'Other-4711' }] })
    const asked = await byProvider('lena', new Browser(), 'Other-4711')
    expect(asked.text).toContain('Link your account')
    expect(await linksOf(id)).toEqual([])
    const wrong = await asked.browser.submit(asked, home.issuer, { password: 'guessed' })
    expect(await wrong.response.text()).toContain('Invalid password.')
    expect(await linksOf(id)).toEqual([])
    const linked = await asked.browser.submit(asked, home.issuer, { password: PASSWORD })
    expect((await tokensOf({ request: asked.request, url: linked.url })).sub).toBe(id)
    expect(await linksOf(id)).toHaveLength(1)
    // From then on without it.
    expect((await tokensOf(await byProvider('lena', new Browser(), 'Other-4711'))).sub).toBe(id)
    await fixture.admin.users.delFromFederatedIdentity({ realm: HOME, id, federatedIdentityId: ALIAS })
    expect((await byProvider('lena', new Browser(), 'Other-4711')).text).toContain('Link your account')
  })

  test('is not reached by an address that the provider has not verified', async () => {
    const id = await person(HOME, 'mira', { emailVerified: true })
    await person(ABROAD, 'mira', { emailVerified: false })
    const token = await tokensOf(await byProvider('mira'))
    expect(token.sub).not.toBe(id)
    const other = await fixture.admin.users.findOne({ realm: HOME, id: token.sub })
    expect(other).toMatchObject({ username: `${ALIAS}.mira` })
    expect(other?.email).toBeUndefined()
  })

  test('that is disabled stays out, and its second factor is asked for all the same', async () => {
    await person(ABROAD, 'dora', { emailVerified: true })
    await tokensOf(await byProvider('dora'))
    const id = (await userOf('dora'))?.id ?? ''
    await fixture.admin.users.update({ realm: HOME, id }, { enabled: false })
    expect((await byProvider('dora')).text).toContain('This account is disabled')
    await fixture.admin.users.update({ realm: HOME, id }, { enabled: true, requiredActions: ['CONFIGURE_TOTP'] })
    expect((await byProvider('dora')).text).toContain('Set up a second factor')
  })
})

test('groups follow the claims at each sign-in', async () => {
  const { admin } = fixture
  const { id: group } = await admin.groups.create({ realm: HOME, name: 'Pilots' })
  await admin.identityProviders.createMapper({
    realm: HOME,
    alias: ALIAS,
    identityProviderMapper: {
      ...{ name: 'pilots', identityProviderAlias: ALIAS, identityProviderMapper: 'oidc-advanced-group-idp-mapper' },
      config: { claims: JSON.stringify([{ key: 'team', value: 'pilots' }]), group: '/Pilots', syncMode: 'INHERIT' },
    },
  })
  const id = await person(ABROAD, 'pia', { emailVerified: true, attributes: { team: ['pilots', 'others'] } })
  await tokensOf(await byProvider('pia'))
  const members = async () => (await admin.groups.listMembers({ realm: HOME, id: group })).map((one) => one.username)
  expect(await members()).toEqual(['pia'])
  // Any of several mappings to a group is enough, whatever it is called.
  for (const [name, value] of [
    ['a first', 'others'],
    ['z last', 'nobody'],
  ])
    await admin.identityProviders.createMapper({
      realm: HOME,
      alias: ALIAS,
      identityProviderMapper: {
        ...{ name, identityProviderAlias: ALIAS, identityProviderMapper: 'oidc-advanced-group-idp-mapper' },
        config: { claims: JSON.stringify([{ key: 'team', value }]), group: '/Pilots', syncMode: 'INHERIT' },
      },
    })
  await admin.users.update({ realm: ABROAD, id }, { attributes: { team: ['others'] } })
  await tokensOf(await byProvider('pia'))
  expect(await members()).toEqual(['pia'])
  await admin.users.update({ realm: ABROAD, id }, { attributes: { team: ['neither'] } })
  await tokensOf(await byProvider('pia'))
  expect(await members()).toEqual([])
})

test('names, the address and attributes follow the claims, and an address that somebody has stays theirs', async () => {
  const { admin } = fixture
  const mapper = (claim: string, attribute: string) =>
    admin.identityProviders.createMapper({
      realm: HOME,
      alias: ALIAS,
      identityProviderMapper: {
        ...{ name: `${claim} to ${attribute}`, identityProviderAlias: ALIAS },
        identityProviderMapper: 'oidc-user-attribute-idp-mapper',
        config: { claim, 'user.attribute': attribute, syncMode: 'FORCE' },
      },
    })
  const made = await Promise.all([mapper('team', 'crew'), mapper('family_name', 'lastName'), mapper('email', 'email')])
  const id = await person(ABROAD, 'paul', { emailVerified: true, attributes: { team: ['deck', 'engine'] } })
  await tokensOf(await byProvider('paul'))
  expect((await userOf('paul'))?.attributes).toEqual({ crew: ['deck', 'engine'] })
  await admin.users.update({ realm: ABROAD, id }, { lastName: 'Newname', email: 'paul@new.example', attributes: {} })
  await tokensOf(await byProvider('paul'))
  const changed = await userOf('paul')
  expect(changed).toMatchObject({ lastName: 'Newname', email: 'paul@new.example', emailVerified: true })
  expect(changed?.attributes ?? {}).toEqual({})
  await admin.users.update({ realm: ABROAD, id }, { email: 'ada@else.example' })
  const ada = await userOf('ada')
  await admin.users.update({ realm: HOME, id: ada?.id ?? '' }, { email: 'ada@else.example' })
  await tokensOf(await byProvider('paul'))
  expect((await userOf('paul'))?.email).toBe('paul@new.example')
  const events = await admin.realms.findEvents({
    realm: HOME,
    user: changed?.id ?? '',
    type: 'IDENTITY_PROVIDER_LOGIN' as never,
  })
  expect(events[0]?.details?.skipped_mappers).toContain('email to email: User exists with same email')
  for (const { id: mapperId } of made)
    await admin.identityProviders.delMapper({ realm: HOME, alias: ALIAS, id: mapperId })
})

test('the last holder of a role that has to be held keeps it, and comes in', async () => {
  const { admin } = fixture
  const { roleName } = await admin.roles.create({
    realm: HOME,
    name: 'captain',
    attributes: { 'quayside.last-holder-stays': ['true'] },
  })
  const role = await admin.roles.findOneByName({ realm: HOME, name: roleName })
  const { id: group } = await admin.groups.create({ realm: HOME, name: 'Captains' })
  await admin.groups.addRealmRoleMappings({ realm: HOME, id: group, roles: [{ id: role?.id ?? '', name: roleName }] })
  const config = { claims: '[{"key":"team","value":"captains"}]', group: '/Captains', syncMode: 'FORCE' }
  const mapper = await admin.identityProviders.createMapper({
    realm: HOME,
    alias: ALIAS,
    identityProviderMapper: {
      ...{
        name: 'captains',
        identityProviderAlias: ALIAS,
        identityProviderMapper: 'oidc-advanced-group-idp-mapper',
        config,
      },
    },
  })
  const id = await person(ABROAD, 'cara', { emailVerified: true, attributes: { team: ['captains'] } })
  await tokensOf(await byProvider('cara'))
  await admin.users.update({ realm: ABROAD, id }, { attributes: {} })
  await tokensOf(await byProvider('cara'))
  expect((await admin.groups.listMembers({ realm: HOME, id: group })).map(({ username }) => username)).toEqual(['cara'])
  await admin.identityProviders.delMapper({ realm: HOME, alias: ALIAS, id: mapper.id })
})

describe('an answer counts', () => {
  test('once, in the browser that was sent, and with its own state', async () => {
    await person(ABROAD, 'sam', { emailVerified: true })
    const browser = new Browser()
    const page = await openSignIn(browser, home.issuer, portalRequest(home.issuer))
    const left = await browser.follow(`${page.url}?provider=${ALIAS}`, home.issuer)
    const there = await browser.follow(left.url, abroad.issuer)
    const form = { url: there.url, text: await there.response.text() }
    const answered = await browser.submit(form, `${abroad.issuer}/`, { username: 'sam', password: PASSWORD })
    expect(answered.url).toContain(`/broker/${ALIAS}/endpoint?`)
    // Another browser has no cookie of the page that had sent this one.
    const stranger = await new Browser().follow(answered.url, home.issuer)
    expect(stranger.response.status).toBe(400)
    const swapped = new URL(answered.url)
    swapped.searchParams.set('state', 'x'.repeat(43))
    expect((await browser.open(swapped.href)).status).toBe(400)
    const used = await browser.follow(answered.url, home.issuer)
    expect(used.url).toContain('code=')
    expect((await browser.follow(answered.url, home.issuer)).response.status).toBe(400)
  })

  test('not when somebody has brought another code along', async () => {
    await person(ABROAD, 'mallory', { emailVerified: true })
    const [mine, theirs] = [new Browser(), new Browser()]
    const toProvider = async (browser: Browser) => {
      const page = await openSignIn(browser, home.issuer, portalRequest(home.issuer))
      const left = await browser.follow(`${page.url}?provider=${ALIAS}`, home.issuer)
      const there = await browser.follow(left.url, abroad.issuer)
      const form = { url: there.url, text: await there.response.text() }
      const { url } = await browser.submit(form, `${abroad.issuer}/`, { username: 'mallory', password: PASSWORD })
      return new URL(url)
    }
    const [one, two] = [await toProvider(mine), await toProvider(theirs)]
    one.searchParams.set('code', two.searchParams.get('code') ?? '')
    const { response } = await mine.follow(one.href, home.issuer)
    expect(await response.text()).toContain('Harbour ID did not sign you in')
  })
})

describe('the Admin API', () => {
  const provider = (more: object = {}, config: object = {}) => ({
    ...{ realm: HOME, alias: 'other', providerId: 'oidc', enabled: true, ...more },
    config: { ...configFor(abroad.issuer), ...config },
  })

  test('keeps the secret to itself, in clear nowhere, and a change leaves it', async () => {
    const { admin } = fixture
    const found = await admin.identityProviders.findOne({ realm: HOME, alias: ALIAS })
    expect(found?.config?.clientSecret).toBe('**********')
    await admin.identityProviders.update({ realm: HOME, alias: ALIAS }, { ...found, displayName: 'Harbour' })
    await admin.identityProviders.update({ realm: HOME, alias: ALIAS }, { ...found, displayName: 'Harbour ID' })
    await tokensOf(await byProvider('nora'))
    expect(await fixture.dump()).not.toContain(SECRET)
  })

  test.each([
    [{ alias: 'Not An Alias' }, {}, 400, 'alias'],
    [{ providerId: 'saml' }, {}, 501, 'OpenID Connect'],
    [{}, { clientId: '' }, 400, 'clientId'],
    [{}, { tokenUrl: 'ftp://x.example/' }, 400, 'tokenUrl'],
    [{}, { authorizationUrl: 'javascript:alert(1)' }, 400, 'authorizationUrl'],
    [{}, { validateSignature: 'false' }, 400, 'validateSignature'],
    [{}, { clientAuthMethod: 'private_key_jwt' }, 501, 'clientAuthMethod'],
  ])('refuses %j %j', async (more, config, status, words) => {
    const refused = fixture.admin.identityProviders.create(provider(more, config) as never)
    await expect(refused).rejects.toMatchObject({ response: { status } })
    await expect(refused).rejects.toMatchObject({ responseData: { errorMessage: expect.stringContaining(words) } })
  })

  test('says in a sentence that people come from no LDAP, and by no other mapper', async () => {
    const { admin } = fixture
    const ldap = {
      realm: HOME,
      name: 'ldap',
      providerId: 'ldap',
      providerType: 'org.keycloak.storage.UserStorageProvider',
    }
    await expect(admin.components.create(ldap)).rejects.toMatchObject({ response: { status: 501 } })
    const mapper = {
      name: 'x',
      identityProviderAlias: ALIAS,
      identityProviderMapper: 'oidc-role-idp-mapper',
      config: {},
    }
    const made = admin.identityProviders.createMapper({ realm: HOME, alias: ALIAS, identityProviderMapper: mapper })
    await expect(made).rejects.toMatchObject({ response: { status: 501 } })
  })

  test('reads the settings of a provider from its own description', async () => {
    const fromUrl = `${abroad.issuer}/.well-known/openid-configuration`
    const read = await fixture.admin.identityProviders.importFromUrl({ realm: HOME, fromUrl, providerId: 'oidc' })
    expect(read).toMatchObject({ issuer: abroad.issuer, tokenUrl: configFor(abroad.issuer).tokenUrl })
  })

  test('one that is disabled is neither offered nor used', async () => {
    const { admin } = fixture
    const found = await admin.identityProviders.findOne({ realm: HOME, alias: ALIAS })
    const browser = new Browser()
    const page = await openSignIn(browser, home.issuer, portalRequest(home.issuer))
    await admin.identityProviders.update({ realm: HOME, alias: ALIAS }, { ...found, enabled: false })
    const { response } = await browser.follow(`${page.url}?provider=${ALIAS}`, home.issuer)
    expect(await response.text()).toContain('cannot be used any more')
    expect((await openSignIn(new Browser(), home.issuer, portalRequest(home.issuer))).text).not.toContain('Harbour ID')
    await admin.identityProviders.update({ realm: HOME, alias: ALIAS }, { ...found, enabled: true })
  })
})

describe('a hostile provider', () => {
  let server: Server
  let address: string
  let answer: (path: string) => { status?: number; body: string; location?: string }

  beforeAll(async () => {
    server = createServer((req, res) => {
      const { status = 200, body, location } = answer(req.url ?? '')
      res.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      res.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server?.close())

  const importFrom = () =>
    fixture.admin.identityProviders.importFromUrl({ realm: HOME, fromUrl: `${address}/config`, providerId: 'oidc' })

  test.each([
    ['an answer without an end', () => ({ body: 'x'.repeat(1024 * 1024) })],
    ['a redirect', () => ({ status: 302, body: '', location: abroad.issuer })],
    ['something else than JSON', () => ({ body: '<html>' })],
    ['a list', () => ({ body: '"text"' })],
  ])('that gives %s is refused', async (_name, said) => {
    answer = said
    await expect(importFrom()).rejects.toMatchObject({ response: { status: 400 } })
  })

  test('in the network of the operator is never asked, unless it is allowed', async () => {
    await using strict = await startIdentityFixture({ outbound: { allowPrivate: false, allowed: [] } })
    await demoRealm(strict, HOME)
    const asked = (fromUrl: string) =>
      strict.admin.identityProviders.importFromUrl({ realm: HOME, fromUrl, providerId: 'oidc' })
    for (const fromUrl of [
      `${address}/config`,
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://10.0.0.1/',
    ])
      await expect(asked(fromUrl), fromUrl).rejects.toMatchObject({ response: { status: 400 } })
    const config = configFor('https://192.168.1.7/realms/x')
    const made = strict.admin.identityProviders.create({ realm: HOME, alias: 'inside', providerId: 'oidc', config })
    await expect(made).rejects.toMatchObject({
      responseData: { errorMessage: expect.stringContaining('public address') },
    })
  })
})

test('a password still signs in', async () => {
  const request = portalRequest(home.issuer)
  const { url } = await signInWith(new Browser(), home.issuer, request, 'ada', PASSWORD)
  expect((await tokensOf({ request, url })).preferred_username).toBe('ada')
})
