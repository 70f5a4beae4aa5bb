/** Sign-in events as people read them; the identity server's own name stands for the others. */
export const eventWords: Readonly<Record<string, string>> = {
  LOGIN: 'Signed in',
  LOGIN_ERROR: 'Sign-in failed',
  LOGOUT: 'Signed out',
  UPDATE_PASSWORD: 'Password changed',
  UPDATE_PASSWORD_ERROR: 'New password refused',
  UPDATE_TOTP: 'Second factor set up',
  REMOVE_TOTP: 'Second factor removed',
  UPDATE_PROFILE: 'Profile changed',
  UPDATE_EMAIL: 'Address changed',
  UPDATE_CREDENTIAL: 'Way to sign in changed',
  REMOVE_CREDENTIAL: 'Way to sign in removed',
  GRANT_CONSENT: 'Consent given',
  REVOKE_GRANT: 'Consent taken back',
  IDENTITY_PROVIDER_LOGIN: 'Came from an identity provider',
  IDENTITY_PROVIDER_LOGIN_ERROR: 'Sign-in by an identity provider failed',
  FEDERATED_IDENTITY_LINK: 'Account linked to an identity provider',
  REMOVE_FEDERATED_IDENTITY: 'Link to an identity provider removed',
  REGISTER: 'Account made',
  CLIENT_LOGIN: 'Client signed in as itself',
  CLIENT_LOGIN_ERROR: 'Client could not sign in',
  CODE_TO_TOKEN: 'Tokens given',
  CODE_TO_TOKEN_ERROR: 'Tokens refused',
  REFRESH_TOKEN: 'Tokens renewed',
  REFRESH_TOKEN_ERROR: 'Renewal of tokens refused',
}

/** Kinds of things that were changed, as people read them. */
export const resourceWords: Readonly<Record<string, string>> = {
  USER: 'User',
  GROUP: 'Group',
  GROUP_MEMBERSHIP: 'Membership of a group',
  REALM_ROLE: 'Role',
  CLIENT_ROLE: 'Role of a client',
  REALM_ROLE_MAPPING: 'Roles of somebody',
  CLIENT_ROLE_MAPPING: 'Roles of a client that somebody has',
  CLIENT: 'Client',
  CLIENT_SCOPE: 'Client scope',
  PROTOCOL_MAPPER: 'Mapper of a client',
  IDENTITY_PROVIDER: 'Identity provider',
  IDENTITY_PROVIDER_MAPPER: 'Mapper of an identity provider',
  REALM: 'Settings of the realm',
  USER_SESSION: 'Sessions',
  USER_LOGIN_FAILURE: 'Lock of an account',
  USER_FEDERATED_IDENTITY: 'Link to an identity provider',
  REQUIRED_ACTION: 'Required action',
}

export const operationWords: Readonly<Record<string, string>> = {
  CREATE: 'Added',
  UPDATE: 'Changed',
  DELETE: 'Removed',
  ACTION: 'Done',
}

export const spanOptions = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last day' },
  { value: 'week', label: 'Last week' },
]
