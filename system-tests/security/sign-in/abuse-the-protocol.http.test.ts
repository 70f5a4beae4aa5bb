import { createHmac } from 'node:crypto'
import { askToken, authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import {
  demoRealm,
  fullSignIn,
  meantFor,
  PASSWORD,
  PORTAL,
  portalRequest,
  RETURN_TO,
  redeem,
  signInWith,
} from '@quayside/embedded-identity/testing/demo-realm'
import { type IdentityFixture, startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { decodeJwt, decodeProtectedHeader, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressesBeside } from './addresses-beside.ts'

const realm = 'demo'
const secret = 'partner-secret-partner'
let fixture: IdentityFixture
let issuer: string
let own: string
let tokens: Record<string, string>

beforeAll(async () => {
  fixture = await startIdentityFixture()
  own = new URL(fixture.publicUrl).origin
  ;({ issuer } = await demoRealm(fixture, realm))
  await demoRealm(fixture, 'other')
  const { clients } = fixture.admin
  await clients.create({ ...{ realm, clientId: 'strict', publicClient: true }, redirectUris: [good, `${own}/en/*`] })
  await clients.create({
    ...{ realm, clientId: 'partner', secret, redirectUris: [RETURN_TO], serviceAccountsEnabled: true },
    protocolMappers: [meantFor('partner')],
  })
  tokens = await fullSignIn(new Browser(), issuer)
})
afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const good = 'https://app.example/back'
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const at = (path: string) => `${issuer}/protocol/openid-connect/${path}`

describe('a token that nobody issued', () => {
  /** Tokens by how they were made, each with the claims of a good one. */
  async function forged(): Promise<[name: string, token: string][]> {
    const access = tokens.access_token ?? ''
    const claims = decodeJwt(access)
    const header = decodeProtectedHeader(access)
    const [head = '', body = '', signature = ''] = access.split('.')
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const signed = (more: object, payload = claims) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...more }).sign(privateKey)
    const { keys } = (await (await fetch(at('certs'))).json()) as { keys: { kid: string }[] }
    const key = (await importJWK(keys[0] ?? {}, 'RS256')) as CryptoKey
    const byPublicKey = (secretKey: string, alg: string) => {
      const text = `${part({ ...header, alg })}.${body}`
      return `${text}.${createHmac(alg.replace('HS', 'sha'), secretKey).update(text).digest('base64url')}`
    }
    const boss = part({ ...claims, sub: 'boss', realm_access: { roles: ['admin'] } })
    const jwk = await exportJWK(publicKey)
    return [
      ['alg none', `${part({ alg: 'none', typ: 'JWT' })}.${body}.`],
      ['alg None with the old signature', `${part({ ...header, alg: 'None' })}.${body}.${signature}`],
      ['no alg', `${part({ typ: 'JWT' })}.${body}.${signature}`],
      ['HS256 with the public key', byPublicKey(await exportSPKI(key), 'HS256')],
      ['HS512 with the modulus', byPublicKey(JSON.stringify(keys[0]), 'HS512')],
      ['HS256 with nothing', byPublicKey('', 'HS256')],
      ['a key of the sender', await signed({ kid: header.kid })],
      ['an unknown kid', await signed({ kid: 'mine' })],
      ['a kid that is a path', await signed({ kid: '../../../dev/null' })],
      ['a kid that is a query', await signed({ kid: "' or '1'='1" })],
      ['a key in the header', await signed({ jwk })],
      ['an address of keys', await signed({ kid: header.kid, jku: `${own}/mine.json` })],
      ['an address of a certificate', await signed({ x5u: `${own}/mine.pem` })],
      ['an extension that must be known', await signed({ kid: header.kid, crit: ['b64'], b64: true })],
      ['other claims under the old signature', `${head}.${boss}.${signature}`],
      ['another header over the old signature', `${part({ ...header, kid: 'x' })}.${body}.${signature}`],
      ['the issuer of another realm', await signed({}, { ...claims, iss: issuer.replace(realm, 'other') })],
      ['an issuer elsewhere', await signed({}, { ...claims, iss: 'https://evil.example/auth/realms/demo' })],
      ['the issuer as an empty text', await signed({}, { ...claims, iss: '' })],
      ['two signatures', `${access}.${signature}`],
    ]
  }

  test('opens no door', async () => {
    const all = await forged()
    expect(all.length).toBe(20)
    for (const [name, token] of all) expect(await doors(token), name).toEqual(closed)
  })

  test('nor does one that was issued for something else', async () => {
    const { access_token: foreign = '' } = await fullSignIn(new Browser(), `${fixture.publicUrl}/realms/other`)
    const { id_token = '', refresh_token = '', access_token = '' } = tokens
    for (const token of [refresh_token, `${access_token.slice(0, -2)}AA`]) expect(await doors(token)).toEqual(closed)
    expect(await doors(foreign)).toEqual({ ...closed, admin: 403 })
    // All that an identity token is for: to say whose session is to end.
    expect(await doors(id_token)).toEqual({ ...closed, hint: 200 })
    // A good one comes in, but not to the administration of the realm.
    expect(await doors(access_token)).toEqual({ ...closed, userinfo: 200, admin: 403, exchange: 400 })
  })
})

