import { fail } from '../http/errors.ts'
import { type Actor, holds } from './actor.ts'

/** A role that somebody wants to hand out, with everything that it contains. */
export interface Granted {
  /** Name of a realm role; none for a role of a client, which stands among `resourceRoles`. */
  name?: string
  /** Names of realm roles inside it. */
  realmRoles: readonly string[]
  /** Roles of clients inside it, as `client:role`. */
  resourceRoles: readonly string[]
}

/** Name of the lock under which rights of a realm are handed out, one after the other, of all replicas. */
export const grantsOf = (realm: string) => `grants:${realm}`

type Rights = Pick<Actor, 'realmRoles' | 'resourceRoles'>

/** Says that everything in a role is held; an empty one stands for itself alone, and holds nothing. */
export function holdsContent(actor: Rights, { realmRoles, resourceRoles }: Granted): boolean {
  if (realmRoles.length + resourceRoles.length === 0) return false
  return (
    realmRoles.every((name) => actor.realmRoles.has(name)) &&
    resourceRoles.every((name) => actor.resourceRoles.has(name))
  )
}

/**
 * Nobody grants more than they hold. Holding all that is in a realm role is not enough: the lists of spaces name roles
 * as well, so whoever hands one out holds it, or decides about every list anyway.
 */
export function mayGrant(actor: Rights, granted: Granted): boolean {
  const isHeld = granted.name !== undefined && actor.realmRoles.has(granted.name)
  const isEmpty = granted.realmRoles.length + granted.resourceRoles.length === 0
  // Also a held role is looked into: it may have grown since the actor's token was made.
  if (isHeld) return isEmpty || holdsContent(actor, granted)
  return holdsContent(actor, granted) && (granted.name === undefined || holds(actor, 'spaces', 'spaces.manage'))
}

/** Somebody who hands something out: the caller as the identity server knows them at this moment. */
export interface Grantor {
  actor: Actor
  /** Ends of the roles that they hold for a while, by their names; roles of clients as `client:role`. */
  ends: ReadonlyMap<string, Date>
}

/** The roles of these that are held without an end: what lasts is decided by them alone. */
export function lastingRoles(roles: ReadonlySet<string>, ends: Grantor['ends']): Set<string> {
  return new Set([...roles].filter((name) => !ends.has(name)))
}

/**
 * Nobody gives for longer what they hold for a while themselves.
 * @param until end of what they give it by; undefined: it has none
 * @param expiresAt end of what is given; null: it has none
 * @throws `auth.escalation` that names the field with the time
 */
export function mustEndBy(until: Date | undefined, expiresAt: Date | null, field: string): void {
  if (until === undefined || (expiresAt !== null && expiresAt <= until)) return
  const message = `You hold this yourself until ${until.toISOString()}, and can give it for no longer.`
  throw fail('auth.escalation', { field, message, details: { until: until.toISOString() } })
}
