import { KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'

/** What shall be removed is not there: also the answer to a removal that is repeated, because its first answer was lost. */
export function isGone(error: unknown): boolean {
  return error instanceof KeycloakRefused && error.status === 404
}

export function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error
}

/** What shall be made is there: somebody was quicker, or the answer to the first try was lost. */
export function isThere(error: unknown): boolean {
  return error instanceof KeycloakRefused && error.status === 409
}
