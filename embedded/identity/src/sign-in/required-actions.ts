/** Actions that the sign-in pages can ask for, in the order in which they ask. */
const known = [
  ...(['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'UPDATE_PROFILE'] as const),
  ...(['webauthn-register', 'webauthn-register-passwordless'] as const),
] as const

export type RequiredAction = (typeof known)[number]

/** The action to ask for next; actions that have no page here are left for whoever handles them. */
export function nextRequiredAction(actions: readonly string[]): RequiredAction | undefined {
  return known.find((action) => actions.includes(action))
}
