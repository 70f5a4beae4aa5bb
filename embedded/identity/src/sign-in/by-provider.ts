import { createLinked, type Foreign, link, linkedUser } from '../brokering/identities.ts'
import { applyMappers } from '../brokering/mappers.ts'
import { exchange, newSecrets, requestAddress } from '../brokering/openid.ts'
import { findPending, findSent, keepPending, keepSent, takePending, takeSent } from '../brokering/pending.ts'
import { findProvider, type IdentityProvider, listProviders } from '../brokering/providers.ts'
import { recordEvent } from '../directory/login-events.ts'
import { findByLogin, findUser, type User } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import type { RealmHost } from '../oidc/realm-host.ts'
import type { Offer } from '../pages/sign-in-pages.ts'
import type { Db } from '../storage/database.ts'
import { checkPassword } from './check-password.ts'
import { refusalText } from './refusal-text.ts'

/** The visit of a browser to the sign-in pages, as far as providers are concerned. */
interface Visit {
  db: Db
  host: RealmHost
  interaction: string
  clientId: string
  ip: string
}

/** `ask`: the password of an account here is needed before it is linked. */
export type Outcome = { user: User; alias: string } | { ask: User; name: string } | { problem: string }

const nameOf = ({ alias, settings }: IdentityProvider) => settings.displayName || alias

/** Providers that the sign-in page offers. */
export async function offeredProviders(db: Db, realmId: string): Promise<Offer[]> {
  const found = await listProviders(db, realmId)
  return found
    .filter(({ settings }) => settings.enabled && !settings.hideOnLogin)
    .map((provider) => ({ alias: provider.alias, name: nameOf(provider) }))
}

const redirectUriOf = (host: RealmHost, alias: string) => `${host.issuer}/broker/${alias}/endpoint`

async function usable(db: Db, realmId: string, alias: string): Promise<IdentityProvider | undefined> {
  const provider = await findProvider(db, realmId, alias)
  return provider?.settings.enabled ? provider : undefined
}

/** The address at the provider to which the browser goes; undefined when it cannot be used any more. */
export async function sendToProvider({ db, host, interaction }: Visit, alias: string): Promise<string | undefined> {
  const provider = await usable(db, host.realm.id, alias)
  if (!provider) return undefined
  const secrets = newSecrets()
  await keepSent(db, host.realm.id, { interaction, alias, secrets })
  return requestAddress({ provider, outbound: host.outbound, redirectUri: redirectUriOf(host, alias), secrets })
}

/** Parameters of an answer that count (RFC 6749, RFC 9207). */
const answered = new Set(['state', 'code', 'iss', 'error', 'error_description'])

/**
 * The sign-in page to which an answer of a provider belongs, with that answer. Only there the browser shows that it is the one
 * that was sent, by the cookie of that page.
 */
export async function pageOfAnswer(
  db: Db,
  host: RealmHost,
  alias: string,
  query: URLSearchParams,
): Promise<string | undefined> {
  const sent = await findSent(db, host.realm.id, query.get('state') ?? '')
  // Each provider answers at an address of its own, so that none answers for another.
  if (sent?.alias !== alias) return undefined
  const answer = new URLSearchParams([...query].filter(([name]) => answered.has(name)))
  answer.set('from_provider', '1')
  return `${host.issuer}/login-actions/${sent.interaction}?${answer}`
}

const GENERAL = 'The identity provider did not sign you in. Try again, or sign in with your password.'

async function fail(visit: Visit, alias: string, error: string, details: Record<string, string> = {}) {
  await recordEvent(visit.db, visit.host.realm, {
    ...{ type: 'IDENTITY_PROVIDER_LOGIN_ERROR', clientId: visit.clientId, ipAddress: visit.ip, error },
    details: { identity_provider: alias, ...details },
  })
}

/** Judges the answer of a provider, which counts once and for this browser alone. */
export async function takeAnswer(visit: Visit, query: URLSearchParams): Promise<Outcome> {
  const { db, host, interaction } = visit
  const sent = await takeSent(db, host.realm.id, query.get('state') ?? '')
  if (!sent || sent.interaction !== interaction) return { problem: GENERAL }
  const { alias, secrets } = sent
  const provider = await usable(db, host.realm.id, alias)
  if (!provider) return { problem: GENERAL }
  query.delete('from_provider')
  const request = { provider, outbound: host.outbound, redirectUri: redirectUriOf(host, alias), secrets }
  try {
    const { foreign, claims } = await exchange(request, query)
    return await judge(visit, provider, foreign, claims)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const word = query.get('error') === 'access_denied' ? 'access_denied' : 'identity_provider_login_failure'
    await fail(visit, alias, word, { reason: words.slice(0, 200) })
    if (error instanceof Problem) return { problem: `${error.message}.` }
    return { problem: `${nameOf(provider)} did not sign you in. Try again, or sign in with your password.` }
  }
}

