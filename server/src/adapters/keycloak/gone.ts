import { KeycloakRefused } from './keycloak.ts'

/** The object to remove is gone: also the answer to a repeated removal whose first answer was lost. */
export function isGone(error: unknown): boolean {
  return error instanceof KeycloakRefused && error.status === 404
}

/** Handles a rejection: undefined for what is gone; any other error is thrown on. */
export function ignoreGone(error: unknown): undefined {
  if (!isGone(error)) throw error
  return undefined
}

/** The object to create exists: somebody was quicker, or the answer to the first try was lost. */
export function isThere(error: unknown): boolean {
  return error instanceof KeycloakRefused && error.status === 409
}
