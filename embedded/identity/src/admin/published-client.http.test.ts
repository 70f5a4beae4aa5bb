import { randomBytes } from 'node:crypto'
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIdentityFixture } from '../testing/identity-fixture.ts'

/** Calls of the published admin client, on a Keycloak when the run names one and on the embedded server otherwise. */
const { KEYCLOAK_URL, KEYCLOAK_CLIENT_ID = '', KEYCLOAK_CLIENT_SECRET } = process.env
const realm = `conformance-${randomBytes(4).toString('hex')}`
const open = new AsyncDisposableStack()
let kc: KeycloakAdminClient

async function onKeycloak(baseUrl: string): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl, realmName: 'master' })
  const signIn = () =>
    client.auth({
      ...{ grantType: 'client_credentials', clientId: KEYCLOAK_CLIENT_ID, clientSecret: KEYCLOAK_CLIENT_SECRET },
    })
  await signIn()
  await client.realms.create({ realm, enabled: true })
  // The token names no rights on a realm that was made after it.
  await signIn()
  return client
}

beforeAll(async () => {
  if (KEYCLOAK_URL) {
    kc = await onKeycloak(KEYCLOAK_URL)
    return
  }
  const fixture = open.use(await startIdentityFixture())
  kc = fixture.admin
  await kc.realms.create({ realm, enabled: true })
})
afterAll(async () => {
  await kc?.realms.del({ realm })
  await open.disposeAsync()
})

const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error instanceof NetworkError ? error.response.status : Promise.reject(error)),
  )

let made = 0
function fresh(word: string): string {
  made += 1
  return `${word}-${made}`
}
/** The realm, for calls whose types take nothing else. */
const here = { realm } as never
const names = (list: readonly { name?: string }[]) => list.map(({ name }) => name)

async function makeUser(more: object = {}) {
  const username = fresh('sailor')
  const { id } = await kc.users.create({ realm, username, enabled: true, email: `${username}@demo.example`, ...more })
  return { realm, id, username }
}
async function makeRole() {
  const name = fresh('role')
  await kc.roles.create({ realm, name })
  const { id = '' } = (await kc.roles.findOneByName({ realm, name })) ?? {}
  return { id, name }
}
async function makeClient(more: object = {}) {
  const clientId = fresh('app')
  const { id } = await kc.clients.create({ realm, clientId, ...more })
  return { realm, id, clientId }
}
async function makeScope() {
  const name = fresh('scope')
  const { id } = await kc.clientScopes.create({ realm, name, protocol: 'openid-connect' })
  return { realm, id, name }
}

describe('users', () => {
  test('are counted and searched, and keep what is not sent', async () => {
    const { id, username } = await makeUser({ firstName: 'Ada' })
    await kc.users.update({ realm, id }, { lastName: 'Byron' })
    expect(await kc.users.findOne({ realm, id })).toMatchObject({ firstName: 'Ada', lastName: 'Byron' })
    expect(await kc.users.count({ realm, search: username })).toBe(1)
    expect(await statusOf(kc.users.create({ realm, username }))).toBe(409)
    await kc.users.del({ realm, id })
    expect(await kc.users.findOne({ realm, id })).toBeNull()
  })

  test('have the groups that are searched and counted', async () => {
    const { id } = await makeUser()
    const { id: groupId } = await kc.groups.create({ realm, name: fresh('crew') })
    await kc.users.addToGroup({ realm, id, groupId })
    expect(await kc.users.countGroups({ realm, id })).toEqual({ count: 1 })
    expect(await kc.users.countGroups({ realm, id, search: 'nowhere' })).toEqual({ count: 0 })
    expect((await kc.groups.listMembers({ realm, id: groupId })).map((member) => member.id)).toEqual([id])
  })

  test('passwords are listed, renamed and removed; sessions and failures begin at nothing', async () => {
    const { id } = await makeUser()
    await kc.users.resetPassword({ realm, id, credential: { type: 'password', value: 'A-long-one-4711' } })
    const [password] = await kc.users.getCredentials({ realm, id })
    const credentialId = password?.id ?? ''
    await kc.users.updateCredentialLabel({ realm, id, credentialId }, 'of the desk')
    expect(await kc.users.getCredentials({ realm, id })).toMatchObject([{ type: 'password', userLabel: 'of the desk' }])
    await kc.users.deleteCredential({ realm, id, credentialId })
    expect(await kc.users.getCredentials({ realm, id })).toEqual([])
    expect(await kc.users.listSessions({ realm, id })).toEqual([])
    expect(await kc.attackDetection.findOne({ realm, id })).toMatchObject({ disabled: false, numFailures: 0 })
  })
})

