import { realmRoles } from '@quayside/contract/permissions/roles'
import { fail } from '../http/errors.ts'
import type { Actor } from './actor.ts'

/** A role that somebody wants to hand out, with everything that it contains. */
export interface Granted {
  name: string
  /** Names of realm roles inside it. */
  realmRoles: readonly string[]
  /** Roles of clients inside it, as `client:role`. */
  resourceRoles: readonly string[]
}

/** Name of the lock under which rights of a realm are handed out, one after the other, of all replicas. */
export const grantsOf = (realm: string) => `grants:${realm}`

/**
 * Nobody grants more than they hold: a role has to be held, because lists and approvals may name it beside what is in it;
 * one of the portal's own passes as well when everything in it is held.
 */
export function mayGrant(actor: Pick<Actor, 'realmRoles' | 'resourceRoles'>, granted: Granted): boolean {
  const insideHeld =
    granted.realmRoles.every((name) => actor.realmRoles.has(name)) &&
    granted.resourceRoles.every((name) => actor.resourceRoles.has(name))
  // Also a held role is looked into: it may have grown since the actor's token was made.
  if (actor.realmRoles.has(granted.name)) return insideHeld
  return insideHeld && Object.hasOwn(realmRoles, granted.name)
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