const closed = { userinfo: 401, admin: 401, master: 401, ticket: 401, exchange: 401, introspected: false, hint: 400 }

/** Answers of everything that takes a token. */
async function doors(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const statusOf = async (url: string, init: RequestInit = {}) =>
    (await fetch(url, { ...init, headers: { ...headers, ...init.headers }, redirect: 'manual' })).status
  const basic = Buffer.from(`partner:${secret}`).toString('base64')
  const introspected = await fetch(at('token/introspect'), {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token }),
  })
  return {
    userinfo: await statusOf(at('userinfo')),
    admin: await statusOf(`${fixture.publicUrl}/admin/realms/${realm}/users`),
    master: await statusOf(`${fixture.publicUrl}/admin/realms`).then((status) => (status === 403 ? 401 : status)),
    ticket: await statusOf(`${issuer}/authz/protection/permission`, { method: 'POST', body: '[]' }),
    exchange: (await askToken(issuer, { grant_type: 'uma-ticket', client_id: PORTAL, ticket: 'x' }, headers)).status,
    introspected: ((await introspected.json()) as { active: boolean }).active,
    hint: await statusOf(`${at('logout')}?id_token_hint=${encodeURIComponent(token)}`),
  }
}

describe('a code', () => {
  const sent = (url: string) => new URL(url).searchParams
  async function coded(params: Record<string, string> = {}) {
    const request = portalRequest(issuer, params)
    const { url } = await signInWith(new Browser(), issuer, request, 'ada', PASSWORD)
    return { request, url, code: sent(url).get('code') ?? '' }
  }

  test('is worth nothing to whoever has it without what belongs to it', async () => {
    const [mine, theirs] = [await coded(), await coded()]
    const fields = { grant_type: 'authorization_code', client_id: PORTAL, redirect_uri: RETURN_TO }
    const challenge = new URL(theirs.request.url).searchParams.get('code_challenge') ?? ''
    const right = { ...fields, code: theirs.code, code_verifier: theirs.request.verifier }
    const { code_verifier: _, ...without } = right
    const wrong: Record<string, Record<string, string>> = {
      'the verifier of another request': { ...right, code_verifier: mine.request.verifier },
      'the challenge as the verifier': { ...right, code_verifier: challenge },
      'an empty verifier': { ...right, code_verifier: '' },
      'no verifier': without,
      'another address to return to': { ...right, redirect_uri: `${own}/` },
      'another client': { ...right, client_id: 'strict' },
      'a confidential client': { ...right, client_id: 'partner', client_secret: secret },
    }
    for (const [name, asked] of Object.entries(wrong)) {
      const { status, body } = await askToken(issuer, asked)
      expect([400, 401], name).toContain(status)
      expect(body.access_token, name).toBeUndefined()
    }
    const elsewhere = await askToken(`${fixture.publicUrl}/realms/other`, { ...fields, ...right })
    expect(elsewhere.status).toBe(400)
  })

  test('brings the state and the nonce of its own request, and says who has issued it', async () => {
    const [one, other] = [await coded(), await coded()]
    for (const { request, url } of [one, other]) {
      expect(sent(url).get('state')).toBe(request.state)
      expect(sent(url).get('iss')).toBe(issuer)
      const { body } = await redeem(issuer, request, url)
      expect(decodeJwt(body.id_token ?? '')).toMatchObject({ nonce: request.nonce, aud: PORTAL, iss: issuer })
    }
    expect(one.request.nonce).not.toBe(other.request.nonce)
  })

  test('that comes a second time ends what the first time has brought', async () => {
    const { request, url } = await coded()
    const { body } = await redeem(issuer, request, url)
    expect((await doors(body.access_token ?? '')).userinfo).toBe(200)
    expect((await redeem(issuer, request, url)).status).toBe(400)
    expect((await doors(body.access_token ?? '')).userinfo).toBe(401)
    const renewed = { grant_type: 'refresh_token', client_id: PORTAL, refresh_token: body.refresh_token ?? '' }
    expect((await askToken(issuer, renewed)).status).toBe(400)
  })

  test('and a refresh token that comes a second time, or from another client, do the same', async () => {
    const first = await fullSignIn(new Browser(), issuer)
    const partner: Record<string, string> = { client_id: 'partner', client_secret: secret }
    const refresh = (refresh_token: string, client: Record<string, string> = { client_id: PORTAL }) =>
      askToken(issuer, { grant_type: 'refresh_token', refresh_token, ...client })
    for (const client of [{ client_id: 'strict' }, partner])
      expect((await refresh(first.refresh_token ?? '', client)).status).toBe(400)
    const second = await refresh(first.refresh_token ?? '')
    expect(second.status).toBe(200)
    expect((await refresh(first.refresh_token ?? '')).status).toBe(400)
    expect((await refresh(second.body.refresh_token ?? '')).status).toBe(400)
    expect((await doors(second.body.access_token ?? '')).userinfo).toBe(401)
  })
})

