import { rolesOfSpaceTokens } from '@quayside/contract/personal-tokens/reach'
import { fail } from '../../http/errors.ts'
import { type Actor, hasSameRights } from '../actor.ts'
import type { Standing, StandingOf } from '../standing.ts'
import type { KnownToken, PersonalTokens } from './personal-token.ts'

/** The client by which calls with personal tokens come, where one is named. Nobody can register one of this name. */
const clientId = 'quayside-personal-token'
/** A session without an answer of the identity server ends as its access token does; a token ends just as soon. */
const longestUnansweredMs = 5 * 60_000
const remembered = 10_000
const none: ReadonlySet<string> = new Set()

/** Turns personal tokens into actors: their owners, with what these hold now, as far as each token lets it. */
export function createTokenActors(
  tokens: Pick<PersonalTokens, 'find' | 'noteUse'>,
  standing: Pick<StandingOf, 'of'>,
): (secret: string) => Promise<Actor> {
  /** Actors as they were last, which stay the same objects while nothing about them changes. */
  const actors = new Map<string, { standing: Standing; actor: Actor }>()

  return async (secret) => {
    const token = await tokens.find(secret)
    if (!token) throw fail('auth.invalid')
    if (token.expiresAt.getTime() <= Date.now())
      throw fail('auth.expired', { message: 'This personal token has expired.' })
    const now = await standing.of(token.tenant.realm, token.userId, longestUnansweredMs)
    if (!now) throw fail('auth.invalid')
    tokens.noteUse(token)
    const before = actors.get(token.id)
    if (before && hasSameRights(before.standing, now) && before.standing.username === now.username) return before.actor
    const actor = toActor(token, now, secret)
    if (actors.size >= remembered) actors.delete(actors.keys().next().value as string)
    actors.set(token.id, { standing: now, actor })
    return actor
  }
}

function toActor({ tenant, userId, expiresAt, ...use }: KnownToken, now: Standing, token: string): Actor {
  const { username, realmRoles, resourceRoles, groupIds } = now
  const { id, name, readOnly, spaceIds } = use
  const whole: Actor = {
    ...{ userId, username, email: null, tenantId: tenant.id, tenantIdentifier: tenant.identifier },
    ...{ realm: tenant.realm, clientId, realmRoles, resourceRoles, groupIds, scopes: none },
    ...{ expiresAt: Math.floor(expiresAt.getTime() / 1000), token },
    personalToken: { id, name, readOnly, spaceIds },
  }
  if (!spaceIds) return whole
  return {
    ...whole,
    realmRoles: none,
    groupIds: none,
    resourceRoles: new Set([...resourceRoles].filter((role) => rolesOfSpaceTokens.has(role))),
    within: { spaceIds, holder: { tenantId: tenant.id, userId, realmRoles, resourceRoles, groupIds } },
  }
}
