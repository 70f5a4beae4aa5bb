import { createLinked, type Foreign, link, linkedUser } from '../brokering/identities.ts'
import { applyMappers } from '../brokering/mappers.ts'
import { exchange, newSecrets, requestAddress } from '../brokering/openid.ts'
import {
  findPending,
  findSent,
  keepPending,
  keepSent,
  type Pending,
  takePending,
  takeSent,
} from '../brokering/pending.ts'
import { findProvider, type IdentityProvider, listProviders } from '../brokering/providers.ts'
import { recordEvent } from '../directory/login-events.ts'
import { findByLogin, findUser, type User } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import type { RealmHost } from '../oidc/realm-host.ts'
import type { Offer } from '../pages/sign-in-pages.ts'
import type { Db } from '../storage/database.ts'
import { checkPassword } from './check-password.ts'
import { whileOnTheWay } from './progress.ts'
import { refusalText } from './refusal-text.ts'

/** The visit of a browser to the sign-in pages, as far as providers are concerned. */
interface Visit {
  db: Db
  host: RealmHost
  interaction: string
  clientId: string
  ip: string
}

/** The password of an account here is needed before it is linked. */
export interface Asking {
  ask: User
  /** Name of the provider. */
  name: string
  /** Nobody has shown that the address of the account is its own. */
  ownerIsUnproven: boolean
}

export type Outcome = { user: User; alias: string } | Asking | { problem: string }

const nameOf = ({ alias, settings }: IdentityProvider) => settings.displayName || alias

/** Providers that the sign-in page offers. */
export async function offeredProviders(db: Db, realmId: string): Promise<Offer[]> {
  const found = await listProviders(db, realmId)
  return found
    .filter(({ settings }) => settings.enabled && !settings.hideOnLogin)
    .map((provider) => ({ alias: provider.alias, name: nameOf(provider) }))
}

const redirectUriOf = (host: RealmHost, alias: string) => `${host.issuer}/broker/${alias}/endpoint`

/** @param id its own id, where one is meant that was there before: another may have its alias by now */
async function usable(db: Db, realmId: string, alias: string, id?: string): Promise<IdentityProvider | undefined> {
  const provider = await findProvider(db, realmId, alias)
  return provider?.settings.enabled && (id === undefined || provider.internal_id === id) ? provider : undefined
}

/** The address at the provider to which the browser goes; undefined when it cannot be used any more. */
export async function sendToProvider({ db, host, interaction }: Visit, alias: string): Promise<string | undefined> {
  const provider = await usable(db, host.realm.id, alias)
  if (!provider) return undefined
  const secrets = newSecrets()
  await keepSent(db, host.realm.id, { interaction, alias, provider: provider.internal_id, secrets })
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
  const provider = await usable(db, host.realm.id, alias, sent.provider)
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
  const { alias, settings, internal_id } = provider
  const brought = { foreign, claims, provider: internal_id }
  const known = await linkedUser(db, realm.id, alias, foreign.subject)
  if (known) return arrive(visit, known, { ...brought, userId: known.id, state: 'known' })
  const owner = foreign.email === null ? undefined : await findByLogin(db, realm.id, foreign.email, true)
  // A disabled person must not return with a new account.
  if (owner && !owner.enabled) return refuseDisabled(visit, alias)
  if (owner && owner.email === foreign.email?.toLowerCase() && foreign.emailVerified) {
    await keepPending(db, realm.id, interaction, { ...brought, userId: owner.id, state: 'asked' })
    return asking(owner, provider)
  }
  if (settings.linkOnly) {
    await fail(visit, alias, 'user_not_found')
    return { problem: 'No account here is linked to you. Ask an administrator for one.' }
  }
  return arriveAsNew(visit, provider, { foreign, claims })
}

/** Somebody else may have typed the address: then its owner may come without it. */
function asking(owner: User, provider: IdentityProvider): Asking {
  const ownerIsUnproven = owner.email_typed && !owner.email_verified && !provider.settings.linkOnly
  return { ask: owner, name: nameOf(provider), ownerIsUnproven }
}

async function arriveAsNew(
  visit: Visit,
  { alias, settings, internal_id }: IdentityProvider,
  brought: Pick<Pending, 'foreign' | 'claims'>,
): Promise<Outcome> {
  const { db, host } = visit
  const user = await createLinked(db, host.realm, brought.foreign, settings.trustEmail)
  await recordEvent(db, host.realm, {
    ...{ type: 'REGISTER', clientId: visit.clientId, userId: user.id, ipAddress: visit.ip },
    details: { username: user.username, identity_provider: alias },
  })
  return arrive(visit, user, { ...brought, userId: user.id, provider: internal_id, state: 'new' })
}

