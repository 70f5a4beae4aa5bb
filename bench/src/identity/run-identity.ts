import { randomBytes } from 'node:crypto'
import { startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { inParallel } from '../cluster/rates.ts'

/** Addresses and credentials of a realm to measure. */
export interface MeasuredRealm {
  /** Base address of the Admin API of the realm. */
  adminUrl: string
  /** The client of the realm `master` that may administer it. */
  admin: { id: string; secret: string }
  masterIssuer: string
  issuer: string
  app: { clientId: string; redirectUri: string }
  script: { clientId: string; secret: string }
  person: { username: string; password: string }
}

// An identity server in a process of its own, so that asking and answering do not share a thread.
const people = Number(process.argv[2])
const realm = 'bench'
const password = 'correct horse 7'
const redirectUri = 'http://app.example/callback'
const secret = randomBytes(24).toString('base64url')
await using identity = await startIdentityFixture()
const { admin } = identity
await admin.realms.create({ realm, enabled: true })
await admin.clients.create({ realm, clientId: 'app', publicClient: true, redirectUris: [redirectUri] })
await admin.clients.create({
  realm,
  clientId: 'script',
  secret,
  publicClient: false,
  serviceAccountsEnabled: true,
  // Introspection answers to the audience of a token alone.
  protocolMappers: [
    {
      name: 'for itself',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-audience-mapper',
      config: { 'included.custom.audience': 'script', 'access.token.claim': 'true' },
    },
  ],
})
await admin.users.create({
  realm,
  username: 'ada',
  email: 'ada@bench.example',
  firstName: 'Ada',
  lastName: 'Lind',
  enabled: true,
  credentials: [{ type: 'password', value: password, temporary: false }],
})
await inParallel(people - 1, 8, async (at) => {
  const names = { firstName: `First ${at}`, lastName: `Last ${at % 50}` }
  await admin.users.create({ realm, username: `person-${at}`, email: `p${at}@bench.example`, enabled: true, ...names })
})
process.send?.({
  adminUrl: `${identity.url}/admin/realms/${realm}`,
  admin: identity.adminClient,
  masterIssuer: `${identity.publicUrl}/realms/master`,
  issuer: `${identity.publicUrl}/realms/${realm}`,
  app: { clientId: 'app', redirectUri },
  script: { clientId: 'script', secret },
  person: { username: 'ada', password },
} satisfies MeasuredRealm)
await new Promise((ended) => process.once('disconnect', ended))
