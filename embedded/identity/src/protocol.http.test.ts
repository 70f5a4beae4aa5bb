import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askToken, authRequest, Browser } from './testing/browser.ts'
import {
  demoRealm,
  fullSignIn,
  meantFor,
  openSignIn,
  PASSWORD,
  PORTAL,
  portalRequest,
  RETURN_TO,
  redeem,
  signInWith,
} from './testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from './testing/identity-fixture.ts'

let fixture: IdentityFixture
let issuer: string
let realm: string
let userId: string

beforeAll(async () => {
  fixture = await startIdentityFixture()
  ;({ issuer, realm, userId } = await demoRealm(fixture, 'demo', { accessTokenLifespan: 300 }))
  await fixture.admin.clients.create({
    realm,
    clientId: 'quayside-portal-ui-apps',
    publicClient: true,
    redirectUris: [RETURN_TO],
  })
})

afterAll(async () => {
  expect(fixture.reported).toEqual([])
  await fixture[Symbol.asyncDispose]()
})

const userinfo = (token: string) =>
  fetch(`${issuer}/protocol/openid-connect/userinfo`, { headers: { authorization: `Bearer ${token}` } })

const revoke = (token: string) =>
  fetch(`${issuer}/protocol/openid-connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: PORTAL }),
  })

describe('what the issuer says about itself', () => {
  test('discovery names public addresses below the realm, at the paths of Keycloak', async () => {
    const found = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>
    const protocol = `${issuer}/protocol/openid-connect`
    expect(found).toMatchObject({
      issuer,
      authorization_endpoint: `${protocol}/auth`,
      token_endpoint: `${protocol}/token`,
      userinfo_endpoint: `${protocol}/userinfo`,
      jwks_uri: `${protocol}/certs`,
      end_session_endpoint: `${protocol}/logout`,
      revocation_endpoint: `${protocol}/revoke`,
      introspection_endpoint: `${protocol}/token/introspect`,
      pushed_authorization_request_endpoint: `${protocol}/ext/par/request`,
      check_session_iframe: `${protocol}/login-status-iframe.html`,
    })
    expect(found.code_challenge_methods_supported).toEqual(['S256'])
    expect(found.grant_types_supported).toContain('uma-ticket')
  })

  test('published keys hold no private part', async () => {
    const { keys } = (await (await fetch(`${issuer}/protocol/openid-connect/certs`)).json()) as { keys: object[] }
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toHaveProperty('d')
  })

  test('an unknown realm is a 404', async () => {
    expect((await fetch(`${fixture.publicUrl}/realms/nowhere/.well-known/openid-configuration`)).status).toBe(404)
  })
})

describe('signing in', () => {
  test('a code for a password, tokens for the code, claims as in Keycloak', async () => {
    const browser = new Browser()
    const request = portalRequest(issuer)
    const { url, response } = await signInWith(browser, issuer, request, 'ADA@demo.example', PASSWORD)
    expect(response.status).toBe(303)
    const back = new URL(url)
    expect(back.origin + back.pathname).toBe(RETURN_TO)
    expect(back.searchParams.get('state')).toBe(request.state)
    expect(back.searchParams.get('iss')).toBe(issuer)
    const { body, status } = await redeem(issuer, request, url)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300 })

    const jwks = createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`))
    const { payload, protectedHeader } = await jwtVerify(body.access_token ?? '', jwks, {
      issuer,
      audience: 'quayside-api',
    })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    expect(payload).toMatchObject({
      sub: userId,
      user_id: userId,
      typ: 'Bearer',
      azp: PORTAL,
      preferred_username: 'ada',
      email: 'ada@demo.example',
      given_name: 'Ada',
      family_name: 'Demo',
      name: 'Ada Demo',
      homescreen: 'apps',
      currency: 'EUR',
    })
    expect(payload.aud).toEqual(expect.arrayContaining(['quayside-api', 'account']))
    expect((payload.realm_access as { roles: string[] }).roles).toEqual(
      expect.arrayContaining(['default-roles-demo', 'offline_access', 'uma_authorization']),
    )
    expect(payload.resource_access).toMatchObject({ account: { roles: ['manage-account', 'view-profile'] } })
    expect(payload['allowed-origins']).toEqual(['http://portal.example'])
    expect(Math.abs(Date.now() / 1000 - Number(payload.auth_time))).toBeLessThan(60)
    expect(payload.sid).toEqual(expect.any(String))
    expect(payload.jti).toEqual(expect.any(String))
    const idToken = decodeJwt(body.id_token ?? '')
    expect(idToken).toMatchObject({
      iss: issuer,
      aud: PORTAL,
      sub: userId,
      nonce: request.nonce,
      preferred_username: 'ada',
    })
    expect(await (await userinfo(body.access_token ?? '')).json()).toMatchObject({
      sub: userId,
      preferred_username: 'ada',
    })
  })

  test('the session cookie is for this realm only, out of reach of scripts, and new after signing in', async () => {
    const browser = new Browser()
    const first = await browser.open(portalRequest(issuer).url)
    for (const line of first.headers.getSetCookie()) expect(line).toMatch(/samesite=lax; httponly/i)
    await fullSignIn(browser, issuer)
    const before = browser.cookie('IDENTITY_SESSION')
    expect(browser.cookieLines().find((line) => line.startsWith('IDENTITY_SESSION='))).toMatch(
      /; \/auth\/realms\/demo\/$/,
    )
    await signInWith(browser, issuer, portalRequest(issuer, { prompt: 'login' }), 'ada', PASSWORD)
    expect(browser.cookie('IDENTITY_SESSION')).not.toBe(before)
  })

  test('a code works once', async () => {
    const request = portalRequest(issuer)
    const { url } = await signInWith(new Browser(), issuer, request, 'ada', PASSWORD)
    expect((await redeem(issuer, request, url)).status).toBe(200)
    expect(await redeem(issuer, request, url)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('of many exchanges of one code at once, one gets tokens', async () => {
    const request = portalRequest(issuer)
    const { url } = await signInWith(new Browser(), issuer, request, 'ada', PASSWORD)
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(issuer, request, url)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('another verifier gets nothing', async () => {
    const request = portalRequest(issuer)
    const { url } = await signInWith(new Browser(), issuer, request, 'ada', PASSWORD)
    const answer = await redeem(issuer, { ...request, verifier: portalRequest(issuer).verifier }, url)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a public client has to use PKCE', async () => {
    const url = new URL(portalRequest(issuer).url)
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const answer = await new Browser().open(url.href)
    expect(answer.headers.get('location')).toMatch(/error=invalid_request/)
  })

  test.each([
    ['another host', 'http://evil.example/en/callback'],
    ['a longer path', `${RETURN_TO}/more`],
    ['a query added', `${RETURN_TO}?x=1`],
    ['another scheme', RETURN_TO.replace('http:', 'https:')],
    ['no address at all', 'javascript:alert(1)'],
  ])('a redirect to %s is refused on our own page', async (_name, redirect_uri) => {
    const answer = await new Browser().open(portalRequest(issuer, { redirect_uri }).url)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    const text = await answer.text()
    expect(text).toContain('Invalid parameter: redirect_uri')
    expect(text).not.toContain('evil.example')
  })

  test('below the registered wildcard of our own origin a redirect is fine', async () => {
    const own = new URL(fixture.publicUrl).origin
    const good = await new Browser().open(portalRequest(issuer, { redirect_uri: `${own}/en/apps/1?tab=2` }).url)
    expect(good.status).toBe(303)
    expect(good.headers.get('location')).toContain('/login-actions/')
    const climbing = await new Browser().open(portalRequest(issuer, { redirect_uri: `${own}/en/..%2f..%2fx` }).url)
    expect(climbing.status).toBe(400)
  })

  test('signing in again for another client asks nothing', async () => {
    const browser = new Browser()
    await fullSignIn(browser, issuer)
    const silent = authRequest(issuer, {
      client_id: 'quayside-portal-ui-apps',
      redirect_uri: RETURN_TO,
      prompt: 'none',
    })
    const answer = await browser.open(silent.url)
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.searchParams.get('error')).toBeNull()
    expect(location.searchParams.get('code')).toEqual(expect.any(String))
  })

  test('silently, without a session, it answers login_required', async () => {
    const answer = await new Browser().open(portalRequest(issuer, { prompt: 'none' }).url)
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('login_required')
  })

  test('pushed parameters are used for the sign-in', async () => {
    const request = portalRequest(issuer)
    const pushed = await fetch(`${issuer}/protocol/openid-connect/ext/par/request`, {
      method: 'POST',
      body: new URLSearchParams(new URL(request.url).search),
    })
    expect(pushed.status).toBe(201)
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    const url = `${issuer}/protocol/openid-connect/auth?${new URLSearchParams({ client_id: PORTAL, request_uri })}`
    const page = await openSignIn(new Browser(), issuer, { ...request, url })
    expect(page.text).toContain('Sign in')
  })
})

describe('refreshing', () => {
  const refresh = (token: string) =>
    askToken(issuer, { grant_type: 'refresh_token', client_id: PORTAL, refresh_token: token })

  test('every refresh gives a new token; using an old one ends the family', async () => {
    const first = await fullSignIn(new Browser(), issuer)
    const second = await refresh(first.refresh_token ?? '')
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    expect(await refresh(first.refresh_token ?? '')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await refresh(second.body.refresh_token ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  test('of many refreshes with one token at once, one works', async () => {
    const { refresh_token = '' } = await fullSignIn(new Browser(), issuer)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('new roles are in the next token', async () => {
    const { admin } = fixture
    await admin.roles.create({ realm, name: 'harbour-master' })
    const role = await admin.roles.findOneByName({ realm, name: 'harbour-master' })
    const tokens = await fullSignIn(new Browser(), issuer)
    await admin.users.addRealmRoleMappings({
      realm,
      id: userId,
      roles: [{ id: role?.id ?? '', name: 'harbour-master' }],
    })
    const { body } = await refresh(tokens.refresh_token ?? '')
    expect(decodeJwt<{ realm_access: { roles: string[] } }>(body.access_token ?? '').realm_access.roles).toContain(
      'harbour-master',
    )
  })

  test('an idle session is over', async () => {
    const tokens = await fullSignIn(new Browser(), issuer)
    const { sid } = decodeJwt(tokens.access_token ?? '')
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(200)
    await fixture.sql("update oidc_artifact set used_at = now() - interval '31 minutes' where uid = $1", [sid])
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
    expect(await refresh(tokens.refresh_token ?? '')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a disabled person gets no more tokens', async () => {
    const { id } = await fixture.admin.users.create({
      realm,
      username: 'gone',
      enabled: true,
      credentials: [{ type: 'password', value: PASSWORD }],
    })
    const tokens = await fullSignIn(new Browser(), issuer, 'gone')
    await fixture.admin.users.update({ realm, id }, { enabled: false })
    expect((await refresh(tokens.refresh_token ?? '')).status).toBe(400)
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
  })
})

describe('revoking and signing out', () => {
  test('a revoked access token is refused from then on, and the answer is 200 either way', async () => {
    const tokens = await fullSignIn(new Browser(), issuer)
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(200)
    expect((await revoke(tokens.access_token ?? '')).status).toBe(200)
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
    expect((await revoke(tokens.access_token ?? '')).status).toBe(200)
    expect((await revoke('nonsense')).status).toBe(200)
  })

  test('a revoked refresh token refreshes nothing', async () => {
    const tokens = await fullSignIn(new Browser(), issuer)
    expect((await revoke(tokens.refresh_token ?? '')).status).toBe(200)
    const answer = await askToken(issuer, {
      grant_type: 'refresh_token',
      client_id: PORTAL,
      refresh_token: tokens.refresh_token ?? '',
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('an unknown client revokes nothing', async () => {
    const answer = await fetch(`${issuer}/protocol/openid-connect/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'x', client_id: 'nobody' }),
    })
    expect(answer.status).toBe(401)
  })

  test('with an identity token signing out goes straight back and ends everything', async () => {
    const browser = new Browser()
    const tokens = await fullSignIn(browser, issuer)
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token ?? '',
      client_id: PORTAL,
      post_logout_redirect_uri: RETURN_TO,
      state: 'after',
    })
    const answer = await browser.open(`${issuer}/protocol/openid-connect/logout?${query}`)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`${RETURN_TO}?state=after`)
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
    const again = await browser.open(portalRequest(issuer, { prompt: 'none' }).url)
    expect(again.headers.get('location')).toContain('error=login_required')
  })

  test('without one a page asks first', async () => {
    const browser = new Browser()
    const tokens = await fullSignIn(browser, issuer)
    const url = `${issuer}/protocol/openid-connect/logout`
    const page = await browser.open(url)
    expect(page.status).toBe(200)
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(200)
    const { response } = await browser.submit({ url, text: await page.text() }, issuer, {})
    expect(await response.text()).toContain('You are signed out')
    expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
  })

  describe('without a browser', () => {
    const signOut = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${issuer}/protocol/openid-connect/logout`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
      })
    const refused = async (answer: Response) => ({ status: answer.status, body: await answer.json() })

    test('a refresh token ends its session, with all that hangs on it, and no other one', async () => {
      const browser = new Browser()
      const [tokens, other] = [await fullSignIn(browser, issuer), await fullSignIn(new Browser(), issuer)]
      const fields = { client_id: PORTAL, refresh_token: tokens.refresh_token ?? '' }
      const answer = await signOut(fields)
      expect(answer.status).toBe(204)
      expect(await answer.text()).toBe('')
      expect((await userinfo(tokens.access_token ?? '')).status).toBe(401)
      const again = await browser.open(portalRequest(issuer, { prompt: 'none' }).url)
      expect(again.headers.get('location')).toContain('error=login_required')
      expect((await userinfo(other.access_token ?? '')).status).toBe(200)
      expect(await refused(await signOut(fields))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    })

    test('a wrong token, a missing one and one of another client end nothing and say so', async () => {
      await fixture.admin.clients.create({ realm, clientId: 'kept-secret', secret: 'kept-secret-secret' })
      const tokens = await fullSignIn(new Browser(), issuer)
      const token = tokens.refresh_token ?? ''
      const wrong = await signOut({ client_id: PORTAL, refresh_token: 'nonsense' })
      expect(await refused(wrong)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      const missing = await signOut({ client_id: PORTAL })
      expect(await refused(missing)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      const unknown = await signOut({ client_id: 'nobody', refresh_token: token })
      expect(await refused(unknown)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      const noSecret = await signOut({ client_id: 'kept-secret', refresh_token: token })
      expect(await refused(noSecret)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      const authorization = `Basic ${Buffer.from('kept-secret:kept-secret-secret').toString('base64')}`
      const ofAnother = await signOut({ refresh_token: token }, { authorization })
      expect(await refused(ofAnother)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect((await userinfo(tokens.access_token ?? '')).status).toBe(200)
    })
  })

  test('nobody is sent to an address that was not registered', async () => {
    const query = new URLSearchParams({ client_id: PORTAL, post_logout_redirect_uri: 'http://evil.example/' })
    const answer = await new Browser().open(`${issuer}/protocol/openid-connect/logout?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('the status frame tells a live session from an ended one', async () => {
    const browser = new Browser()
    const { access_token = '' } = await fullSignIn(browser, issuer)
    const { sid = '' } = decodeJwt<{ sid?: string }>(access_token)
    const ask = async (origin: string) =>
      (
        await browser.open(
          `${issuer}/protocol/openid-connect/login-status-iframe.html/init?${new URLSearchParams({ client_id: PORTAL, origin, session_state: sid })}`,
        )
      ).status
    expect(await ask('http://portal.example')).toBe(204)
    expect(await ask('http://evil.example')).toBe(403)
    await fixture.admin.users.logout({ realm, id: userId })
    expect(await ask('http://portal.example')).toBe(409)
  })
})

describe('scripts', () => {
  test('a service account gets a token that carries its own roles', async () => {
    const { admin } = fixture
    const { id } = await admin.clients.create({
      realm,
      clientId: 'ci-robot',
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      secret: 'robot-secret-robot',
      protocolMappers: [meantFor('ci-robot')],
    })
    const account = await admin.clients.getServiceAccountUser({ realm, id })
    expect(account.username).toBe('service-account-ci-robot')
    await admin.roles.create({ realm, name: 'deployer' })
    const role = await admin.roles.findOneByName({ realm, name: 'deployer' })
    await admin.users.addRealmRoleMappings({
      realm,
      id: account.id ?? '',
      roles: [{ id: role?.id ?? '', name: 'deployer' }],
    })
    const answer = await askToken(issuer, {
      grant_type: 'client_credentials',
      client_id: 'ci-robot',
      client_secret: 'robot-secret-robot',
    })
    expect(answer.status).toBe(200)
    expect(answer.body.refresh_token).toBeUndefined()
    const payload = decodeJwt<{ realm_access: { roles: string[] } }>(answer.body.access_token ?? '')
    expect(payload).toMatchObject({
      sub: account.id,
      azp: 'ci-robot',
      client_id: 'ci-robot',
      preferred_username: 'service-account-ci-robot',
    })
    expect(payload.realm_access.roles).toContain('deployer')

    const introspect = (token: string) =>
      fetch(`${issuer}/protocol/openid-connect/token/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('ci-robot:robot-secret-robot').toString('base64')}` },
        body: new URLSearchParams({ token }),
      }).then((response) => response.json())
    expect(await introspect(answer.body.access_token ?? '')).toMatchObject({
      active: true,
      username: 'service-account-ci-robot',
    })
    expect(await introspect('not-a-token')).toEqual({ active: false })
  })

  test('a wrong secret is refused', async () => {
    const answer = await askToken(issuer, {
      grant_type: 'client_credentials',
      client_id: 'ci-robot',
      client_secret: 'wrong',
    })
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('a person may exchange a permission ticket for a token that says so, once', async () => {
    const { admin } = fixture
    const [robot] = await admin.clients.find({ realm, clientId: 'ci-robot' })
    await admin.clients.createRole({ realm, id: robot?.id, name: 'view' })
    const role = await admin.clients.findRole({ realm, id: robot?.id ?? '', roleName: 'view' })
    const pat = await askToken(issuer, {
      grant_type: 'client_credentials',
      client_id: 'ci-robot',
      client_secret: 'robot-secret-robot',
    })
    const ticket = async () => {
      const answer = await fetch(`${issuer}/authz/protection/permission`, {
        method: 'POST',
        headers: { authorization: `Bearer ${pat.body.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify([{ resource_id: 'app-1', resource_scopes: ['view'] }]),
      })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { ticket: string }).ticket
    }
    const { access_token } = await fullSignIn(new Browser(), issuer)
    const exchange = (value: string) =>
      askToken(
        issuer,
        { grant_type: 'uma-ticket', client_id: PORTAL, ticket: value },
        { authorization: `Bearer ${access_token}` },
      )
    expect(await exchange(await ticket())).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    await admin.users.addClientRoleMappings({
      realm,
      id: userId,
      clientUniqueId: robot?.id ?? '',
      roles: [{ id: role?.id ?? '', name: 'view' }],
    })
    const value = await ticket()
    const granted = await exchange(value)
    expect(granted.status).toBe(200)
    expect(decodeJwt(granted.body.access_token ?? '')).toMatchObject({
      sub: userId,
      authorization: { permissions: [{ rsid: 'app-1', scopes: ['view'] }] },
    })
    // The portal's own token is meant for its API as well; what was granted here is for who made the ticket alone.
    expect(decodeJwt(access_token ?? '').aud).toContain('account')
    expect(decodeJwt(granted.body.access_token ?? '').aud).toBe('ci-robot')
    expect(await exchange(value)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a token of one realm is nothing in another', async () => {
    const other = await demoRealm(fixture, 'other')
    const { access_token } = await fullSignIn(new Browser(), issuer)
    const answer = await fetch(`${other.issuer}/protocol/openid-connect/userinfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(answer.status).toBe(401)
  })
})
