import type { ApiClients } from '../../adapters/keycloak/api-client.ts'
import { createTokenSource, type TokenSource } from '../../adapters/keycloak/token-source.ts'

const timeoutMs = 1500
/** A realm, or a space, that has no permissions to give is not asked again for this long. */
const restMs = 60_000
const mostResting = 10_000

/**
 * Asks the identity server for permission tickets (UMA 2.0). One without authorization services, and one that knows
 * nothing of the space, gives none; nothing that goes wrong here makes a refusal anything but a refusal.
 */
export function createTickets(apiClients: ApiClients, keycloakUrl: string) {
  const sources = new Map<string, TokenSource>()
  const restsUntil = new Map<string, number>()
  const isResting = (key: string) => (restsUntil.get(key) ?? 0) > performance.now()

  function rest(key: string): undefined {
    if (restsUntil.size >= mostResting) restsUntil.clear()
    restsUntil.set(key, performance.now() + restMs)
  }

  async function sourceOf(realm: string): Promise<TokenSource> {
    const known = sources.get(realm)
    if (known) return known
    const { clientId, secret } = await apiClients.of(realm)
    const source = createTokenSource({ url: keycloakUrl, realm, clientId, clientSecret: secret })
    sources.set(realm, source)
    return source
  }

  async function ask(realm: string, spaceId: string, scope: string): Promise<Response> {
    const token = await (await sourceOf(realm)).token()
    return fetch(`${keycloakUrl}/realms/${encodeURIComponent(realm)}/authz/protection/permission`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ resource_id: spaceId, resource_scopes: [scope] }]),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }

  return {
    async ticketFor(realm: string, spaceId: string, scope: string): Promise<string | undefined> {
      const place = `${realm}\n${spaceId}\n${scope}`
      if (isResting(realm) || isResting(place)) return undefined
      try {
        const answer = await ask(realm, spaceId, scope)
        if (answer.status === 201) return ((await answer.json()) as { ticket?: string }).ticket
        await answer.body?.cancel()
        // Its secret may be another one by now.
        if (answer.status === 401) sources.delete(realm)
        return rest(answer.status === 400 ? place : realm)
      } catch {
        sources.delete(realm)
        return rest(realm)
      }
    },
  }
}
