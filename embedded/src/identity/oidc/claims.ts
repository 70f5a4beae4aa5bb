import type { Client } from '../directory/clients.ts'
import type { RoleName } from '../directory/effective-roles.ts'
import type { User } from '../directory/users.ts'
import type { JsonObject } from '../http/exchange.ts'

/** The audience that the portal's services ask for. */
export const API_AUDIENCE = 'quayside-api'

interface ProtocolMapper {
  protocolMapper?: string
  config?: Record<string, string>
}

/** What is said about a person in identity tokens, access tokens and userinfo alike. */
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

/** Roles in the two places where Keycloak puts them. */
export function roleClaims(roles: readonly RoleName[]): {
  realm_access: { roles: string[] }
  resource_access: Record<string, { roles: string[] }>
} {
  const resource: Record<string, { roles: string[] }> = {}
  for (const role of roles) {
    if (role.client === null) continue
    resource[role.client] ??= { roles: [] }
    resource[role.client]?.roles.push(role.name)
  }
  return {
    realm_access: { roles: roles.filter((role) => role.client === null).map((role) => role.name) },
    resource_access: resource,
  }
}

const set = (target: JsonObject, path: string, value: unknown) => {
  const parts = path.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
  const last = parts.pop() ?? path
  let at = target
  for (const part of parts) {
    if (part === '__proto__') return
    at[part] ??= {}
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

/** Claims and audiences that a client's own protocol mappers add. */
export function mappedClaims(client: Client, user: User): { claims: JsonObject; audiences: string[] } {
  const claims: JsonObject = {}
  const audiences: string[] = []
  const mappers = Array.isArray(client.settings.protocolMappers)
    ? (client.settings.protocolMappers as ProtocolMapper[])
    : []
  for (const { protocolMapper, config = {} } of mappers) {
    if (config['access.token.claim'] === 'false') continue
    const claim = config['claim.name']
    const source = config['user.attribute'] ?? ''
    if (protocolMapper === 'oidc-audience-mapper') {
      const audience = config['included.client.audience'] || config['included.custom.audience']
      if (audience) audiences.push(audience)
    } else if (claim && protocolMapper === 'oidc-hardcoded-claim-mapper') {
      set(claims, claim, config['claim.value'])
    } else if (claim && protocolMapper === 'oidc-usermodel-attribute-mapper') {
      const values = user.attributes[source]
      if (values?.length) set(claims, claim, config.multivalued === 'true' ? values : values[0])
    } else if (claim && protocolMapper === 'oidc-usermodel-property-mapper') {
      const value = properties[source]?.(user)
      if (value !== undefined) set(claims, claim, value)
    }
  }
  return { claims, audiences }
}

/** Everything that an access token says beyond the protocol's own fields. */
export function accessClaims(client: Client, user: User, roles: readonly RoleName[]): JsonObject & { aud: string[] } {
  const held = roleClaims(roles)
  const { claims, audiences } = mappedClaims(client, user)
  const others = Object.keys(held.resource_access).filter((owner) => owner !== client.client_id)
  return {
    ...profileClaims(user),
    ...held,
    ...claims,
    aud: [...new Set([API_AUDIENCE, 'account', ...others, ...audiences])],
  }
}
