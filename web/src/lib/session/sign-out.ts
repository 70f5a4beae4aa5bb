import type { UserManager } from 'oidc-client-ts'
import { revokeTokens } from './revoke.ts'
import { mainKey } from './section-key.ts'

type Manager = Pick<UserManager, 'revokeTokens' | 'getUser' | 'signoutRedirect'>

interface Clients {
  sectionManagers(): Manager[]
  managerOf(key: string): Manager
}

/**
 * Signs out of each client. A token is revoked before what it depends on: an identity server that is asked about a token
 * whose session has ended records an error.
 */
export async function signOutEverywhere({ sectionManagers, managerOf }: Clients): Promise<void> {
  for (const manager of sectionManagers()) await revokeTokens(manager, ['access_token', 'refresh_token'])
  const main = managerOf(mainKey)
  const idToken = (await main.getUser())?.id_token
  // Logging off ends the session with its refresh tokens.
  await revokeTokens(main, ['access_token'])
  await main.signoutRedirect(idToken === undefined ? {} : { id_token_hint: idToken })
}
