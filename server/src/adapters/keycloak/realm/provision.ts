import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import { allRoles, clientOf, realmRoles } from '@quayside/contract/permissions/roles'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { ignoreGone } from '../gone.ts'
import { type Keycloak, KeycloakRefused } from '../keycloak.ts'
import { apiClient, mappers, type PortalClient, portalClients, scriptMark } from './portal-clients.ts'

export interface ProvisionDeps {
  keycloak: Keycloak
  config: Pick<Config, 'url' | 'admin'>
  log: Logger
}

const atOnce = 4

/** Settings of a realm that the portal creates; an existing realm keeps its own. */
function newRealm(realm: string, displayName: string, portalUrl: string) {
  return {
    realm,
    displayName,
    enabled: true,
    sslRequired: portalUrl.startsWith('https:') ? 'external' : 'none',
    loginWithEmailAllowed: true,
    registrationAllowed: false,
    passwordPolicy: 'length(8) and notUsername(undefined)',
    bruteForceProtected: true,
    failureFactor: 10,
    waitIncrementSeconds: 60,
    maxFailureWaitSeconds: 900,
    eventsEnabled: true,
    eventsExpiration: 30 * 24 * 3600,
    adminEventsEnabled: true,
    attributes: { adminEventsExpiration: String(365 * 24 * 3600) },
    accessTokenLifespan: 300,
    ssoSessionIdleTimeout: 1800,
    ssoSessionMaxLifespan: 36_000,
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
  }
}

/** Two replicas may provision at the same time: what the other one has just made is fine. */
async function unlessThere(making: Promise<unknown>): Promise<void> {
  try {
    await making
  } catch (error) {
    if (!(error instanceof KeycloakRefused && error.status === 409)) throw error
  }
}

async function ensureRealm({ keycloak, config }: ProvisionDeps, realm: string, displayName: string): Promise<void> {
  if (await keycloak.run((kc) => kc.realms.findOne({ realm }))) return
  await unlessThere(keycloak.run((kc) => kc.realms.create(newRealm(realm, displayName, config.url))))
  keycloak.renewToken()
  await allowAttributes(keycloak, realm)
  await importClients(keycloak, realm, portalClients(config.url))
}

/** Makes clients and their roles in one call; one by one they are the longest part of a first start. */
async function importClients(keycloak: Keycloak, realm: string, clients: readonly PortalClient[]): Promise<void> {
  const representations = clients.map(({ representation }) => ({ ...representation, protocolMappers: [...mappers] }))
  const roles = clients.map(({ clientId, roles: names }) => [clientId, names.map((name) => ({ name }))] as const)
  const rep = {
    ifResourceExists: 'SKIP',
    clients: representations,
    roles: { client: Object.fromEntries(roles) },
  } as const
  // An identity server that refuses the import has everything made one by one.
  await keycloak.run((kc) => kc.realms.partialImport({ realm, rep })).catch(ignoreRefusal)
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof KeycloakRefused)) throw error
}

/** Keycloak leaves out attributes that its user profile does not name, unless administrators may set any. */
async function allowAttributes(keycloak: Keycloak, realm: string): Promise<void> {
  const profile = await keycloak.run((kc) => kc.users.getProfile({ realm })).catch(ignoreGone)
  // The embedded identity server has no profile and keeps every attribute.
  if (!profile) return
  const unmanagedAttributePolicy = 'ADMIN_EDIT' as NonNullable<typeof profile.unmanagedAttributePolicy>
  await keycloak.run((kc) => kc.users.updateProfile({ ...profile, realm, unmanagedAttributePolicy }))
}

/** The list with ours in it, or undefined when nothing is missing. */
function withMissing(known: readonly string[] = [], ours: readonly string[] = []): string[] | undefined {
  const missing = ours.filter((entry) => !known.includes(entry))
  return missing.length === 0 ? undefined : [...known, ...missing]
}

async function alignClient(
  keycloak: Keycloak,
  realm: string,
  found: ClientRepresentation,
  wanted: ClientRepresentation,
) {
  const id = found.id ?? ''
  const redirectUris = withMissing(found.redirectUris, wanted.redirectUris)
  const webOrigins = withMissing(found.webOrigins, wanted.webOrigins)
  if (redirectUris || webOrigins) {
    const change = {
      ...found,
      redirectUris: redirectUris ?? found.redirectUris,
      webOrigins: webOrigins ?? found.webOrigins,
    }
    await keycloak.run((kc) => kc.clients.update({ realm, id }, change))
  }
  const names = new Set(found.protocolMappers?.map((mapper) => mapper.name))
  const missing = mappers.filter((mapper) => !names.has(mapper.name))
  if (missing.length > 0) {
    await unlessThere(keycloak.run((kc) => kc.clients.addMultipleProtocolMappers({ realm, id }, [...missing])))
  }
}

/** Makes sure of the portal's own client. A script that took its name before names were reserved loses it. */
async function ensureApiClient({ keycloak, log }: ProvisionDeps, realm: string): Promise<void> {
  const { clientId = '' } = apiClient
  const [found] = await keycloak.run((kc) => kc.clients.find({ realm, clientId }))
  const isOthers = found?.attributes?.[scriptMark] === 'true' || found?.publicClient
  if (found?.id && !isOthers) {
    const names = new Set(found.protocolMappers?.map((mapper) => mapper.name))
    const missing = apiClient.protocolMappers?.filter((mapper) => !names.has(mapper.name)) ?? []
    const { id } = found
    if (!found.fullScopeAllowed || !found.enabled || !found.serviceAccountsEnabled)
      await keycloak.run((kc) => kc.clients.update({ realm, id }, { ...found, ...ownWays }))
    if (missing.length > 0)
      await unlessThere(keycloak.run((kc) => kc.clients.addMultipleProtocolMappers({ realm, id }, missing)))
    return
  }
  if (found?.id) {
    const { id } = found
    log.warn({ realm, clientId }, 'a client had taken the name of the portal itself; it is made anew')
    await keycloak.run((kc) => kc.clients.del({ realm, id }))
  }
  // An identity server whose authorization services are switched off refuses the switch, and gives no tickets.
  const withTickets = { ...apiClient, authorizationServicesEnabled: true, realm }
  await unlessThere(
    keycloak
      .run((kc) => kc.clients.create(withTickets))
      .catch((error: unknown) => {
        if (!(error instanceof KeycloakRefused && error.status === 400)) throw error
        return keycloak.run((kc) => kc.clients.create({ ...apiClient, realm }))
      }),
  )
}

