import type { UserManager } from 'oidc-client-ts'

/** How often a refused revocation is tried again. */
const revocationRetries = 2

/** Revokes the refresh token, then the access token. A server that keeps refusing does not keep anyone signed in. */
export async function revokeTokens(manager: Pick<UserManager, 'revokeTokens'>): Promise<void> {
  for (const kind of ['refresh_token', 'access_token'] as const) {
    await revokeOne(manager, kind)
  }
}

async function revokeOne(manager: Pick<UserManager, 'revokeTokens'>, kind: 'refresh_token' | 'access_token') {
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
