import type { UiConfig } from '@quayside/contract/http/ui-config'
import type { TokenModel } from '../access-token.ts'
import type { TokenSource } from '../api/api.ts'
import { createEmitter, type Emitter } from '../emitter.ts'
import { exchangeTicket } from './exchange-ticket.ts'
import { saveRoute, takeSavedRoute } from './saved-route.ts'
import { mainKey, sectionKey } from './section-key.ts'
import { createSignInClients, type SignInClients } from './sign-in-clients.ts'
import type { SignInEvent } from './sign-in-events.ts'
import { noteSignIn } from './sign-in-limit.ts'
import { signOutEverywhere } from './sign-out.ts'

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
type StartOutcome = 'signed-in' | 'leaving'

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
  /**
   * The server does not stand behind this sign-in any more: a session that lives gives a new token, else signing in
   * follows.
   */
  checkAgain(): Promise<void>
}

interface Options {
  config: UiConfig
  /** The address of the app's root, where the sign-in comes back to. */
  home: string
  location: () => { href: string; path: string }
  navigate: { replace(path: string): void; reload(): void }
}

export function createSession(options: Options): Session {
  const { config, home, location, navigate } = options
  const events = createEmitter<SignInEvent>()
  const clients = createSignInClients(config, home, events)
  const { managerOf, silently } = clients
  let leaving = false
  events.emit({ name: 'ConfigLoaded', client: mainKey })

  async function signInAgain() {
    if (leaving) return
    if (!noteSignIn(Date.now())) throw new Error('Signing in worked, but it does not last. Try again in a minute.')
    leaving = true
    localStorage.removeItem(signedInBefore)
    saveRoute(location().path)
    await managerOf(mainKey).signinRedirect()
  }

  async function start(): Promise<StartOutcome> {
    events.emit({ name: 'CheckingAuth', client: mainKey })
    const known =
      (await finishRedirect(options, events, clients)) ||
      (localStorage.getItem(signedInBefore) !== null && (await silently(mainKey)))
    if (!known) {
      await signInAgain()
      return 'leaving'
    }
    localStorage.setItem(signedInBefore, '1')
    events.emit({ name: 'CheckingAuthFinished', client: mainKey })
    return 'signed-in'
  }

  function lost(reason: Parameters<TokenSource['lost']>[0]) {
    if (leaving) return
    if (reason === 'missing') navigate.reload()
    else
      signInAgain().catch((error) =>
        events.emit({ name: 'CheckingAuthFinishedWithError', client: mainKey, detail: error }),
      )
  }

  return {
    events,
    start,
    signInAgain,
    async checkAgain() {
      if (!leaving && !(await silently(mainKey))) await signInAgain()
    },
    token: () => clients.tokenOf(mainKey),
    async enterSection(path) {
      const key = sectionKey(path, clients.sections)
      if (key !== mainKey && clients.rawTokenOf(key) === undefined) await silently(key)
    },
    async signOut() {
      leaving = true
      localStorage.removeItem(signedInBefore)
      await signOutEverywhere(clients)
    },
    tokens: { ...tokensHere(clients, location), lost },
  }
}

/** Tells whether the address carried an answer of the identity server that signs somebody in. */
async function finishRedirect(
  { location, navigate }: Options,
  events: Emitter<SignInEvent>,
  { managerOf }: SignInClients,
): Promise<boolean> {
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

/** The token of the section that is on screen, or the main one. */
function tokensHere(clients: SignInClients, location: Options['location']): Omit<TokenSource, 'lost'> {
  const { rawTokenOf, silently, managerOf, clientIdOf } = clients
  const keyOfToken = () => {
    const here = sectionKey(location().path, clients.sections)
    return rawTokenOf(here) === undefined ? mainKey : here
  }
  return {
    current: () => rawTokenOf(keyOfToken()),
    refresh: () => silently(keyOfToken()),
    async exchangeTicket(ticket) {
      const endpoint = await managerOf(mainKey).metadataService.getTokenEndpoint()
      const key = keyOfToken()
      return exchangeTicket(endpoint, clientIdOf(key), rawTokenOf(key) ?? '', ticket)
    },
  }
}
