import type { UiConfig } from '@quayside/contract/ui-config'
import type { UserManager } from 'oidc-client-ts'
import { isExpired, parseAccessToken, type TokenModel } from '../access-token.ts'
import type { TokenSource } from '../api/api.ts'
import { createEmitter, type Emitter } from '../emitter.ts'
import { exchangeTicket } from './exchange-ticket.ts'
import { revokeTokens } from './revoke.ts'
import { saveRoute, takeSavedRoute } from './saved-route.ts'
import { mainKey, sectionKey } from './section-key.ts'
import { createSignInClient } from './sign-in-client.ts'
import type { SignInEvent } from './sign-in-events.ts'
import { noteSignIn } from './sign-in-limit.ts'

/** Left by a sign-in, so that the next load tries the silent way before it leaves the page. */
const signedInBefore = 'quayside.signed-in'

/** The answer of the identity server, when the address carries one. */
export function answerIn(href: string): URLSearchParams | undefined {
  const query = new URL(href).searchParams
  return query.has('state') && (query.has('code') || query.has('error')) ? query : undefined
}

/** An answer to a question that this tab has not asked, or asked too long ago (a bookmark, the back button). */
export function isStaleAnswer(error: unknown): boolean {
  return error instanceof Error && /no matching state|login_required/i.test(error.message)
}

/** How the first check of a page load ended. */
export type StartOutcome = 'signed-in' | 'leaving'

export interface Session {
  events: Emitter<SignInEvent>
  tokens: TokenSource
  /** Signs in if it must; 'leaving' means that the browser is on its way to the sign-in page. */
  start(): Promise<StartOutcome>
  /** The main token, or undefined when nobody is signed in. */
  token(): TokenModel | undefined
  /** Signs a section's own client in, silently; without one the main token serves. */
  enterSection(path: string): Promise<void>
  signOut(): Promise<void>
  signInAgain(): Promise<void>
  /** The server does not stand behind this sign-in any more: a session that lives gives a new token, else signing in follows. */
  checkAgain(): Promise<void>
}

interface Options {
  config: UiConfig
  /** The address of the app's root, where the sign-in comes back to. */
  home: string
  location: () => { href: string; path: string }
  navigate: { replace(path: string): void; reload(): void }
}

export function createSession({ config, home, location, navigate }: Options): Session {
  const events = createEmitter<SignInEvent>()
  const clientIds: Record<string, string> = { ...config.oidc.clients, [mainKey]: config.oidc.clientId }
  const managers = new Map<string, UserManager>()
  const tokens = new Map<string, string>()
  const renewals = new Map<string, Promise<boolean>>()
  // Each component asks for it whenever it is drawn.
  let lastRead: TokenModel | undefined
  const sections = new Set(Object.keys(clientIds))
  let leaving = false
  events.emit({ name: 'ConfigLoaded', client: mainKey })

  function managerOf(key: string): UserManager {
    const known = managers.get(key)
    if (known !== undefined) return known
    const client = { key, clientId: clientIds[key] ?? config.oidc.clientId, home }
    const made = createSignInClient(config, client, events, (user) => {
      tokens.set(key, user.access_token)
      if (key === mainKey) forgetSectionsIfExpired()
    })
    made.events.addUserUnloaded(() => {
      tokens.delete(key)
    })
    managers.set(key, made)
    return made
  }

  /** A main token that comes back expired ends every client's sign-in (section 4.6). */
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

  async function signInAgain() {
    if (leaving) return
    if (!noteSignIn(Date.now())) throw new Error('Signing in worked, but it does not last. Try again in a minute.')
    leaving = true
    localStorage.removeItem(signedInBefore)
    saveRoute(location().path)
    await managerOf(mainKey).signinRedirect()
  }

  async function finishRedirect(): Promise<boolean> {
    const answer = answerIn(location().href)
    if (answer === undefined) return false
    try {
      await managerOf(mainKey).signinRedirectCallback(location().href)
      navigate.replace(takeSavedRoute() ?? '/')
      return true
    } catch (error) {
      events.emit({ name: 'CheckingAuthFinishedWithError', client: mainKey, detail: error })
      navigate.replace('/')
      // Going round again would meet the same refusal: only an answer that is not ours any more is worth a new start.
      if (!isStaleAnswer(error)) throw error
      return false
    }
  }

  async function start(): Promise<StartOutcome> {
    events.emit({ name: 'CheckingAuth', client: mainKey })
    const known =
      (await finishRedirect()) || (localStorage.getItem(signedInBefore) !== null && (await silently(mainKey)))
    if (!known) {
      await signInAgain()
      return 'leaving'
    }
    localStorage.setItem(signedInBefore, '1')
    events.emit({ name: 'CheckingAuthFinished', client: mainKey })
    return 'signed-in'
  }

  const keyHere = () => sectionKey(location().path, sections)

  return {
    events,
    start,
    signInAgain,
    async checkAgain() {
      if (!leaving && !(await silently(mainKey))) await signInAgain()
    },
    token: () => tokenOf(mainKey),
    async enterSection(path) {
      const key = sectionKey(path, sections)
      if (key !== mainKey && !tokens.has(key)) await silently(key)
    },
    async signOut() {
      leaving = true
      localStorage.removeItem(signedInBefore)
      for (const [key, manager] of managers) {
        if (key !== mainKey && tokens.has(key)) await revokeTokens(manager)
      }
      const main = managerOf(mainKey)
      const idToken = (await main.getUser())?.id_token
      await revokeTokens(main)
      await main.signoutRedirect(idToken === undefined ? {} : { id_token_hint: idToken })
    },
    tokens: {
      current: () => tokens.get(keyHere()) ?? tokens.get(mainKey),
      refresh: () => silently(tokens.has(keyHere()) ? keyHere() : mainKey),
      async exchangeTicket(ticket) {
        const endpoint = await managerOf(mainKey).metadataService.getTokenEndpoint()
        const key = tokens.has(keyHere()) ? keyHere() : mainKey
        return exchangeTicket(endpoint, clientIds[key] ?? config.oidc.clientId, tokens.get(key) ?? '', ticket)
      },
      lost(reason) {
        if (leaving) return
        if (reason === 'missing') navigate.reload()
        else
          signInAgain().catch((error) =>
            events.emit({ name: 'CheckingAuthFinishedWithError', client: mainKey, detail: error }),
          )
      },
    },
  }
}
