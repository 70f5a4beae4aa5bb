import { fail } from '../../platform/http/errors.ts'
import type { ClientKey } from './introspection.ts'
import { type Keycloak, KeycloakRefused } from './keycloak.ts'
import { apiAudience } from './realm/portal-clients.ts'

/** The portal's own confidential client in a realm: tokens are meant for it, and it asks about them. */
interface ApiClient extends ClientKey {
  id: string
}

/** Finds the client of each realm with its secret; both are remembered until they are refused. */
export function createApiClients(keycloak: Keycloak) {
  const known = new Map<string, Promise<ApiClient>>()

  async function find(realm: string): Promise<ApiClient> {
    const [client] = await keycloak.run((kc) => kc.clients.find({ realm, clientId: apiAudience }))
    const id = client?.id
    if (!id) throw fail('iam.unreachable', { message: `The realm has no client ${apiAudience}.` })
    const { value } = await keycloak.run((kc) => kc.clients.getClientSecret({ realm, id }))
    return { id, clientId: apiAudience, secret: value ?? '' }
  }

  return {
    of(realm: string): Promise<ApiClient> {
      const finding =
        known.get(realm) ??
        find(realm).catch((error: unknown) => {
          known.delete(realm)
          if (error instanceof KeycloakRefused) throw fail('iam.unreachable', { cause: error })
          throw error
        })
      known.set(realm, finding)
      return finding
    },
    /** Its secret was refused, or it is there anew. */
    forget: (realm: string) => void known.delete(realm),
  }
}
export type ApiClients = ReturnType<typeof createApiClients>
