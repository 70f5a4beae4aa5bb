import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@quayside/embedded-postgres/ports'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { askToken, authRequest, Browser } from './testing/browser.ts'
import { demoRealm, fullSignIn, meantFor, openSignIn, PASSWORD, PORTAL, RETURN_TO } from './testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from './testing/identity-fixture.ts'

let fixture: IdentityFixture
let issuer: string
let realm: string
let userId: string
/** Port at which a client of this machine may be told of ended sessions. */
let listeningPort: number
const SECRET = 'a-secret-of-a-script'
const CLI = 'harbour-cli'
const API = 'harbour-api'

beforeAll(async () => {
  listeningPort = await freePort('127.0.0.1')
  fixture = await startIdentityFixture({ allowedAddresses: [`127.0.0.1:${listeningPort}`] })
  ;({ issuer, realm, userId } = await demoRealm(fixture, 'demo'))
  const { clients } = fixture.admin
  await clients.create({
    realm,
    clientId: CLI,
    publicClient: true,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: true,
    attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
    protocolMappers: [meantFor(API)],
  })
  await clients.create({
    realm,
    clientId: API,
    secret: SECRET,
    serviceAccountsEnabled: true,
    attributes: { 'standard.token.exchange.enabled': 'true' },
    protocolMappers: [meantFor('cellar'), meantFor('attic')],
  })
})

afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const withPassword = (fields: Record<string, string> = {}) =>
  askToken(issuer, { grant_type: 'password', client_id: CLI, username: 'ada', password: PASSWORD, ...fields })