async function arrive(visit: Visit, user: User, pending: Pending): Promise<Outcome> {
  const { alias } = pending.foreign
  if (!user.enabled) return refuseDisabled(visit, alias)
  await keepPending(visit.db, visit.host.realm.id, visit.interaction, pending)
  return { user, alias }
}

/** The wish for a link that waits for the password of an account, with that account and the provider. */
async function waiting({ db, host, interaction }: Visit) {
  const pending = await findPending(db, host.realm.id, interaction)
  if (pending?.state !== 'asked') return undefined
  const user = await findUser(db, host.realm.id, pending.userId)
  const provider = await usable(db, host.realm.id, pending.foreign.alias, pending.provider)
  return user && provider ? { user, provider, pending } : undefined
}

/** The account whose password is asked for now, and the provider that it would be linked to. */
export async function askedFor(visit: Visit): Promise<Asking | undefined> {
  const found = await waiting(visit)
  return found && asking(found.user, found.provider)
}

/** Agrees to a link once the password of the account was right; any other answer asks again. */
export async function linkByPassword(visit: Visit, password: string): Promise<Outcome> {
  const { db, host, clientId, ip } = visit
  const found = await waiting(visit)
  if (!found) return { problem: GENERAL }
  const { user, pending } = found
  const verdict = await checkPassword(db, host.realm, { username: user.username, password, ip, clientId })
  if ('problem' in verdict)
    return { problem: verdict.problem === 'refused' ? refusalText(verdict.refusal) : 'Invalid password.' }
  if (verdict.user.id !== pending.userId) return { problem: GENERAL }
  return arrive(visit, verdict.user, { ...pending, state: 'agreed' })
}

/** Somebody says that the account with their address is not theirs: they come as somebody new, without that address. */
export async function comeWithoutAddress(visit: Visit): Promise<Outcome> {
  const found = await waiting(visit)
  if (!found || !asking(found.user, found.provider).ownerIsUnproven) return { problem: GENERAL }
  try {
    return await arriveAsNew(visit, found.provider, found.pending)
  } catch (error) {
    if (error instanceof Problem) return { problem: `${error.message}.` }
    throw error
  }
}

/** Makes the link that was agreed to, unless the person was sent out meanwhile. */
async function makeLink(visit: Visit, { id }: User, agreed: Pending): Promise<void> {
  const { db, host, interaction, clientId, ip } = visit
  const { realm } = host
  await whileOnTheWay(db, { realmId: realm.id, userId: id, interaction }, async (tx, user) => {
    const pending = await findPending(tx, realm.id, interaction)
    if (pending?.state !== 'agreed' || pending.foreign.subject !== agreed.foreign.subject) return
    await link(tx, realm.id, id, pending.foreign)
    await recordEvent(tx, realm, {
      ...{ type: 'FEDERATED_IDENTITY_LINK', clientId, userId: id, ipAddress: ip },
      details: { username: user.username, identity_provider: pending.foreign.alias },
    })
    await keepPending(tx, realm.id, interaction, { ...pending, state: 'new' })
  })
}

/**
 * Links and maps what somebody has brought from a provider, when nothing else is asked of them any more.
 * @returns what is wrong
 */
export async function settle(visit: Visit, user: User, alias: string): Promise<string | undefined> {
  const { db, host, interaction } = visit
  const { realm } = host
  const found = await findPending(db, realm.id, interaction)
  const provider = found && (await usable(db, realm.id, alias, found.provider))
  if (!provider || found.userId !== user.id || found.foreign.alias !== alias) return GENERAL
  if (found.state === 'settled') return undefined
  try {
    if (found.state === 'agreed') await makeLink(visit, user, found)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await fail(visit, alias, 'federated_identity_account_exists')
    return `Your account, or the one that you have at ${nameOf(provider)}, is linked to another already. Sign in with your password, or ask an administrator.`
  }
  const linked = await linkedUser(db, realm.id, alias, found.foreign.subject)
  if (linked?.id !== user.id) return GENERAL
  const { syncMode = 'IMPORT' } = provider.settings.config
  const { trustEmail } = provider.settings
  const isFirst = found.state !== 'known'
  const skipped = await applyMappers(db, { realm, alias, user, claims: found.claims, isFirst, syncMode, trustEmail })
  await recordEvent(db, realm, {
    ...{ type: 'IDENTITY_PROVIDER_LOGIN', clientId: visit.clientId, userId: user.id, ipAddress: visit.ip },
    details: {
      ...{ username: user.username, identity_provider: alias },
      ...(skipped.length === 0 ? {} : { skipped_mappers: skipped.join('; ').slice(0, 200) }),
    },
  })
  await keepPending(db, realm.id, interaction, { ...found, state: 'settled' })
  return undefined
}

/** Forgets what somebody has brought: it is settled, or they do not want the link. */
export const forgetPending = ({ db, host, interaction }: Visit) => takePending(db, host.realm.id, interaction)
