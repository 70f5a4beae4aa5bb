import { afterAll, beforeAll, expect, test } from 'vitest'
import { askToken, Browser } from '../testing/browser.ts'
import { demoRealm, openSignIn, PASSWORD, portalRequest } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'

let fixture: IdentityFixture
let issuer: string
let realm: string
let userId: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  ;({ issuer, realm, userId } = await demoRealm(fixture, 'demo'))
})

afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const optionsIn = (text: string) =>
  JSON.parse((/data-options="([^"]*)"/.exec(text)?.[1] ?? '{}').replaceAll('&quot;', '"')) as Record<string, unknown>

test('each sign-in has a challenge of its own, and its page runs no script but those that it names', async () => {
  const pages = await Promise.all([1, 2].map(() => openSignIn(new Browser(), issuer, portalRequest(issuer))))
  const [first, second] = pages.map(({ text }) => optionsIn(text))
  expect(first).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required', allowCredentials: [] })
  expect(String(first?.challenge)).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(first?.challenge).not.toBe(second?.challenge)
  const policy = pages[0]?.response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'sha256-[^']+' 'sha256-[^']+';/)
  expect(policy).not.toContain('unsafe')
})

test.each([
  ['nothing', ''],
  ['no JSON', 'nonsense'],
  ['null', 'null'],
  ['a key that nobody has', JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} })],
  ['a key with a NUL in its name', JSON.stringify({ id: 'A\0A' })],
  ['too much', JSON.stringify({ id: 'A'.repeat(70_000) })],
])('%s in place of the answer of a device signs nobody in', async (_name, answer) => {
  const browser = new Browser()
  const page = await openSignIn(browser, issuer, portalRequest(issuer))
  const { response } = await browser.submit(page, issuer, { step: 'passkey', answer })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('That did not work.')
  expect(text).toContain('name="password"')
})

test.each(['a key that nobody has', 'the key of somebody'])(
  'guessing with %s is slowed down like a password',
  async (which) => {
    const { id } = await fixture.admin.users.create({ realm, username: which.replaceAll(' ', '-'), enabled: true })
    const credentialId = Buffer.from(which).toString('base64url')
    if (which.startsWith('the'))
      await fixture.sql(
        `insert into credential (id, user_id, type, label, secret, data)
       values ('guessed', $1, 'webauthn-passwordless', 'Key', '', $2)`,
        [id, JSON.stringify({ credentialId, credentialPublicKey: 'AQID', counter: 0, aaguid: '', transports: [] })],
      )
    const browser = new Browser({ 'x-forwarded-for': '203.0.113.9' })
    const page = await openSignIn(browser, issuer, portalRequest(issuer))
    const answer = JSON.stringify({ id: credentialId, rawId: credentialId, type: 'public-key', response: {} })
    const guess = async () => (await browser.submit(page, issuer, { step: 'passkey', answer })).response
    const statuses = []
    for (let round = 0; round < 31; round += 1) statuses.push((await guess()).status)
    expect(statuses).toEqual([...Array(30).fill(200), 429])
    expect(Number((await guess()).headers.get('retry-after'))).toBeGreaterThan(0)
  },
)

test('a forged key is not kept, and the step stays until there is one', async () => {
  const { admin } = fixture
  const { id } = await admin.users.create({
    realm,
    username: 'keyless',
    enabled: true,
    requiredActions: ['webauthn-register-passwordless'],
    credentials: [{ type: 'password', value: PASSWORD }],
  })
  const browser = new Browser()
  const page = await openSignIn(browser, issuer, portalRequest(issuer))
  const setUp = await browser.submit(page, issuer, { username: 'keyless', password: PASSWORD })
  const text = await setUp.response.text()
  expect(optionsIn(text)).toMatchObject({
    attestation: 'none',
    user: { name: 'keyless', id: Buffer.from(id).toString('base64url') },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const forged = JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e30' } })
  const then = await browser.submit({ url: setUp.url, text }, issuer, { answer: forged, label: 'Mine' })
  expect(await then.response.text()).toContain('That did not work.')
  expect((await admin.users.getCredentials({ realm, id })).map(({ type }) => type)).toEqual(['password'])
})

test('where passkeys are switched off, none is offered and none is taken', async () => {
  await fixture.admin.realms.update({ realm }, { webAuthnPolicyPasswordlessPasskeysEnabled: false } as never)
  const browser = new Browser()
  const page = await openSignIn(browser, issuer, portalRequest(issuer))
  expect(page.text).not.toContain('data-passkey')
  const { response } = await browser.submit(page, issuer, { step: 'passkey', answer: '{"id":"AAAA"}' })
  expect(await response.text()).toContain('name="password"')
  await fixture.admin.realms.update({ realm }, { webAuthnPolicyPasswordlessPasskeysEnabled: true } as never)
})

test.each([
  ['webAuthnPolicyPasswordlessUserVerificationRequirement', 'sometimes'],
  ['webAuthnPolicyAttestationConveyancePreference', 'direct'],
  ['webAuthnPolicySignatureAlgorithms', ['ROT13']],
  ['webAuthnPolicyPasswordlessRpId', 'https://portal.example'],
  ['webAuthnPolicyAvoidSameAuthenticatorRegister', false],
])('the setting %s is refused by name when it cannot be obeyed', async (key, value) => {
  await expect(fixture.admin.realms.update({ realm }, { [key]: value })).rejects.toMatchObject({
    response: { status: 400 },
    responseData: { errorMessage: expect.stringMatching(new RegExp(`^${key} `)) },
  })
})

test('a key as a second factor cannot be passed by with a password alone', async () => {
  const { admin } = fixture
  await admin.clients.create({ realm, clientId: 'cli', publicClient: true, directAccessGrantsEnabled: true })
  await fixture.sql(
    `insert into credential (id, user_id, type, label, secret, data) values ('key-1', $1, 'webauthn', 'Key', '', $2)`,
    [
      userId,
      JSON.stringify({ credentialId: 'AQID', credentialPublicKey: 'AQID', counter: 0, aaguid: '', transports: [] }),
    ],
  )
  const answer = await askToken(issuer, {
    grant_type: 'password',
    client_id: 'cli',
    username: 'ada',
    password: PASSWORD,
  })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const browser = new Browser()
  const page = await openSignIn(browser, issuer, portalRequest(issuer))
  const asked = await browser.submit(page, issuer, { username: 'ada', password: PASSWORD })
  const text = await asked.response.text()
  expect(optionsIn(text)).toMatchObject({ allowCredentials: [{ id: 'AQID', type: 'public-key' }] })
  const refused = await browser.submit({ url: asked.url, text }, issuer, { answer: '{"id":"AQID"}' })
  expect(await refused.response.text()).toContain('That did not work.')
  await admin.users.deleteCredential({ realm, id: userId, credentialId: 'key-1' })
})