test('roles within a role are searched, and come to users by it', async () => {
  const [outer, inner] = [await makeRole(), await makeRole()]
  await kc.roles.createComposite({ realm, roleId: outer.id }, [inner])
  expect(names(await kc.roles.getCompositeRoles({ realm, id: outer.id, search: inner.name }))).toEqual([inner.name])
  expect(await kc.roles.getCompositeRoles({ realm, id: outer.id, search: 'nothing-like-it' })).toEqual([])
  const { id } = await makeUser()
  await kc.users.addRealmRoleMappings({ realm, id, roles: [outer] })
  expect(names(await kc.users.listCompositeRealmRoleMappings({ realm, id }))).toContain(inner.name)
  expect(names(await kc.users.listRealmRoleMappings({ realm, id }))).not.toContain(inner.name)
})

const mapper = (name: string) => ({
  ...{ name, protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' },
  config: { 'claim.name': 'ship', 'claim.value': 'Ada', 'access.token.claim': 'true' },
})

describe('protocol mappers', () => {
  test('of a client are found by id and by protocol, and changed', async () => {
    const { id } = await makeClient()
    await kc.clients.addProtocolMapper({ realm, id }, mapper('ship'))
    const known = await kc.clients.findProtocolMapperByName({ realm, id, name: 'ship' })
    const mapperId = known?.id ?? ''
    const change = { ...mapper('ship'), id: mapperId, config: { ...mapper('ship').config, 'claim.value': 'Zoe' } }
    await kc.clients.updateProtocolMapper({ realm, id, mapperId }, change)
    expect(await kc.clients.findProtocolMapperById({ realm, id, mapperId })).toMatchObject({
      config: { 'claim.value': 'Zoe' },
    })
    const protocol = 'openid-connect'
    expect(names(await kc.clients.findProtocolMappersByProtocol({ realm, id, protocol }))).toEqual(['ship'])
    expect(await kc.clients.findProtocolMappersByProtocol({ realm, id, protocol: 'saml' })).toEqual([])
    await kc.clients.delProtocolMapper({ realm, id, mapperId })
    expect(await kc.clients.listProtocolMappers({ realm, id })).toEqual([])
    expect(await statusOf(kc.clients.updateProtocolMapper({ realm, id, mapperId }, change))).toBe(404)
  })

  test('of a client scope are, too', async () => {
    const { id } = await makeScope()
    await kc.clientScopes.addProtocolMapper({ realm, id }, mapper('ship'))
    const known = await kc.clientScopes.findProtocolMapperByName({ realm, id, name: 'ship' })
    const mapperId = known?.id ?? ''
    const change = { ...mapper('ship'), id: mapperId, config: { ...mapper('ship').config, 'claim.value': 'Zoe' } }
    await kc.clientScopes.updateProtocolMapper({ realm, id, mapperId }, change)
    expect(await kc.clientScopes.findProtocolMapper({ realm, id, mapperId })).toMatchObject({
      config: { 'claim.value': 'Zoe' },
    })
    await kc.clientScopes.delProtocolMapper({ realm, id, mapperId })
    expect(await kc.clientScopes.listProtocolMappers({ realm, id })).toEqual([])
  })
})

test('a new client has the default scopes of the realm, those that are there keep theirs', async () => {
  const [usual, onRequest] = [await makeScope(), await makeScope()]
  const before = await makeClient()
  await kc.clientScopes.addDefaultClientScope(usual)
  await kc.clientScopes.addDefaultOptionalClientScope(onRequest)
  expect(names(await kc.clientScopes.listDefaultClientScopes(here))).toContain(usual.name)
  expect(names(await kc.clientScopes.listDefaultOptionalClientScopes(here))).toContain(onRequest.name)
  const after = await makeClient()
  expect(names(await kc.clients.listDefaultClientScopes(after))).toEqual(expect.arrayContaining(['roles', usual.name]))
  expect(names(await kc.clients.listOptionalClientScopes(after))).toContain(onRequest.name)
  expect(names(await kc.clients.listDefaultClientScopes(before))).not.toContain(usual.name)
  await kc.clientScopes.delDefaultClientScope(usual)
  await kc.clientScopes.delDefaultOptionalClientScope(onRequest)
  expect(names(await kc.clientScopes.listDefaultClientScopes(here))).not.toContain(usual.name)
  expect(names(await kc.clientScopes.listDefaultOptionalClientScopes(here))).not.toContain(onRequest.name)
})

test('a client has no sessions at first, a secret that is renewed, and an account when it is to', async () => {
  const client = await makeClient({ serviceAccountsEnabled: true })
  expect(await kc.clients.getSessionCount(client)).toEqual({ count: 0 })
  expect(await kc.clients.listSessions(client)).toEqual([])
  expect(await kc.clients.getOfflineSessionCount(client)).toEqual({ count: 0 })
  expect(await kc.clients.listOfflineSessions(client)).toEqual([])
  const { value: old } = await kc.clients.getClientSecret(client)
  expect((await kc.clients.generateNewClientSecret(client)).value).not.toBe(old)
  expect(await kc.clients.getServiceAccountUser(client)).toMatchObject({
    username: `service-account-${client.clientId}`,
  })
})

test('events of a realm are kept as it is told to, and cleared', async () => {
  await kc.realms.updateConfigEvents({ realm }, { adminEventsEnabled: true, eventsEnabled: true })
  expect(await kc.realms.getConfigEvents({ realm })).toMatchObject({ adminEventsEnabled: true, eventsEnabled: true })
  const { id } = await makeUser()
  const of = { realm, operationTypes: 'CREATE' as never, resourcePath: `users/${id}` }
  expect(await kc.realms.findAdminEvents(of)).toMatchObject([{ resourceType: 'USER', resourcePath: `users/${id}` }])
  expect(await kc.realms.findEvents({ realm, user: id })).toEqual([])
  await kc.realms.clearAdminEvents({ realm })
  expect(await kc.realms.findAdminEvents(of)).toEqual([])
})

test('clients and roles are imported together: what is there is skipped, or refuses all of it', async () => {
  const [clientId, role] = [fresh('imported'), fresh('imported-role')]
  const rep = {
    clients: [{ clientId, publicClient: true }],
    roles: { realm: [{ name: role }], client: { [clientId]: [{ name: 'reader' }, { name: 'writer' }] } },
  }
  const first = await kc.realms.partialImport({ realm, rep: { ...rep, ifResourceExists: 'FAIL' } })
  expect(first).toMatchObject({ added: 4, skipped: 0 })
  const more = { ...rep, roles: { ...rep.roles, client: { [clientId]: [{ name: 'reader' }, { name: 'owner' }] } } }
  const again = await kc.realms.partialImport({ realm, rep: { ...more, ifResourceExists: 'SKIP' } })
  expect(again).toMatchObject({ added: 1, skipped: 3 })
  const other = fresh('imported')
  const both = { ...rep, clients: [{ clientId: other }, ...rep.clients] }
  expect(await statusOf(kc.realms.partialImport({ realm, rep: { ...both, ifResourceExists: 'FAIL' } }))).toBe(409)
  expect(await kc.clients.find({ realm, clientId: other })).toEqual([])

  const [client] = await kc.clients.find({ realm, clientId })
  expect(client).toMatchObject({ publicClient: true })
  expect(client?.defaultClientScopes).toContain('roles')
  const roles = await kc.clients.listRoles({ realm, id: client?.id ?? '' })
  expect(names(roles).sort()).toEqual(['owner', 'reader', 'writer'])
  expect(await kc.roles.findOneByName({ realm, name: role })).toMatchObject({ name: role })
})

test.skipIf(KEYCLOAK_URL)('calls that only Keycloak has are refused with a sentence', async () => {
  const { id } = await makeClient()
  const refusal = await kc.authenticationManagement.getFlows({ realm }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({
    response: { status: 501 },
    responseData: { errorMessage: expect.stringMatching(/steps are fixed/) },
  })
  for (const work of [
    () => kc.clientPolicies.listPolicies({ realm }),
    () => kc.clients.listResources({ realm, id }),
    () => kc.realms.export({ realm, exportClients: true }),
    () => kc.users.impersonation({ realm, id }, { user: id, realm }),
    () => kc.organizations.find({ realm }),
    () => kc.realms.partialImport({ realm, rep: { ifResourceExists: 'FAIL', users: [{ username: 'fresh' }] } }),
    () => kc.realms.partialImport({ realm, rep: { ifResourceExists: 'OVERWRITE', clients: [{ clientId: 'fresh' }] } }),
  ])
    expect(await statusOf(work())).toBe(501)
})
