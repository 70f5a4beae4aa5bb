import { ownerScopes, type Scope } from '@quayside/contract/permissions/scopes'
import { type Grant, scopesOfGrant } from '../rights/grants.ts'

/** Scopes that somebody holds in a space, each until a time in milliseconds since 1970; `Infinity` never ends. */
export interface Holding {
  until: ReadonlyMap<Scope, number>
  /** Until when they may do what owners do; 0: they may not. */
  ownerUntil: number
}

export type TimedGrant = Grant & { expiresAt: Date | null }

/** Scopes that a role of the tenant gives in every space for a while. */
interface TimedScopes {
  scopes: ReadonlySet<Scope>
  expiresAt: Date
}

/** The right to delete every space counts as ownership of each. */
export function holdingOf(
  everywhere: ReadonlySet<Scope>,
  grants: readonly TimedGrant[],
  forAWhile: readonly TimedScopes[] = [],
): Holding {
  const until = new Map<Scope, number>([...everywhere].map((scope) => [scope, Number.POSITIVE_INFINITY]))
  let ownerUntil = everywhere.has('space.delete') ? Number.POSITIVE_INFINITY : 0
  for (const grant of grants) {
    const end = endOf(grant.expiresAt)
    for (const scope of scopesOfGrant(grant)) until.set(scope, Math.max(until.get(scope) ?? 0, end))
    if (grant.owner) ownerUntil = Math.max(ownerUntil, end)
  }
  for (const { scopes, expiresAt } of forAWhile) {
    const end = endOf(expiresAt)
    for (const scope of scopes) until.set(scope, Math.max(until.get(scope) ?? 0, end))
    if (scopes.has('space.delete')) ownerUntil = Math.max(ownerUntil, end)
  }
  return { until, ownerUntil }
}

export type Refusal =
  | { why: 'scope'; scope: Scope }
  /** They hold it, and for a shorter time than they want to give it. */
  | { why: 'longer'; until: Date }
  | { why: 'owner' }

/** Nobody gives what they do not hold, nor for longer than they hold it; only owners make owners. */
export function refusalOfGrant({ until, ownerUntil }: Holding, wanted: TimedGrant): Refusal | undefined {
  const end = endOf(wanted.expiresAt)
  if (wanted.owner && ownerUntil === 0) return { why: 'owner' }
  let earliest = wanted.owner ? ownerUntil : Number.POSITIVE_INFINITY
  for (const scope of scopesOfGrant(wanted)) {
    // The right to make owners includes giving what owners hold.
    const held = Math.max(until.get(scope) ?? 0, wanted.owner && ownerScopes.includes(scope) ? ownerUntil : 0)
    if (held === 0) return { why: 'scope', scope }
    earliest = Math.min(earliest, held)
  }
  return end > earliest ? { why: 'longer', until: new Date(earliest) } : undefined
}

/** Owners change and remove every entry, others no owner and nobody who holds more than they do. */
export function refusalOfChange({ until, ownerUntil }: Holding, entry: Grant): Refusal | undefined {
  if (ownerUntil > 0) return undefined
  if (entry.owner) return { why: 'owner' }
  const scope = scopesOfGrant(entry).find((each) => !until.has(each))
  return scope && { why: 'scope', scope }
}

/** Tells whether what somebody holds by an entry becomes more or lasts longer. Nobody does that to their own. */
export function isRaise(before: TimedGrant, after: TimedGrant): boolean {
  const held = scopesOfGrant(before)
  const isMore = (after.owner && !before.owner) || scopesOfGrant(after).some((scope) => !held.includes(scope))
  return isMore || endOf(after.expiresAt) > endOf(before.expiresAt)
}

interface Ownership {
  owner: boolean
  expiresAt: Date | null
}

export const lastingOwner = ({ owner, expiresAt }: Ownership) => owner && expiresAt === null

/** Tells whether an entry is the last owner without an end that is active, and would stop being one. */
export function isLastOwner(
  entries: readonly (Ownership & { id: string; principal: string })[],
  id: string,
  active: ReadonlySet<string>,
  after?: Ownership,
): boolean {
  const entry = entries.find((each) => each.id === id)
  if (!entry || !lastingOwner(entry) || (after && lastingOwner(after))) return false
  return !entries.some((each) => each.id !== id && lastingOwner(each) && active.has(each.principal))
}

function endOf(expiresAt: Date | null): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime()
}
