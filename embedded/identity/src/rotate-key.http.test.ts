import KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import { afterEach, expect, test } from 'vitest'
import { startIdentity } from './identity.ts'
import { rotateIdentityKey } from './rotate-key.ts'
import { type IdentityFixture, startIdentityFixture } from './testing/identity-fixture.ts'

let fixture: IdentityFixture | undefined
afterEach(() => fixture?.[Symbol.asyncDispose]())

const before = 'the key from before, which is long enough'
const after = 'the key of today, which is long enough too'
const realm = 'demo'
const secret = 'secret-of-the-robot-0123456789'

/** Starts on the tables with these keys, does something by the Admin API, and stops again. */
async function during<T>(
  databaseUrl: string,
  keys: Keys,
  work: (admin: KeycloakAdminClient) => Promise<T>,
): Promise<T> {
  const adminClient = { id: 'quayside-server', secret: 'secret-of-the-portal-0123456789' }
  const identity = await startIdentity({ databaseUrl, publicUrl: 'http://127.0.0.1/auth', adminClient, ...keys })
  try {
    const admin = new KeycloakAdminClient({ baseUrl: identity.url, realmName: 'master' })
    await admin.auth({ grantType: 'client_credentials', clientId: adminClient.id, clientSecret: adminClient.secret })
    return await work(admin)
  } finally {
    await identity.close()
  }
}
type Keys = { secretKey: string; otherSecretKey?: string }

const secretOfRobot = async (admin: KeycloakAdminClient) =>
  (await admin.clients.find({ realm, clientId: 'robot' }))[0]?.secret

test('the key is rotated: both are read meanwhile, and afterwards the new one opens everything by itself', async () => {
  let kid: string | undefined
  const kidOf = async (admin: KeycloakAdminClient) =>
    (await admin.realms.getKeys({ realm })).keys?.map((key) => key.kid).join()
  fixture = await startIdentityFixture({
    secretKey: after,
    prepare: async (databaseUrl) => {
      await during(databaseUrl, { secretKey: before }, async (admin) => {
        await admin.realms.create({ realm, enabled: true })
        await admin.clients.create({ realm, clientId: 'robot', serviceAccountsEnabled: true, secret })
        const smtpServer = { host: 'mail.example', from: 'a@mail.example', password: 'mail-password-0123' }
        await admin.realms.update({ realm }, { smtpServer })
        kid = await kidOf(admin)
      })
      const keys = { secretKey: after, otherSecretKey: before }
      expect(await during(databaseUrl, keys, secretOfRobot)).toBe(secret)
      expect(await rotateIdentityKey(databaseUrl, after, before)).toBeGreaterThan(4)
      expect(await rotateIdentityKey(databaseUrl, after, before)).toBe(0)
    },
  })
  const { admin, url } = fixture
  expect(await kidOf(admin)).toBe(kid)
  const answer = await fetch(`${url}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'robot', client_secret: secret }),
  })
  expect(answer.status).toBe(200)
  // Mail settings that could not be opened would not be changed either.
  await admin.realms.update({ realm }, { displayName: 'Demo' })
  expect((await admin.realms.findOne({ realm }))?.smtpServer).toMatchObject({ password: '**********' })
  expect(fixture.reported).toEqual([])
  await expect(rotateIdentityKey(fixture.databaseUrl, 'a key that nothing is encrypted by', before)).rejects.toThrow(
    'cannot be decrypted',
  )
})