describe('a request to sign in', () => {
  test.each([
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge_method: '' }],
    ['an unknown method', { code_challenge_method: 'S512' }],
    ['no challenge', { code_challenge: '' }],
    ['a token at once', { response_type: 'token' }],
    ['an identity token at once', { response_type: 'id_token' }],
    ['both', { response_type: 'code id_token' }],
    ['nothing', { response_type: 'none' }],
    ['a message between windows', { response_mode: 'web_message' }],
    ['claims of its own', { request: `${part({ alg: 'none' })}.${part({ scope: 'openid' })}.` }],
    ['an address of claims', { request_uri: 'https://evil.example/request' }],
    ['a pushed request that is not there', { request_uri: 'urn:ietf:params:oauth:request_uri:mine' }],
    ['another resource', { resource: 'urn:other' }],
    ['a client that it makes itself', { registration: '{}' }],
  ])('gets no page for %s', async (_, params) => {
    const { response, url } = await new Browser().follow(portalRequest(issuer, params).url, issuer)
    const isRefused = response.status === 400 || (url.startsWith(RETURN_TO) && /[?#]error=/.test(url))
    expect({ isRefused, url }).toMatchObject({ isRefused: true, url: expect.not.stringMatching(/code=|login-actions/) })
  })
})

describe('an address that a client has not registered', () => {
  test('is none to be sent to, neither after signing in nor after signing out', async () => {
    const all = addressesBeside(good, own)
    expect(all.length).toBeGreaterThanOrEqual(60)
    for (const redirect_uri of all) {
      const { url } = authRequest(issuer, { client_id: 'strict', redirect_uri })
      const out = new URLSearchParams({ client_id: 'strict', post_logout_redirect_uri: redirect_uri })
      for (const address of [url, `${at('logout')}?${out}`]) {
        const answer = await fetch(address, { redirect: 'manual' })
        const said = { status: answer.status, location: answer.headers.get('location') }
        expect(said, `${JSON.stringify(redirect_uri)} at ${address}`).toEqual({ status: 400, location: null })
        await answer.body?.cancel()
      }
    }
  })

  test('while one that is registered is', async () => {
    for (const redirect_uri of [good, `${own}/en/`, `${own}/en/apps/7?tab=pods`]) {
      const answer = await new Browser().open(authRequest(issuer, { client_id: 'strict', redirect_uri }).url)
      expect(answer.headers.get('location'), redirect_uri).toContain('/login-actions/')
    }
  })
})