async function refuseDisabled(visit: Visit, alias: string): Promise<Outcome> {
  await fail(visit, alias, 'user_disabled')
  return { problem: 'This account is disabled. Ask an administrator.' }
}

async function judge(
  visit: Visit,
  provider: IdentityProvider,
  foreign: Foreign,
  claims: Record<string, unknown>,
): Promise<Outcome> {
  const { db, host, interaction } = visit
  const { realm } = host
  const { alias } = provider
  const known = await linkedUser(db, realm.id, alias, foreign.subject)
  if (known) return welcome(visit, provider, known, { claims, isFirst: false })
  const owner = foreign.email === null ? undefined : await findByLogin(db, realm.id, foreign.email, true)
  // Nobody comes back as somebody new, whatever is said of their address.
  if (owner && !owner.enabled) return refuseDisabled(visit, alias)
  if (owner && owner.email === foreign.email?.toLowerCase() && foreign.emailVerified) {
    await keepPending(db, realm.id, interaction, { foreign, claims, userId: owner.id })
    return { ask: owner, name: nameOf(provider) }
  }
  if (provider.settings.linkOnly) {
    await fail(visit, alias, 'user_not_found')
    return { problem: 'No account here is linked to you. Ask an administrator for one.' }
  }
  const user = await createLinked(db, realm, foreign, provider.settings.trustEmail)
  await recordEvent(db, realm, {
    ...{ type: 'REGISTER', clientId: visit.clientId, userId: user.id, ipAddress: visit.ip },
    details: { username: user.username, identity_provider: alias },
  })
  return welcome(visit, provider, user, { claims, isFirst: true })
}

async function welcome(
  visit: Visit,
  { alias, settings }: IdentityProvider,
  user: User,
  { claims, isFirst }: { claims: Record<string, unknown>; isFirst: boolean },
): Promise<Outcome> {
  const { db, host } = visit
  if (!user.enabled) return refuseDisabled(visit, alias)
  const { syncMode = 'IMPORT' } = settings.config
  const { trustEmail } = settings
  const skipped = await applyMappers(db, { realm: host.realm, alias, user, claims, isFirst, syncMode, trustEmail })
  await recordEvent(db, host.realm, {
    ...{ type: 'IDENTITY_PROVIDER_LOGIN', clientId: visit.clientId, userId: user.id, ipAddress: visit.ip },
    details: {
      ...{ username: user.username, identity_provider: alias },
      ...(skipped.length === 0 ? {} : { skipped_mappers: skipped.join('; ').slice(0, 200) }),
    },
  })
  return { user: (await findUser(db, host.realm.id, user.id)) ?? user, alias }
}

/** The account whose password is asked for now, and the provider that it would be linked to. */
export async function askedFor({ db, host, interaction }: Visit): Promise<{ user: User; name: string } | undefined> {
  const pending = await findPending(db, host.realm.id, interaction)
  const user = pending && (await findUser(db, host.realm.id, pending.userId))
  const provider = pending && (await usable(db, host.realm.id, pending.foreign.alias))
  return user && provider ? { user, name: nameOf(provider) } : undefined
}

/** Links an account to a provider once its password was right; any other answer asks again. */
export async function linkByPassword(visit: Visit, password: string): Promise<Outcome> {
  const { db, host, interaction, clientId, ip } = visit
  const { realm } = host
  const asked = await askedFor(visit)
  if (!asked) return { problem: GENERAL }
  const verdict = await checkPassword(db, realm, { username: asked.user.username, password, ip, clientId })
  if ('problem' in verdict)
    return { problem: verdict.problem === 'refused' ? refusalText(verdict.refusal) : 'Invalid password.' }
  const pending = await takePending(db, realm.id, interaction)
  const provider = pending && (await usable(db, realm.id, pending.foreign.alias))
  if (!pending || !provider || verdict.user.id !== pending.userId) return { problem: GENERAL }
  await link(db, realm.id, pending.userId, pending.foreign)
  await recordEvent(db, realm, {
    ...{ type: 'FEDERATED_IDENTITY_LINK', clientId, userId: pending.userId, ipAddress: ip },
    details: { username: asked.user.username, identity_provider: provider.alias },
  })
  return welcome(visit, provider, verdict.user, { claims: pending.claims, isFirst: true })
}

/** Somebody does not want the link: the page of passwords comes again. */
export const forgetPending = ({ db, host, interaction }: Visit) => takePending(db, host.realm.id, interaction)
