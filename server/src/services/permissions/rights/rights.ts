import { placeRules } from '@quayside/contract/capabilities'
import type { PlaceKind } from '@quayside/contract/http/place'
import { type Scope, scopes, scopesEverywhere } from '@quayside/contract/permissions/scopes'
import { sql } from 'kysely'
import type { Holder } from '../../../platform/auth/actor.ts'
import type { PlaceQuery } from '../../../platform/auth/places.ts'
import type { Rights } from '../../../platform/auth/rights.ts'
import { principalsOf } from '../members/principals.ts'
import { type Grant, scopesOfGrants } from './grants.ts'
import { type GrantInSpace, grantsIn, listedWith, type RightsStore } from './rights-store.ts'
import { grantsWithin, isAmong, isWithin, keptWithin } from './within.ts'

/** Longest that rights are answered from memory; a lost notice of a change delays it by no more than this. */
const rememberedMs = 3000
const mostRemembered = 5000

export interface RightsMemory extends Rights {
  /** The scopes that spaces' lists give somebody, by the id of the space. */
  listed(actor: Holder): Promise<{ spaceId: string; scopes: Scope[] }[]>
  /** Something changed in the lists of a tenant. */
  forget(tenantId?: string): void
}

export function createRights(store: RightsStore, queries: Record<PlaceKind, PlaceQuery>): RightsMemory {
  const of = rememberHolders()
  const { grantsOf, forget } = rememberGrants(store, of)

  function rowsOf(actor: Holder, kind: PlaceKind, ids: readonly string[]) {
    return store.places(actor.tenantId, queries[kind](ids, actor.userId), of(actor).principals)
  }

  return {
    // A caller limited to some spaces holds nothing everywhere.
    everywhere: (actor) => (actor.within ? none : of(actor).everywhere),

    async at(actor, kind, ids) {
      return visible(actor, of(actor).everywhere, kind, await rowsOf(actor, kind, ids))
    },

    async find(actor, kind, id) {
      const rows = await rowsOf(actor, kind, [id])
      const scopes = visible(actor, of(actor).everywhere, kind, rows).get(id)
      return scopes && { spaceId: rows[0]?.space_id ?? null, scopes }
    },

    async isSomewhere(actor, anyOf) {
      const { everywhere, principals } = of(actor)
      if (anyOf.some((scope) => everywhere.has(scope))) return true
      const held = scopesOfGrants(grantsWithin(actor, await store.all(actor.tenantId, principals)))
      return anyOf.some((scope) => held.has(scope))
    },

    condition(actor, scope) {
      const { everywhere, principals } = of(actor)
      const listed = everywhere.has(scope) ? undefined : listedWith(principals, scope)
      return actor.within ? keptWithin(actor.within, listed) : listed
    },

    granted(actor, column) {
      const grants = grantsIn(of(actor).principals, column)
      return actor.within ? sql`case when ${isAmong(actor.within, column)} then ${grants} end` : grants
    },

    scopesFrom(actor, granted) {
      if (actor.within && !granted) return []
      const held = new Set([...of(actor).everywhere, ...scopesOfGrants((granted ?? []) as Grant[])])
      return scopes.filter((scope) => held.has(scope))
    },

    async mayHear(actor, spaceId, scope) {
      if (actor.within && !isWithin(actor, spaceId)) return false
      if (of(actor).everywhere.has(scope)) return true
      if (spaceId === null) return false
      const here = (await grantsOf(actor)).filter((grant) => grant.spaceId === spaceId && isLive(grant))
      return scopesOfGrants(here).has(scope)
    },

    async hearsSomewhere(actor, anyOf) {
      const { everywhere } = of(actor)
      if (anyOf.some((scope) => everywhere.has(scope))) return true
      const held = scopesOfGrants(grantsWithin(actor, await grantsOf(actor)).filter(isLive))
      return anyOf.some((scope) => held.has(scope))
    },

    async fingerprint(actor) {
      const grants = grantsWithin(actor, await grantsOf(actor)).filter(isLive)
      const lines = grants.map(({ spaceId, role, scopes: defined, owner }) =>
        JSON.stringify([spaceId, role, defined, owner]),
      )
      return [...of(actor).everywhere, ...lines.sort()].join('\n')
    },

    async listed(actor) {
      const { principals, everywhere } = of(actor)
      const all = await store.all(actor.tenantId, principals)
      return listedIn(actor, all, { everywhere, there: await boundsThere(store, actor, everywhere) })
    },

    forget,
  }
}

