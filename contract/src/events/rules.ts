/** Ten years in seconds. */
export const longestExpiration = 315_360_000

/** Types of sign-in events that people look for, in Keycloak's names. */
export const eventTypes = [
  ...['LOGIN', 'LOGIN_ERROR', 'LOGOUT', 'UPDATE_PASSWORD', 'UPDATE_PASSWORD_ERROR', 'UPDATE_TOTP', 'REMOVE_TOTP'],
  ...['UPDATE_PROFILE', 'UPDATE_EMAIL', 'UPDATE_CREDENTIAL', 'REMOVE_CREDENTIAL', 'GRANT_CONSENT', 'REVOKE_GRANT'],
  ...['IDENTITY_PROVIDER_LOGIN', 'IDENTITY_PROVIDER_LOGIN_ERROR', 'FEDERATED_IDENTITY_LINK'],
  ...['REMOVE_FEDERATED_IDENTITY', 'REGISTER', 'CLIENT_LOGIN', 'CLIENT_LOGIN_ERROR'],
] as const

export const adminOperations = ['CREATE', 'UPDATE', 'DELETE', 'ACTION'] as const

/** Types of things that admin events are about, in Keycloak's names. */
export const resourceTypes = [
  ...['USER', 'GROUP', 'GROUP_MEMBERSHIP', 'REALM_ROLE', 'CLIENT_ROLE', 'REALM_ROLE_MAPPING', 'CLIENT_ROLE_MAPPING'],
  ...['CLIENT', 'CLIENT_SCOPE', 'PROTOCOL_MAPPER', 'IDENTITY_PROVIDER', 'IDENTITY_PROVIDER_MAPPER', 'REALM'],
  ...['USER_SESSION', 'USER_LOGIN_FAILURE', 'USER_FEDERATED_IDENTITY', 'REQUIRED_ACTION'],
] as const
