import type CredentialRepresentation from '@keycloak/keycloak-admin-client/lib/defs/credentialRepresentation.js'
import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type UserConsentRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userConsentRepresentation.js'
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import type UserSessionRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userSessionRepresentation.js'
import type { Role } from '@quayside/contract/roles/endpoints'
import type { Consent, Credential, UserSession } from '@quayside/contract/users/credentials'
import type { User, UserDetail } from '@quayside/contract/users/endpoints'

export function toUser(user: UserRepresentation): User {
  return {
    id: user.id ?? '',
    username: user.username ?? '',
    email: user.email ?? null,
    firstName: user.firstName ?? null,
    lastName: user.lastName ?? null,
    enabled: user.enabled ?? false,
    createdAt: user.createdTimestamp === undefined ? null : new Date(user.createdTimestamp).toISOString(),
  }
}

const ofScript = 'service-account-'

/**
 * Client id of the client whose service account this is; null for a person. Keycloak calls these accounts so, and its
 * lists and answers tell them apart by nothing else.
 */
export function serviceAccountOf({ username }: Pick<UserRepresentation, 'username'>): string | null {
  return username?.startsWith(ofScript) ? username.slice(ofScript.length) : null
}

/** @param withAttributes false leaves them out, for who may not see them */
export function toUserDetail(user: UserRepresentation, withAttributes: boolean): UserDetail {
  return {
    ...toUser(user),
    emailVerified: user.emailVerified ?? false,
    requiredActions: (user.requiredActions ?? []).map(String),
    attributes: withAttributes ? ((user.attributes ?? {}) as Record<string, string[]>) : null,
    serviceAccountOf: serviceAccountOf(user),
  }
}

const isoOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : new Date(milliseconds).toISOString()

export const toCredential = (one: CredentialRepresentation): Credential => ({
  id: one.id ?? '',
  type: one.type ?? '',
  label: one.userLabel || null,
  createdAt: isoOf(one.createdDate),
})

export const toConsent = (one: UserConsentRepresentation): Consent => ({
  clientId: one.clientId ?? '',
  scopes: one.grantedClientScopes ?? [],
  grantedAt: isoOf(one.createdDate),
})

export const toSession = (session: UserSessionRepresentation): UserSession => ({
  id: session.id ?? '',
  ipAddress: session.ipAddress || null,
  startedAt: new Date(session.start ?? 0).toISOString(),
  lastAccessAt: new Date(session.lastAccess ?? 0).toISOString(),
  clients: Object.values(session.clients ?? {}).map(String),
})

export function toRole(role: RoleRepresentation): Role {
  // Keycloak describes its own roles by keys of its message files.
  const description = role.description?.startsWith('${') ? '' : (role.description ?? '')
  return { id: role.id ?? '', name: role.name ?? '', description, composite: role.composite ?? false }
}

export const toRef = (group: GroupRepresentation) => ({ id: group.id ?? '', name: group.name ?? '' })
