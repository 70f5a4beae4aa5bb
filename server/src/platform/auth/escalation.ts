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
 * Nobody grants more than they hold: a role passes when the actor holds it, or, for a role that is made of others,
 * when they hold all of these. A role that stands for itself alone has to be held.
 */
export function mayGrant(actor: Pick<Actor, 'realmRoles' | 'resourceRoles'>, granted: Granted): boolean {
  const insideHeld =
    granted.realmRoles.every((name) => actor.realmRoles.has(name)) &&
    granted.resourceRoles.every((name) => actor.resourceRoles.has(name))
  // Also a held role is looked into: it may have grown since the actor's token was made.
  if (actor.realmRoles.has(granted.name)) return insideHeld
  return insideHeld && granted.realmRoles.length + granted.resourceRoles.length > 0
}
