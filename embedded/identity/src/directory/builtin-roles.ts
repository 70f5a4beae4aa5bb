/** The client whose roles decide who may use the Admin API on a realm. */
export const MANAGEMENT_CLIENT = 'realm-management'

const composites: Readonly<Record<string, readonly string[]>> = {
  'view-users': ['query-users', 'query-groups'],
  'view-clients': ['query-clients'],
}

const plain = [
  'create-client',
  'impersonation',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
  'view-authorization',
  'view-clients',
  'view-events',
  'view-identity-providers',
  'view-realm',
  'view-users',
]

/** Every role of the management client with the roles of the same client that it contains. */
export const managementRoles: ReadonlyMap<string, readonly string[]> = new Map([
  ...plain.map((name) => [name, composites[name] ?? []] as const),
  ['realm-admin', plain] as const,
])

/** Roles of the account client; the default role holds the first two. */
export const accountRoles = [
  'manage-account',
  'view-profile',
  'manage-account-links',
  'view-applications',
  'view-consent',
]
