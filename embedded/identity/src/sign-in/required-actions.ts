import type { User } from '../directory/users.ts'

/** Actions that the sign-in pages can ask for, in the order in which they ask. */
const known = ['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'UPDATE_PROFILE', 'VERIFY_EMAIL'] as const

export type RequiredAction = (typeof known)[number]

export const isRequiredAction = (name: unknown): name is RequiredAction => known.some((one) => one === name)

/** The action to ask for next; actions that have no page here are left for whoever handles them. */
export function nextRequiredAction(actions: readonly string[]): RequiredAction | undefined {
  return known.find((action) => actions.includes(action))
}

type Asked = Pick<User, 'required_actions' | 'email' | 'email_verified'>

/**
 * Actions that a person is asked for now: those that were set for them, and the confirmation of their address where the
 * realm wants it. Nobody is asked to confirm an address that they do not have, or have confirmed.
 */
export function dueActions(realm: { settings: { verifyEmail: boolean } }, user: Asked): string[] {
  const canVerify = user.email !== null && !user.email_verified
  const wanted = [...user.required_actions, ...(realm.settings.verifyEmail ? ['VERIFY_EMAIL'] : [])]
  return wanted.filter((action) => action !== 'VERIFY_EMAIL' || canVerify)
}
