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
