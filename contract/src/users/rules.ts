/** Longest texts about a user, in characters. */
export const userLimits = { username: 255, email: 254, name: 255, attribute: 2000, password: 256 } as const

export const mostAttributes = 50
/** Groups that a user is put into when they are created. */
export const mostUserGroups = 50

/** Things that somebody can be asked to do at the next sign-in, by Keycloak's names. */
export const requiredActions = [
  ...(['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'VERIFY_EMAIL', 'UPDATE_PROFILE'] as const),
  ...(['webauthn-register', 'webauthn-register-passwordless'] as const),
] as const
export type RequiredAction = (typeof requiredActions)[number]
/** Those that a link can be for which somebody else hands over: a key that they set up themselves would stay. */
export const linkActions = ['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'VERIFY_EMAIL', 'UPDATE_PROFILE'] as const
export type LinkAction = (typeof linkActions)[number]
