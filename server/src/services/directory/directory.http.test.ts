import { askToken } from '@quayside/embedded-identity/testing/browser'
import { type IdentityFixture, startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApiClients } from '../../adapters/keycloak/api-client.ts'
import { createKeycloak } from '../../adapters/keycloak/keycloak.ts'
import { provision } from '../../adapters/keycloak/realm/provision.ts'
import { openFaultProxy } from '../../adapters/keycloak/testing/fault-proxy.ts'
import { createStanding } from '../../platform/auth/standing.ts'
import { createLogger } from '../../platform/logging/logger.ts'
import { createDirectoryReads } from './reads.ts'

const realm = 'harbour'
let fixture: IdentityFixture
let faultProxy: Awaited<ReturnType<typeof openFaultProxy>>
let viewer: { id: string; name: string }

beforeAll(async () => {
  fixture = await startIdentityFixture()
  faultProxy = await openFaultProxy(fixture.url)
  await provisioned()
  const role = await fixture.admin.roles.findOneByName({ realm, name: 'quayside-viewer' })
  viewer = { id: role?.id ?? '', name: 'quayside-viewer' }
})
afterEach(() => {
  faultProxy.faultOf = () => undefined
})
afterAll(async () => {
  await faultProxy?.close()
  await fixture?.[Symbol.asyncDispose]()
})

function keycloak() {
  const { id: clientId, secret: clientSecret } = fixture.adminClient
  return createKeycloak({ url: faultProxy.url, publicUrl: fixture.publicUrl, clientId, clientSecret })
}
function readsNow() {
  const through = keycloak()
  return createDirectoryReads(through, createApiClients(through), faultProxy.url)
}
function provisioned() {
  const config = { url: 'http://portal.example', admin: { username: 'admin', password: 'A password 1' } }
  return provision({ keycloak: keycloak(), config, log: createLogger('silent') }, realm, 'Harbour')
}
const person = (username: string) => fixture.admin.users.create({ realm, username, enabled: true })
const give = (id: string) => fixture.admin.users.addRealmRoleMappings({ realm, id, roles: [viewer] })
const sees = 'quayside-portal-ui-clusters:clusters.view'

async function script(clientId: string, secret: string) {
  const audience = {
    name: 'audience',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': 'quayside-api', 'access.token.claim': 'true' },
  }
  const { id } = await fixture.admin.clients.create({
    ...{ realm, clientId, secret, serviceAccountsEnabled: true, attributes: { 'quayside.script': 'true' } },
    protocolMappers: [audience],
  })
  const account = await fixture.admin.clients.getServiceAccountUser({ realm, id })
  const issuer = `${fixture.publicUrl}/realms/${realm}`
  const { body } = await askToken(issuer, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  })
  return { id, userId: account.id ?? '', token: body.access_token ?? '' }
}

describe('somebody without a token at hand', () => {
  test('is known with roles, what is in them, groups and those above', async () => {
    const standing = createStanding(readsNow())
    const { id } = await person('mara')
    const top = await fixture.admin.groups.create({ realm, name: 'Dock' })
    const below = await fixture.admin.groups.createChildGroup({ realm, id: top.id }, { name: 'Crane' })
    await fixture.admin.groups.addRealmRoleMappings({ realm, id: top.id, roles: [viewer] })
    await fixture.admin.users.addToGroup({ realm, id, groupId: below.id ?? '' })
    const found = await standing.of(realm, id)
    expect(found?.username).toBe('mara')
    expect([...(found?.groupIds ?? [])].sort()).toEqual([top.id, below.id].sort())
    expect(found?.realmRoles).toContain('quayside-viewer')
    expect(found?.resourceRoles).toContain(sees)
    expect(await standing.of(realm, 'nobody')).toBeUndefined()
  })

  test('is nobody when disabled, and a script when its client is', async () => {
    const standing = createStanding(readsNow())
    const { id } = await person('ines')
    expect(await standing.of(realm, id)).toBeDefined()
    await fixture.admin.users.update({ realm, id }, { enabled: false })
    expect(await standing.readNow(realm, id)).toBeUndefined()
    const bot = await script('bot', 'bot-secret-bot-secret')
    expect(await standing.of(realm, bot.userId)).toBeDefined()
    await fixture.admin.clients.update({ realm, id: bot.id }, { clientId: 'bot', enabled: false })
    expect(await standing.readNow(realm, bot.userId)).toBeUndefined()
  })
})

describe('an identity server that cannot be reached', () => {
  test.each([
    ['answers with 503', 503],
    ['answers with 500', 500],
    ['breaks connections', 'reset'],
  ] as const)('and %s leaves what is known, and lets in nobody who is new', async (_, fault) => {
    const standing = createStanding(readsNow())
    const [known, unknown] = [await person(`known-${fault}`), await person(`unknown-${fault}`)]
    await give(known.id)
    const bot = await script(`bot-${fault}`, 'bot-secret-bot-secret')
    const token = { realm, userId: bot.userId, clientId: `bot-${fault}`, token: bot.token }
    expect(await standing.ofToken(token)).toBeDefined()
    expect((await standing.of(realm, known.id))?.resourceRoles).toContain(sees)
    faultProxy.faultOf = () => fault
    await expect(standing.readNow(realm, known.id)).rejects.toMatchObject({ code: 'iam.unreachable' })
    expect((await standing.of(realm, known.id))?.resourceRoles).toContain(sees)
    expect(await standing.ofToken(token)).toBeDefined()
    await expect(standing.of(realm, unknown.id)).rejects.toMatchObject({ code: 'iam.unreachable' })
    await expect(standing.ofToken({ ...token, token: `${bot.token}x` })).rejects.toMatchObject({
      code: 'iam.unreachable',
    })
  })
})

describe('the portal’s own client', () => {
  test('may get another secret while the portal runs', async () => {
    const reads = readsNow()
    const bot = await script('bot-three', 'bot-secret-bot-secret')
    expect(await reads.token(realm, bot.token)).toBeDefined()
    const [api] = await fixture.admin.clients.find({ realm, clientId: 'quayside-api' })
    await fixture.admin.clients.generateNewClientSecret({ realm, id: api?.id ?? '' })
    expect(await reads.token(realm, bot.token)).toBeDefined()
  })

  test('may be made anew while the portal runs, and nobody is taken for gone', async () => {
    const reads = readsNow()
    const { id } = await person('renate')
    expect(await reads.person(realm, id)).toBeDefined()
    const [api] = await fixture.admin.clients.find({ realm, clientId: 'quayside-api' })
    await fixture.admin.clients.del({ realm, id: api?.id ?? '' })
    await expect(reads.person(realm, id)).rejects.toMatchObject({ code: 'iam.unreachable' })
    await provisioned()
    expect(await reads.person(realm, id)).toMatchObject({ username: 'renate' })
  })

  test('takes its name back from a script that had it, whose tokens end with it', async () => {
    const [api] = await fixture.admin.clients.find({ realm, clientId: 'quayside-api' })
    await fixture.admin.clients.del({ realm, id: api?.id ?? '' })
    const sly = await script('quayside-api', 'sly-secret-sly-secret')
    await provisioned()
    const [now] = await fixture.admin.clients.find({ realm, clientId: 'quayside-api' })
    expect(now?.id).not.toBe(sly.id)
    expect(now?.attributes?.['quayside.script']).toBeUndefined()
    expect(await readsNow().token(realm, sly.token)).toBeUndefined()
  })
})
