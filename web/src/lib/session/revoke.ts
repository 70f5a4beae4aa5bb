import type { UserManager } from 'oidc-client-ts'

/** How often a refused revocation is tried again. */
const revocationRetries = 2

type Kind = 'refresh_token' | 'access_token'

/** Revokes these tokens, one after the other. A server that keeps refusing does not keep anyone signed in. */
export async function revokeTokens(manager: Pick<UserManager, 'revokeTokens'>, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) await revokeOne(manager, kind)
}

async function revokeOne(manager: Pick<UserManager, 'revokeTokens'>, kind: Kind) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await manager.revokeTokens([kind])
    } catch (error) {
      if (attempt < revocationRetries) continue
      console.warn('Revocation request failed', kind, error)
      return
    }
  }
}
