import { apiAudience } from '../../adapters/keycloak/realm/portal-clients.ts'

/** Clients that Keycloak keeps for itself. */
export const internalClients: readonly string[] = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]

const product = 'quayside'

/** Names that tokens of the portal itself, of its parts and of deployed apps carry. */
export function isReserved(clientId: string): boolean {
  return (
    clientId === product ||
    clientId === apiAudience ||
    clientId.startsWith(`${product}-`) ||
    internalClients.includes(clientId)
  )
}