const none: ReadonlySet<Scope> = new Set()

/** The spaces that the caller is kept within, for what they hold everywhere: without those that were deleted since. */
async function boundsThere(store: RightsStore, actor: Holder, everywhere: ReadonlySet<Scope>): Promise<string[]> {
  const ids = everywhere.size > 0 ? [...(actor.within?.spaceIds ?? [])] : []
  return ids.length > 0 ? store.existing(actor.tenantId, ids) : []
}

/** Scopes by the spaces that give them; within bounds those that the caller holds everywhere count as given there. */
function listedIn(
  actor: Holder,
  all: GrantInSpace[],
  { everywhere, there }: { everywhere: ReadonlySet<Scope>; there: readonly string[] },
) {
  const bySpace = Map.groupBy(grantsWithin(actor, all), ({ spaceId }) => spaceId)
  for (const id of there) if (!bySpace.has(id)) bySpace.set(id, [])
  return [...bySpace].map(([spaceId, grants]) => {
    const held = new Set([...(actor.within ? everywhere : []), ...scopesOfGrants(grants)])
    return { spaceId, scopes: scopes.filter((scope) => held.has(scope)) }
  })
}

/** An entry that has ended counts for nothing, also while it is remembered. */
function isLive({ expiresAt }: GrantInSpace): boolean {
  return expiresAt === null || expiresAt.getTime() > Date.now()
}

interface Known {
  everywhere: ReadonlySet<Scope>
  principals: readonly string[]
  key: string
}

/** An actor is made anew whenever its roles or groups are: what follows from them is worked out once. */
function rememberHolders() {
  const known = new WeakMap<Holder, Known>()
  return (actor: Holder): Known => {
    const found = known.get(actor)
    if (found) return found
    const holder = actor.within?.holder ?? actor
    const principals = principalsOf(holder)
    const made = {
      everywhere: scopesEverywhere(holder.resourceRoles),
      principals,
      key: `${actor.tenantId} ${principals.join(' ')}`,
    }
    known.set(actor, made)
    return made
  }
}

/** Grants by tenant and principals, for a moment. */
function rememberGrants(store: RightsStore, of: (actor: Holder) => Known) {
  const remembered = new Map<string, { at: number; tenantId: string; grants: Promise<GrantInSpace[]> }>()

  function grantsOf(actor: Holder): Promise<GrantInSpace[]> {
    const { key, principals } = of(actor)
    const hit = remembered.get(key)
    if (hit && performance.now() - hit.at < rememberedMs) return hit.grants
    const grants = store.all(actor.tenantId, principals)
    remembered.delete(key)
    remembered.set(key, { at: performance.now(), tenantId: actor.tenantId, grants })
    grants.catch(() => remembered.delete(key))
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '')
    return grants
  }

  function forget(tenantId?: string): void {
    for (const [key, entry] of remembered)
      if (tenantId === undefined || entry.tenantId === tenantId) remembered.delete(key)
  }

  return { grantsOf, forget }
}

/** The caller's scopes by the id of the thing; without what they do not see. */
function visible(
  actor: Holder,
  everywhere: ReadonlySet<Scope>,
  kind: PlaceKind,
  rows: Awaited<ReturnType<RightsStore['places']>>,
) {
  const found = new Map<string, ReadonlySet<Scope>>()
  const open = new Set<string>()
  for (const { id, space_id, grants, is_own, is_open } of rows) {
    if (!isWithin(actor, space_id)) continue
    if (is_open) open.add(id)
    const here = is_own ? scopes : scopesOfGrants(grants)
    const granted = actor.partyScopes?.get(space_id ?? '') ?? []
    found.set(id, new Set([...(found.get(id) ?? everywhere), ...here, ...granted]))
  }
  for (const [id, held] of found) if (!held.has(placeRules[kind].visibleBy) && !open.has(id)) found.delete(id)
  return found
}
