import { expect } from 'vitest'
import { type AuthRequest, askToken, authRequest, type Browser } from './browser.ts'
import type { IdentityFixture } from './identity-fixture.ts'

export const PORTAL = 'quayside-portal-ui'
export const RETURN_TO = 'http://portal.example/en/callback'
export const PASSWORD = 'correct horse 7'

/** A mapper that makes tokens of a client be meant for somebody. */
export const meantFor = (audience: string) => ({
  name: `for ${audience}`,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': audience, 'access.token.claim': 'true' },
})

/** A realm with the portal's public client and one person in it. */
export async function demoRealm(fixture: IdentityFixture, realm: string, settings: Record<string, unknown> = {}) {
  const { admin } = fixture
  await admin.realms.create({ realm, enabled: true, displayName: 'Demo harbour', eventsEnabled: true, ...settings })
  const portal = await admin.clients.create({
    realm,
    clientId: PORTAL,
    publicClient: true,
    redirectUris: [RETURN_TO, `${new URL(fixture.publicUrl).origin}/*`],
    webOrigins: ['http://portal.example'],
    protocolMappers: [meantFor('quayside-api')],
  })
  const user = await admin.users.create({
    realm,
    username: 'ada',
    email: 'ada@demo.example',
    firstName: 'Ada',
    lastName: 'Demo',
    enabled: true,
    attributes: { homescreen: ['apps'], currency: ['EUR'] },
    credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
  })
  return { realm, issuer: `${fixture.publicUrl}/realms/${realm}`, portalId: portal.id, userId: user.id }
}

export const portalRequest = (issuer: string, params: Record<string, string> = {}): AuthRequest =>
  authRequest(issuer, { client_id: PORTAL, redirect_uri: RETURN_TO, ...params })

/** Opens the sign-in page that an authorization request leads to. */
export async function openSignIn(browser: Browser, issuer: string, request: AuthRequest) {
  const { response, url } = await browser.follow(request.url, issuer)
  return { response, url, text: await response.text() }
}

/** Signs in with a password and gives the address with the code. */
export async function signInWith(
  browser: Browser,
  issuer: string,
  request: AuthRequest,
  username: string,
  password: string,
) {
  const page = await openSignIn(browser, issuer, request)
  expect(page.response.status).toBe(200)
  const { response, url } = await browser.submit(page, issuer, { username, password })
  return { response, url }
}

/** Exchanges the code in the address for tokens. */
export function redeem(issuer: string, request: AuthRequest, returned: string) {
  const code = new URL(returned).searchParams.get('code') ?? ''
  return askToken(issuer, {
    grant_type: 'authorization_code',
    client_id: PORTAL,
    redirect_uri: RETURN_TO,
    code,
    code_verifier: request.verifier,
  })
}

/** From nothing to tokens. */
export async function fullSignIn(browser: Browser, issuer: string, username = 'ada', password = PASSWORD) {
  const request = portalRequest(issuer)
  const { url } = await signInWith(browser, issuer, request, username, password)
  const { status, body } = await redeem(issuer, request, url)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
