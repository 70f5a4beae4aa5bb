import type { ProtocolMapper } from '../directory/builtin-scopes.ts'
import type { Carried } from '../directory/carried-roles.ts'
import type { Client } from '../directory/clients.ts'
import type { RoleName } from '../directory/effective-roles.ts'
import type { User } from '../directory/users.ts'
import type { JsonObject } from '../http/exchange.ts'

/** Claims about a person that identity tokens, access tokens and userinfo share. */
export function profileClaims(user: User): JsonObject {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  const attribute = (key: string) => user.attributes[key]?.[0]
  return {
    user_id: user.id,
    preferred_username: user.username,
    email_verified: user.email_verified,
    ...(user.email === null ? {} : { email: user.email }),
    ...(name === '' ? {} : { name }),
    ...(user.first_name === null ? {} : { given_name: user.first_name }),
    ...(user.last_name === null ? {} : { family_name: user.last_name }),
    ...(attribute('homescreen') === undefined ? {} : { homescreen: attribute('homescreen') }),
    ...(attribute('currency') === undefined ? {} : { currency: attribute('currency') }),
  }
}

const escapeDots = (name: string) => name.replaceAll('.', '\\.')
const partsOf = (path: string) => path.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))

function get(target: JsonObject, path: string): unknown {
  let at: unknown = target
  for (const part of partsOf(path)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as JsonObject)[part]
  }
  return at
}

const set = (target: JsonObject, path: string, value: unknown) => {
  const parts = partsOf(path)
  const last = parts.pop() ?? path
  let at = target
  for (const part of parts) {
    if (part === '__proto__') return
    // Names such as `constructor` are found on every object.
    if (!Object.hasOwn(at, part)) at[part] = {}
    at = at[part] as JsonObject
  }
  if (last !== '__proto__') at[last] = value
}

const properties: Readonly<Record<string, (user: User) => unknown>> = {
  id: (user) => user.id,
  username: (user) => user.username,
  email: (user) => user.email ?? undefined,
  firstName: (user) => user.first_name ?? undefined,
  lastName: (user) => user.last_name ?? undefined,
  emailVerified: (user) => user.email_verified,
}

type Config = Readonly<Record<string, string>>
type Add = (mapper: { config: Record<string, string>; source: string; claim: string }, target: Target) => void

/** Input of the mappers, and the claims and audiences that they add to. */
interface Target {
  client: Client
  user: User
  roles: readonly RoleName[]
  claims: JsonObject
  audiences: Set<string>
}

/** Names of roles under a claim; two mappers of the same claim add up. */
function addRoles(claims: JsonObject, claim: string, names: readonly string[]): void {
  const known = get(claims, claim)
  set(claims, claim, [...new Set([...(Array.isArray(known) ? known : []), ...names])])
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: Keycloak's own placeholder.
const ownerPlaceholder = '${client_id}'

/** Kinds of protocol mappers, as Keycloak names them. */
const mapperKinds: Readonly<Record<string, Add>> = {
  'oidc-audience-mapper'({ config }, { audiences }) {
    const audience = config['included.client.audience'] || config['included.custom.audience']
    if (audience) audiences.add(audience)
  },
  'oidc-audience-resolve-mapper'(_, { audiences, roles, client }) {
    for (const { client: owner } of roles) if (owner !== null && owner !== client.client_id) audiences.add(owner)
  },
  'oidc-usermodel-realm-role-mapper'({ claim }, { claims, roles }) {
    const names = roles.filter((role) => role.client === null).map((role) => role.name)
    addRoles(claims, claim || 'realm_access.roles', names)
  },
  'oidc-usermodel-client-role-mapper'({ config, claim }, { claims, roles }) {
    const only = config['usermodel.clientRoleMapping.clientId']
    for (const [owner, held] of Map.groupBy(roles, (role) => role.client)) {
      if (owner === null || (only && owner !== only)) continue
      const place = (claim || `resource_access.${ownerPlaceholder}.roles`).replace(ownerPlaceholder, escapeDots(owner))
      addRoles(
        claims,
        place,
        held.map((role) => role.name),
      )
    }
  },
  'oidc-hardcoded-claim-mapper'({ config, claim }, { claims }) {
    if (claim) set(claims, claim, config['claim.value'])
  },
  'oidc-usermodel-attribute-mapper'({ config, source, claim }, { claims, user }) {
    const values = user.attributes[source]
    if (claim && values?.length) set(claims, claim, config.multivalued === 'true' ? values : values[0])
  },
  'oidc-usermodel-property-mapper'({ source, claim }, { claims, user }) {
    const value = properties[source]?.(user)
    if (claim && value !== undefined) set(claims, claim, value)
  },
}

/** The protocol's own claims, and those by which we tell whether a token counts: no mapper says them. */
const reserved = ['iss', 'exp', 'iat', 'nbf', 'jti', 'typ', 'azp', 'sid', 'grant', 'client_id', 'authorization']

function mapped(client: Client, user: User, { scopes, roles }: Carried, says: (config: Config) => boolean): Target {
  const target: Target = { client, user, roles, claims: {}, audiences: new Set() }
  const own = Array.isArray(client.settings.protocolMappers)
    ? (client.settings.protocolMappers as ProtocolMapper[])
    : []
  for (const { protocolMapper, config = {} } of [...scopes.flatMap(({ mappers }) => mappers), ...own]) {
    if (!says(config)) continue
    const mapper = { config, source: config['user.attribute'] ?? '', claim: config['claim.name'] ?? '' }
    mapperKinds[protocolMapper]?.(mapper, target)
  }
  for (const name of reserved) delete target.claims[name]
  return target
}

/** Everything that an access token says beyond the protocol's own fields; an audience is there by a mapper alone. */
export function accessClaims(client: Client, user: User, carried: Carried): JsonObject & { aud: string[] } {
  const target = mapped(client, user, carried, (config) => config['access.token.claim'] !== 'false')
  // Nobody becomes somebody else by a mapper: `sub` is taken from `user_id`.
  return { ...profileClaims(user), ...target.claims, user_id: user.id, sub: user.id, aud: [...target.audiences] }
}

/** Answer to who asks about the owner of a token: mappers add to it where they say so. */
export function userinfoClaims(client: Client, user: User, carried: Carried): JsonObject {
  const { claims } = mapped(client, user, carried, (config) => config['userinfo.token.claim'] === 'true')
  return { ...claims, ...profileClaims(user), sub: user.id }
}
