import type { UiConfig } from '@quayside/contract/http/ui-config'
import type { UserManager } from 'oidc-client-ts'
import { isExpired, parseAccessToken, type TokenModel } from '../access-token.ts'
import type { Emitter } from '../emitter.ts'
import { mainKey } from './section-key.ts'
import { createSignInClient } from './sign-in-client.ts'
import type { SignInEvent } from './sign-in-events.ts'

export type SignInClients = ReturnType<typeof createSignInClients>

/** The client of the portal and those of its sections, each with the token that it holds. */
export function createSignInClients(config: UiConfig, home: string, events: Emitter<SignInEvent>) {
  const clientIds: Record<string, string> = { ...config.oidc.clients, [mainKey]: config.oidc.clientId }
  const clientIdOf = (key: string) => clientIds[key] ?? config.oidc.clientId
  const managers = new Map<string, UserManager>()
  const tokens = new Map<string, string>()
  const renewals = new Map<string, Promise<boolean>>()
  // Each component asks for it whenever it is drawn.
  let lastRead: TokenModel | undefined

  function managerOf(key: string): UserManager {
    const known = managers.get(key)
    if (known !== undefined) return known
    const made = createSignInClient(config, { key, clientId: clientIdOf(key), home }, events, (user) => {
      tokens.set(key, user.access_token)
      if (key === mainKey) forgetSectionsIfExpired()
    })
    made.events.addUserUnloaded(() => {
      tokens.delete(key)
    })
    managers.set(key, made)
    return made
  }

  /** A main token that comes back expired ends every client's sign-in. */
  function forgetSectionsIfExpired() {
    const main = tokenOf(mainKey)
    if (main === undefined || !isExpired(main.accessToken, Date.now())) return
    for (const manager of managers.values()) void manager.removeUser()
  }

  function tokenOf(key: string): TokenModel | undefined {
    const raw = tokens.get(key)
    if (raw === undefined) return undefined
    if (lastRead?.rawAccessToken !== raw) lastRead = parseAccessToken(raw)
    return lastRead
  }

  /** One renewal at a time: a refresh token works once, so calls that fail together wait for the same new one. */
  function silently(key: string): Promise<boolean> {
    const running = renewals.get(key) ?? renew(key).finally(() => renewals.delete(key))
    renewals.set(key, running)
    return running
  }

  async function renew(key: string): Promise<boolean> {
    try {
      events.emit({ name: 'SilentRenewStarted', client: key })
      return (await managerOf(key).signinSilent()) !== null
    } catch (error) {
      events.emit({ name: 'SilentRenewFailed', client: key, detail: error })
      return false
    }
  }

  return {
    sections: new Set(Object.keys(clientIds)),
    clientIdOf,
    managerOf,
    tokenOf,
    silently,
    rawTokenOf: (key: string) => tokens.get(key),
    /** Managers of the sections that are signed in. */
    sectionManagers: () =>
      [...managers].filter(([key]) => key !== mainKey && tokens.has(key)).map(([, manager]) => manager),
  }
}
