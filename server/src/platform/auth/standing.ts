import { fail } from '../http/errors.ts'
import { type Ages, createRevalidatingCache } from './revalidating-cache.ts'

/** The current roles and groups of a person or service account in the tenant, as the identity server gives them. */
export interface Standing {
  username: string
  realmRoles: ReadonlySet<string>
  /** Resource roles as `client:role`. */
  resourceRoles: ReadonlySet<string>
  /** Ids of the groups that the person is a member of, and of every group above them. */
  groupIds: ReadonlySet<string>
}

export type HeldRoles = Pick<Standing, 'realmRoles' | 'resourceRoles'>

/** A client of the realm, as far as its tokens are judged by it. */
export interface TokenClient {
  /** One that people made for their scripts through the portal. */
  isScript: boolean
  /** Its tokens carry everything that their owner holds. */
  hasFullScope: boolean
}

interface GroupPlace {
  id: string
  parentId: string | undefined
}

/** Questions to the identity server; each throws `iam.unreachable` when it cannot be asked. */
export interface DirectoryReads {
  /** Undefined for somebody who is not there or disabled, or whose client is disabled. */
  person(realm: string, userId: string): Promise<(HeldRoles & { username: string }) | undefined>
  /**
   * Roles that the owner of a token holds now, as far as the token's client carries them. Undefined when the token
   * counts no more: its session has ended, its owner or client is gone or disabled, it was revoked.
   */
  token(realm: string, token: string): Promise<HeldRoles | undefined>
  /** The groups of which somebody is a member, each with the group above it. */
  groups(realm: string, userId: string): Promise<readonly GroupPlace[]>
  /** Undefined for a group at the top, and for one that is gone. */
  parentOfGroup(realm: string, groupId: string): Promise<string | undefined>
  client(realm: string, clientId: string): Promise<TokenClient | undefined>
}

/** A token whose signature, issuer and audience were verified. */
export interface VerifiedToken {
  realm: string
  userId: string
  clientId: string
  token: string
}

type TokenStanding = Omit<Standing, 'username'> & { client: TokenClient }

/**
 * Judges people by what the identity server says now, not by what was printed into their tokens: no answer is older
 * than four seconds, so that with the way to the identity server a revocation reaches everything within five. An
 * identity server that cannot be reached leaves what is known.
 */
export interface StandingOf {
  /**
   * Undefined for somebody who is gone or disabled. For those who have no token of the identity server at hand. An answer
   * older than `stalestMs` does not count, also while the identity server cannot be reached.
   */
  of(realm: string, userId: string, stalestMs?: number): Promise<Standing | undefined>
  /** The same, read from the identity server after this call: for handing out rights. */
  readNow(realm: string, userId: string): Promise<Standing | undefined>
  /** No older than `maxAgeMs`, where that is asked for. */
  ofToken(token: VerifiedToken, maxAgeMs?: number): Promise<TokenStanding | undefined>
  /** The same, read from the identity server after this call: for handing out rights. */
  readTokenNow(token: VerifiedToken): Promise<TokenStanding | undefined>
  /** Called with a token that counted and counts no more. */
  onRevoked(listener: (token: string) => void): void
  /** Forgets what is known of a person, so that the next call asks anew. */
  forget(userId: string): void
}

const refreshMs = 2000
const maxAgeMs = 4000
const mostTokens = 10_000
const mostPeople = 10_000
const mostClients = 1000
const mostGroups = 10_000
const separator = '\n'
const keyOf = (...names: string[]) => names.join(separator)
const parts = (key: string) => key.split(separator) as [string, string, string]

type Way = 'get' | 'readNow'

export function createStanding(reads: DirectoryReads): StandingOf {
  const listeners = new Set<(token: string) => void>()
  const ages = { refreshMs, maxAgeMs }
  const people = createRevalidatingCache({
    ...ages,
    most: mostPeople,
    read: (key) => reads.person(...two(key)),
  })
  const groups = createRevalidatingCache({ ...ages, most: mostPeople, read: (key) => reads.groups(...two(key)) })
  const parents = createRevalidatingCache({
    ...ages,
    most: mostGroups,
    read: (key) => reads.parentOfGroup(...two(key)),
  })
  const clients = createRevalidatingCache({ ...ages, most: mostClients, read: (key) => reads.client(...two(key)) })
  const tokens = createRevalidatingCache({
    ...ages,
    most: mostTokens,
    read: (key) => {
      const [realm, , token] = parts(key)
      return reads.token(realm, token)
    },
    onRead(key, held) {
      if (!held) for (const listener of listeners) listener(parts(key)[2])
    },
  })

  /** Members of a group are in every group above it. A fact is asked for by itself, so that none adds its age to another's. */
  async function groupIdsOf(way: Way, realm: string, userId: string, ages?: Ages): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    for (const { id, parentId } of await groups[way](keyOf(realm, userId), ages)) {
      ids.add(id)
      for (let at = parentId; at !== undefined && !ids.has(at); at = await parents[way](keyOf(realm, at), ages))
        ids.add(at)
    }
    return ids
  }

  async function person(way: Way, realm: string, userId: string, ages?: Ages): Promise<Standing | undefined> {
    const [found, groupIds] = await Promise.all([
      people[way](keyOf(realm, userId), ages),
      groupIdsOf(way, realm, userId, ages),
    ])
    return found && { ...found, groupIds }
  }

  async function ofToken(way: Way, { realm, userId, clientId, token }: VerifiedToken, ages?: Ages) {
    const [held, groupIds, client] = await Promise.all([
      tokens[way](keyOf(realm, userId, token), ages),
      groupIdsOf(way, realm, userId, ages),
      clients[way](keyOf(realm, clientId)),
    ])
    if (!held || !client) return undefined
    // A client that carries only some roles is no way into what the groups of its user may do.
    return { ...held, groupIds: client.hasFullScope ? groupIds : noGroups, client }
  }

  return {
    of: (realm, userId, stalestMs) => person('get', realm, userId, { stalestMs }),
    readNow: (realm, userId) => person('readNow', realm, userId),
    ofToken: (token, maxAgeMs) => ofToken('get', token, { maxAgeMs }),
    readTokenNow: (token) => ofToken('readNow', token),
    onRevoked: (listener) => void listeners.add(listener),
    forget(userId) {
      for (const cache of [people, groups, tokens]) cache.forget((key) => parts(key)[1] === userId)
    },
  }
}

const noGroups: ReadonlySet<string> = new Set()

function two(key: string): [string, string] {
  const [realm, other] = parts(key)
  if (realm === '' || other === undefined) throw fail('internal')
  return [realm, other]
}
