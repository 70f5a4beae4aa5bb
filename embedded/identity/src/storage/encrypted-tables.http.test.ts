import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { askToken, Browser } from '../testing/browser.ts'
import { demoRealm, fullSignIn, PASSWORD, PORTAL, portalRequest, signInWith } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'
import { migrations } from './migrations.ts'

let fixture: IdentityFixture | undefined
afterEach(() => fixture?.[Symbol.asyncDispose]())

const secret = 'planted-client-secret-0123456789'
const mailPassword = 'planted-mail-password-0123456789'

/** Also as base64, in which a payload may carry it. */
const spellings = (value: string) => [
  value,
  Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2),
  Buffer.from(value).toString('base64url').slice(0, -2),
]

describe('a dump of the database', () => {
  test('has no secret of a client, no private key, no code, no token, no session and no second factor', async () => {
    fixture = await startIdentityFixture()
    const realm = 'demo'
    const { issuer, userId } = await demoRealm(fixture, realm)
    await fixture.admin.clients.create({ realm, clientId: 'robot', serviceAccountsEnabled: true, secret })
    await fixture.admin.realms.update(
      { realm },
      { smtpServer: { host: 'mail.example', from: 'a@mail.example', password: mailPassword } },
    )
    expect((await fixture.admin.realms.findOne({ realm }))?.smtpServer).toMatchObject({ password: '**********' })
    const browser = new Browser()
    const tokens = await fullSignIn(browser, issuer)
    const unused = portalRequest(issuer)
    const { url } = await signInWith(new Browser(), issuer, unused, 'ada', PASSWORD)

    await fixture.admin.users.update({ realm, id: userId }, { requiredActions: ['CONFIGURE_TOTP'] })
    const page = await signInWith(new Browser(), issuer, portalRequest(issuer), 'ada', PASSWORD)
    const otpSecret = /secret=([A-Z2-7]+)/.exec(await page.response.text())?.[1] ?? ''
    expect(otpSecret.length).toBeGreaterThan(20)

    const planted = {
      'client secret': secret,
      'password of the mail server': mailPassword,
      'admin client secret': fixture.adminClient.secret,
      'refresh token': tokens.refresh_token ?? '',
      code: new URL(url).searchParams.get('code') ?? '',
      'session cookie': browser.cookie('IDENTITY_SESSION') ?? '',
      'second factor': otpSecret,
      'access token': tokens.access_token ?? '',
    }
    const dump = await fixture.dump()
    expect(dump).toContain('robot')
    for (const [what, value] of Object.entries(planted)) {
      expect(value.length, what).toBeGreaterThan(15)
      for (const spelling of spellings(value)) expect(dump.includes(spelling), what).toBe(false)
    }
    expect(dump).not.toMatch(/"d"\s*:|\\"d\\"/)

    // The encrypted secret still works.
    const again = await askToken(issuer, {
      grant_type: 'client_credentials',
      client_id: 'robot',
      client_secret: secret,
    })
    expect(again.status).toBe(200)
  })
})

describe('a database from before', () => {
  const [realmId, userId, clientId] = ['realm-1', 'user-1', 'client-1']
  const refreshToken = 'planted-refresh-token-0123456789-0123456789'
  const otp = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const cookieSecret = 'planted-cookie-secret-0123456789'

  /** Writes a database of the first version, with all values in clear. */
  async function oldDatabase(databaseUrl: string, privateKey: object): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const run = (text: string, values: unknown[] = []) => client.query(text, values)
    const json = JSON.stringify
    await run('create table identity_version (version int primary key, applied_at timestamptz default now())')
    await run(String(migrations[0]))
    await run('insert into identity_version (version) values (1)')
    const settings = { enabled: true, accessTokenLifespan: 300, ssoSessionIdleTimeout: 1800, eventsEnabled: false }
    const lifespans = { ssoSessionMaxLifespan: 36_000, accessCodeLifespan: 60, accessCodeLifespanLogin: 1800 }
    await run('insert into realm (id, name, settings, cookie_secret) values ($1, $2, $3, $4)', [
      ...[realmId, 'old', json({ ...settings, ...lifespans, enabledEventTypes: [], attributes: {} }), cookieSecret],
    ])
    await run('insert into signing_key (kid, realm_id, private_jwk) values ($1, $2, $3)', [
      ...['k1', realmId, json(privateKey)],
    ])
    const app = { enabled: true, publicClient: true, standardFlowEnabled: true, redirectUris: ['http://x.example/'] }
    const lists = { webOrigins: [], attributes: {}, defaultClientScopes: ['roles'], fullScopeAllowed: true }
    await run('insert into client (id, realm_id, client_id, settings) values ($1, $2, $3, $4)', [
      ...[clientId, realmId, PORTAL, json({ ...app, ...lists })],
    ])
    const robot = { enabled: true, publicClient: false, serviceAccountsEnabled: true, redirectUris: [], ...lists }
    await run('insert into client (id, realm_id, client_id, settings, secret) values ($1, $2, $3, $4, $5)', [
      ...['client-2', realmId, 'robot', json(robot), secret],
    ])
    await run('insert into user_account (id, realm_id, username, service_client) values ($1, $2, $3, $4)', [
      ...['user-2', realmId, 'service-account-robot', 'client-2'],
    ])
    await run("insert into user_account (id, realm_id, username) values ($1, $2, 'ada')", [userId, realmId])
    await run("insert into credential (id, user_id, type, secret) values ('o1', $1, 'otp', $2)", [userId, otp])
    const now = Math.floor(Date.now() / 1000)
    const token = { jti: refreshToken, accountId: userId, clientId: 'robot', kind: 'RefreshToken', exp: now + 900 }
    await run(
      `insert into oidc_artifact (realm_id, model, id, payload, grant_id, expires_at)
       values ($1, 'RefreshToken', $2, $3, 'g1', now() + interval '15 minutes')`,
      [realmId, refreshToken, json({ ...token, iat: now })],
    )
    await client.end()
  }

  test('is encrypted at the next start, and what it knew goes on working', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(privateKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
    fixture = await startIdentityFixture({ prepare: (databaseUrl) => oldDatabase(databaseUrl, jwk) })
    const dump = await fixture.dump()
    for (const value of [secret, refreshToken, otp, cookieSecret, String(jwk.d)]) {
      for (const spelling of spellings(value)) expect(dump).not.toContain(spelling)
    }
    const issuer = `${fixture.publicUrl}/realms/old`
    const robot = { client_id: 'robot', client_secret: secret }
    const { status, body } = await askToken(issuer, { grant_type: 'client_credentials', ...robot })
    expect(status, JSON.stringify(body)).toBe(200)
    const told = await fetch(`${issuer}/protocol/openid-connect/token/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...robot, token: refreshToken }),
    })
    expect(await told.json()).toMatchObject({ active: true, sub: userId })
    const keys = (await (await fetch(`${issuer}/protocol/openid-connect/certs`)).json()) as { keys: { n: string }[] }
    expect(keys.keys.map(({ n }) => n)).toEqual([jwk.n])
    // The kept form is the digest alone.
    expect(dump).toContain(createHash('sha256').update(refreshToken).digest('base64url'))
  })
})