const ownWays = { enabled: true, fullScopeAllowed: true, serviceAccountsEnabled: true }

/** Makes sure of one client and its roles; gives its internal id and the roles by name. */
async function ensureClient(keycloak: Keycloak, realm: string, client: PortalClient) {
  const find = async () => (await keycloak.run((kc) => kc.clients.find({ realm, clientId: client.clientId })))[0]
  const known = await find()
  if (known) await alignClient(keycloak, realm, known, client.representation)
  else {
    const fresh = { ...client.representation, protocolMappers: [...mappers], realm }
    await unlessThere(keycloak.run((kc) => kc.clients.create(fresh)))
  }
  const id = (known ?? (await find()))?.id
  if (!id) throw new Error(`client ${client.clientId} vanished while it was set up`)
  const listRoles = () => keycloak.run((kc) => kc.clients.listRoles({ realm, id }))
  let roles = await listRoles()
  const missing = client.roles.filter((name) => !roles.some((role) => role.name === name))
  for (const name of missing) await unlessThere(keycloak.run((kc) => kc.clients.createRole({ realm, id, name })))
  if (missing.length > 0) roles = await listRoles()
  return new Map(roles.map((role) => [role.name ?? '', role]))
}

/** The embedded identity server keeps an enabled person in a role with this attribute; Keycloak only keeps the attribute. */
const lastHolderStays = 'quayside.last-holder-stays'

async function ensureRealmRole(
  keycloak: Keycloak,
  realm: string,
  name: keyof typeof realmRoles,
  content: readonly RoleRepresentation[],
): Promise<RoleRepresentation> {
  const { description } = realmRoles[name]
  const find = () => keycloak.run((kc) => kc.roles.findOneByName({ realm, name }))
  if (!(await find())) await unlessThere(keycloak.run((kc) => kc.roles.create({ realm, name, description })))
  const role = await find()
  const id = role?.id
  if (role && id && name === 'quayside-admin' && !role.attributes?.[lastHolderStays]) {
    const attributes = { ...role.attributes, [lastHolderStays]: ['true'] }
    await keycloak.run((kc) => kc.roles.updateById({ realm, id }, { ...role, attributes }))
  }
  if (!role || !id) throw new Error(`role ${name} vanished while it was set up`)
  const inside = new Set((await keycloak.run((kc) => kc.roles.getCompositeRoles({ realm, id }))).map((part) => part.id))
  const missing = content.filter((part) => !inside.has(part.id))
  if (missing.length > 0) await keycloak.run((kc) => kc.roles.createComposite({ realm, roleId: id }, [...missing]))
  return role
}

/** An administrator for a realm that has no user of that name; one that is there keeps their password and roles. */
async function ensureAdmin({ keycloak, config, log }: ProvisionDeps, realm: string, adminRole: RoleRepresentation) {
  const { username, password } = config.admin
  const [known] = await keycloak.run((kc) => kc.users.find({ realm, username, exact: true }))
  if (known) return
  if (password === undefined) {
    log.warn({ realm, username }, 'the realm has no administrator: set QUAYSIDE_ADMIN_PASSWORD to have one made')
    return
  }
  const { id } = await keycloak.run((kc) =>
    kc.users.create({
      realm,
      username,
      enabled: true,
      // Keycloak asks who has none for an address before anything else.
      email: username.includes('@') ? username : `${username}@${new URL(config.url).hostname}`,
      emailVerified: true,
      firstName: 'Portal',
      lastName: 'Administrator',
      credentials: [{ type: 'password', value: password, temporary: false }],
    }),
  )
  const roles = [{ id: adminRole.id ?? '', name: adminRole.name ?? '' }]
  await keycloak.run((kc) => kc.users.addRealmRoleMappings({ realm, id, roles }))
}

/** Brings a realm to what the portal needs: clients, roles, an administrator. Safe to repeat, by several replicas. */
export async function provision(deps: ProvisionDeps, realm: string, displayName: string): Promise<void> {
  const { keycloak, config } = deps
  await ensureRealm(deps, realm, displayName)
  await ensureApiClient(deps, realm)
  const clients = portalClients(config.url)
  const rolesOf = new Map(
    await mapLimit(
      atOnce,
      clients,
      async (client) => [client.clientId, await ensureClient(keycloak, realm, client)] as const,
    ),
  )
  const content = (name: keyof typeof realmRoles) =>
    allRoles.filter(realmRoles[name].holds).flatMap(({ section, role }) => {
      const found = rolesOf.get(clientOf(section))?.get(role)
      return found ? [found] : []
    })
  const admin = await ensureRealmRole(keycloak, realm, 'quayside-admin', content('quayside-admin'))
  for (const name of ['quayside-operator', 'quayside-viewer', 'quayside-member'] as const)
    await ensureRealmRole(keycloak, realm, name, content(name))
  await ensureAdmin(deps, realm, admin)
}