const userinfo = async (token = '') =>
  (await fetch(`${issuer}/protocol/openid-connect/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status

async function makePerson(username: string, more: Record<string, unknown> = {}) {
  const { id } = await fixture.admin.users.create({
    realm,
    username,
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD }],
    ...more,
  })
  return id
}

describe('a password that is sent by the client itself', () => {
  test('brings tokens of a session that is listed, renewed and ended like any other', async () => {
    const { status, body } = await withPassword({ scope: 'openid' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', 'not-before-policy': 0, refresh_expires_in: expect.any(Number) })
    const payload = decodeJwt(body.access_token ?? '')
    expect(payload).toMatchObject({ sub: userId, azp: CLI, preferred_username: 'ada', typ: 'Bearer' })
    expect(payload.sid).toBe(body.session_state)
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ sub: userId, aud: CLI, sid: payload.sid })
    const sessions = await fixture.admin.users.listSessions({ realm, id: userId })
    expect(sessions.find(({ id }) => id === payload.sid)?.clients).toMatchObject({ [String(await idOf(CLI))]: CLI })
    const refreshed = await askToken(issuer, {
      grant_type: 'refresh_token',
      client_id: CLI,
      refresh_token: body.refresh_token ?? '',
    })
    expect(refreshed.status).toBe(200)
    expect(await userinfo(refreshed.body.access_token)).toBe(200)
    await fixture.admin.realms.deleteSession({ realm, session: String(payload.sid), isOffline: false })
    expect(await userinfo(refreshed.body.access_token)).toBe(401)
  })

  test('is refused to a client that has it switched off', async () => {
    expect(await withPassword({ client_id: PORTAL })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('wrong and unknown are the same answer, and count as attempts on the account', async () => {
    const id = await makePerson('guessed')
    await fixture.admin.realms.update({ realm }, { bruteForceProtected: true, failureFactor: 2 })
    const refused = { status: 401, body: { error: 'invalid_grant', error_description: 'Invalid user credentials' } }
    for (const username of ['guessed', 'guessed', 'nobody'])
      expect(await withPassword({ username, password: 'wrong' })).toMatchObject(refused)
    expect(await withPassword({ username: 'guessed' })).toMatchObject(refused)
    expect(await fixture.admin.attackDetection.findOne({ realm, id })).toMatchObject({ disabled: true })
    await fixture.admin.realms.update({ realm }, { bruteForceProtected: false })
  })

  test('somebody who has to change the password first gets nothing here', async () => {
    await makePerson('due', { requiredActions: ['UPDATE_PASSWORD'] })
    expect(await withPassword({ username: 'due' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Account is not fully set up' },
    })
  })

  test('somebody with a second factor has to send a code of it, which works once', async () => {
    await makePerson('careful', { requiredActions: ['CONFIGURE_TOTP'] })
    const browser = new Browser()
    const page = await openSignIn(browser, issuer, authRequest(issuer, { client_id: PORTAL, redirect_uri: RETURN_TO }))
    const second = await browser.submit(page, issuer, { username: 'careful', password: PASSWORD })
    const text = await second.response.text()
    expect(text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR code[^"]*"/)
    const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const code = (at: number) => new TOTP({ secret }).generate({ timestamp: at })
    await browser.submit({ url: second.url, text }, issuer, { otp: code(Date.now() - 30_000), label: 'Phone' })
    expect(await withPassword({ username: 'careful' })).toMatchObject({ status: 401 })
    const now = code(Date.now())
    const good = await withPassword({ username: 'careful', otp: now })
    expect(good.status, JSON.stringify(good.body)).toBe(200)
    expect(await withPassword({ username: 'careful', otp: now })).toMatchObject({ status: 401 })
  })

  test('a scope that the client does not have is refused by name, and so are offline tokens', async () => {
    const unknown = await withPassword({ scope: 'openid berths' })
    expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(unknown.body.error_description).toContain('berths')
    const offline = await withPassword({ scope: 'openid offline_access' })
    expect(offline).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(offline.body.error_description).toContain('issues no offline tokens')
  })
})

async function idOf(clientId: string) {
  const [client] = await fixture.admin.clients.find({ realm, clientId })
  return client?.id
}

describe('client scopes by name', () => {
  test('an optional one brings its claims when it is asked for, and not otherwise', async () => {
    const { clientScopes, clients } = fixture.admin
    const { id } = await clientScopes.create({
      realm,
      name: 'berths',
      protocol: 'openid-connect',
      protocolMappers: [
        {
          name: 'berth',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-hardcoded-claim-mapper',
          config: { 'claim.name': 'berth', 'claim.value': 'A4', 'access.token.claim': 'true' },
        },
      ],
    })
    const { id: client } = await clients.create({
      realm,
      clientId: 'berth-cli',
      publicClient: true,
      redirectUris: [RETURN_TO],
    })
    await clients.addOptionalClientScope({ realm, id: client, clientScopeId: id })
    const ask = async (scope: string) => {
      const browser = new Browser()
      const request = authRequest(issuer, { client_id: 'berth-cli', redirect_uri: RETURN_TO, scope })
      const page = await openSignIn(browser, issuer, request)
      const { url } = await browser.submit(page, issuer, { username: 'ada', password: PASSWORD })
      const answer = await askToken(issuer, {
        grant_type: 'authorization_code',
        client_id: 'berth-cli',
        redirect_uri: RETURN_TO,
        code: new URL(url).searchParams.get('code') ?? '',
        code_verifier: request.verifier,
      })
      return decodeJwt<{ berth?: string; scope: string }>(answer.body.access_token ?? '')
    }
    const asked = await ask('openid berths')
    expect(asked.berth).toBe('A4')
    expect(asked.scope.split(' ')).toContain('berths')
    expect((await ask('openid')).berth).toBeUndefined()
  })

  test.each(['openid nonsense', 'openid offline_access'])('%s is sent back to the client as invalid', async (scope) => {
    const request = authRequest(issuer, { client_id: PORTAL, redirect_uri: RETURN_TO, scope })
    const answer = await new Browser().open(request.url)
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(RETURN_TO)
    expect(location.searchParams.get('error')).toBe('invalid_scope')
    expect(location.searchParams.get('state')).toBe(request.state)
  })
})

describe('a device without a keyboard', () => {
  const begin = async () => {
    const answer = await fetch(`${issuer}/protocol/openid-connect/auth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLI, scope: 'openid' }),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, string>
  }
  const poll = (device_code = '') =>
    askToken(issuer, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: CLI, device_code })

  /** Types the code, confirms it, signs in; gives the last page. */
  async function connect(begun: Record<string, string>, answer: Record<string, string> = {}) {
    const browser = new Browser()
    const address = begun.verification_uri_complete ?? ''
    const first = await browser.open(address)
    const text = await first.text()
    expect(text).toContain(`value="${begun.user_code}"`)
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
    const confirm = await browser.submit({ url: address, text }, issuer, { user_code: begun.user_code ?? '' })
    const confirmText = await confirm.response.text()
    expect(confirmText).toContain(begun.user_code)
    const refused = 'abort' in answer
    const pages = confirmText.split('</form>')
    const form = pages.find((part) => part.includes('name="abort"') === refused && part.includes('<form')) ?? ''
    const then = await browser.submit({ url: confirm.url, text: form }, issuer, {})
    const thenText = await then.response.text()
    if (refused) return thenText
    const done = await browser.submit({ url: then.url, text: thenText }, issuer, {
      username: 'ada',
      password: PASSWORD,
    })
    return done.response.text()
  }

  test('gets tokens once its owner has typed the code and signed in, and once only', async () => {
    const begun = await begin()
    expect(begun).toMatchObject({ verification_uri: `${issuer}/device`, interval: 5, expires_in: 600 })
    expect(begun.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    expect(await poll(begun.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } })
    expect(await connect(begun)).toContain('Your device is connected')
    const { status, body } = await poll(begun.device_code)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ sub: userId, azp: CLI })
    expect(await userinfo(body.access_token)).toBe(200)
    expect((await poll(begun.device_code)).status).toBe(400)
  })

  test('gets nothing when its owner says no', async () => {
    const begun = await begin()
    expect(await connect(begun, { abort: 'yes' })).toContain('not connected')
    expect(await poll(begun.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  })

  test('a code that nobody was given leads nowhere, and a form from elsewhere is refused', async () => {
    const browser = new Browser()
    const url = `${issuer}/device`
    const text = await (await browser.open(url)).text()
    const wrong = await browser.submit({ url, text }, issuer, { user_code: 'BBBB-BBBB' })
    expect(await wrong.response.text()).toContain('This code is not right')
    const forged = await new Browser().open(url, {
      method: 'POST',
      body: new URLSearchParams({ user_code: 'X', xsrf: 'x' }),
    })
    expect(forged.status).toBe(303)
    expect(forged.headers.get('location')).toBe(url)
  })

  test('the codes are not in the database as they are', async () => {
    const begun = await begin()
    const dump = await fixture.dump()
    expect(dump).not.toContain(begun.device_code)
    expect(dump).not.toContain(begun.user_code?.replace('-', ''))
  })

  test('another client than the one that has it on may not begin', async () => {
    const answer = await fetch(`${issuer}/protocol/openid-connect/auth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: PORTAL }),
    })
    expect(answer.status).toBe(400)
  })
})

describe('a token for a token', () => {
  const exchange = (token: string, more: Record<string, string> = {}) =>
    askToken(
      issuer,
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        ...more,
      },
      { authorization: `Basic ${Buffer.from(`${API}:${SECRET}`).toString('base64')}` },
    )

  test('a service gets one of its own for the audience it asks for, in the same session', async () => {
    const { body } = await withPassword()
    const got = await exchange(body.access_token ?? '', { audience: 'cellar' })
    expect(got.status, JSON.stringify(got.body)).toBe(200)
    expect(got.body).toMatchObject({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
    })
    expect(got.body.refresh_token).toBeUndefined()
    const [before, after] = [decodeJwt(body.access_token ?? ''), decodeJwt(got.body.access_token ?? '')]
    expect(after).toMatchObject({ sub: userId, azp: API, aud: 'cellar', sid: before.sid, typ: 'Bearer' })
    expect(after.resource_access).toBeUndefined()
    expect(Number(after.exp)).toBeLessThanOrEqual(Number(before.exp))
    const both = await exchange(body.access_token ?? '')
    expect(decodeJwt(both.body.access_token ?? '').aud).toEqual(expect.arrayContaining(['cellar', 'attic']))
    expect(await userinfo(got.body.access_token)).toBe(200)
    await fixture.admin.realms.deleteSession({ realm, session: String(before.sid), isOffline: false })
    expect(await userinfo(got.body.access_token)).toBe(401)
    expect(await exchange(body.access_token ?? '')).toMatchObject({ status: 400 })
  })

  test('nobody gets one for a token that was meant for others, for another audience, or of another kind', async () => {
    const { access_token = '' } = await fullSignIn(new Browser(), issuer)
    expect(await exchange(access_token)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    const { body } = await withPassword()
    const mine = body.access_token ?? ''
    const refused = { status: 400, body: { error: 'invalid_request' } }
    expect(await exchange(mine, { audience: 'treasury' })).toMatchObject(refused)
    expect(await exchange('nonsense')).toMatchObject(refused)
    const saml = 'urn:ietf:params:oauth:token-type:saml2'
    expect(await exchange(mine, { requested_token_type: saml })).toMatchObject(refused)
    expect(await exchange(mine, { subject_token_type: saml })).toMatchObject(refused)
    expect(await exchange(mine, { scope: 'berths' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  test('a client without it switched on, and a public one, may not', async () => {
    await fixture.admin.clients.create({
      realm,
      clientId: 'open',
      publicClient: true,
      attributes: { 'standard.token.exchange.enabled': 'true' },
    })
    const { body } = await withPassword()
    for (const client_id of [CLI, 'open']) {
      const answer = await askToken(issuer, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id,
        subject_token: body.access_token ?? '',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })
})

describe('telling clients that a session is over', () => {
  /** A client's own server: keeps what it was told, and answers as it is told to. */
  async function startListener(statuses: number[], port = listeningPort) {
    const told: string[] = []
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      told.push(new URLSearchParams(body).get('logout_token') ?? '')
      res.writeHead(statuses.shift() ?? 200).end()
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`
    return { told, url, close: () => server.close() }
  }

  test('each client of the session gets a logout token, again while it cannot take it', async () => {
    const listener = await startListener([503])
    await fixture.admin.clients.update(
      { realm, id: (await idOf(CLI)) ?? '' },
      { clientId: CLI, attributes: { 'backchannel.logout.url': listener.url } },
    )
    const { body } = await withPassword()
    const { sid } = decodeJwt(body.access_token ?? '')
    await fixture.admin.users.logout({ realm, id: userId })
    await vi.waitFor(() => expect(listener.told.length).toBeGreaterThan(0), { timeout: 10_000 })
    await fixture.sql('update logout_notice set due_at = now()')
    const last = () => listener.told.map((token) => decodeJwt(token)).filter((claims) => claims.sid === sid)
    await vi.waitFor(() => expect(last().length).toBeGreaterThan(0), { timeout: 10_000 })
    const token = listener.told.find((text) => decodeJwt(text).sid === sid) ?? ''
    const jwks = createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`))
    const { payload, protectedHeader } = await jwtVerify(token, jwks, { issuer, audience: CLI, typ: 'logout+jwt' })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({
      sub: userId,
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload.nonce).toBeUndefined()
    expect(await userinfo(token)).toBe(401)
    listener.close()
  })

  test('an address that is none, and those of the machine and its networks, are not told anything', async () => {
    const id = (await idOf(CLI)) ?? ''
    for (const url of ['javascript:alert(1)', 'http://user:pass@host/', '/told'])
      await expect(
        fixture.admin.clients.update({ realm, id }, { clientId: CLI, attributes: { 'backchannel.logout.url': url } }),
      ).rejects.toMatchObject({ response: { status: 400 } })
    await fixture.sql('delete from logout_notice')
    const inside = await startListener([], 0)
    const failed = async () =>
      (await fixture.admin.realms.findEvents({ realm, type: ['LOGOUT_ERROR'] as never })).map(
        (one) => one.details?.reason,
      )
    const refused = /not known, or is in a private network/
    const urls = ['http://169.254.169.254/latest/meta-data', inside.url, inside.url.replace('127.0.0.1', 'localhost')]
    for (const [done, url] of [...urls, 'http://[::1]/', 'http://10.0.0.1/'].entries()) {
      const attributes = { 'backchannel.logout.url': url }
      await fixture.admin.clients.update({ realm, id }, { clientId: CLI, attributes })
      await withPassword()
      await fixture.admin.users.logout({ realm, id: userId })
      await fixture.sql(`update logout_notice set attempts = 4, due_at = now()`)
      await vi.waitFor(
        async () => expect((await failed()).filter((reason) => refused.test(reason ?? ''))).toHaveLength(done + 1),
        { timeout: 15_000 },
      )
    }
    expect(inside.told).toEqual([])
    inside.close()
  })
})

describe('taking tokens back by time', () => {
  test('those that are older than the realm or the client takes count no more, nor can they be renewed', async () => {
    const later = Math.floor(Date.now() / 1000) + 60
    const counts = async (tokens: Record<string, string>) => ({
      access: await userinfo(tokens.access_token),
      refresh: (
        await askToken(issuer, {
          grant_type: 'refresh_token',
          client_id: CLI,
          refresh_token: tokens.refresh_token ?? '',
        })
      ).status,
    })
    const first = (await withPassword()).body
    await fixture.admin.realms.update({ realm }, { notBefore: later })
    expect(await fixture.admin.realms.pushRevocation({ realm })).toEqual({})
    expect(await counts(first)).toEqual({ access: 401, refresh: 400 })
    await fixture.admin.realms.update({ realm }, { notBefore: 0 })
    const second = (await withPassword()).body
    const id = (await idOf(CLI)) ?? ''
    await fixture.admin.clients.update({ realm, id }, { clientId: CLI, notBefore: later })
    expect(await fixture.admin.clients.pushRevocation({ realm, id })).toEqual({})
    expect(await counts(second)).toEqual({ access: 401, refresh: 400 })
    await fixture.admin.clients.update({ realm, id }, { clientId: CLI, notBefore: 0 })
    expect(await counts((await withPassword()).body)).toEqual({ access: 200, refresh: 200 })
  })
})
