import { placeRules } from '@quayside/contract/capabilities'
import type { PlaceKind } from '@quayside/contract/http/place'
import { role } from '@quayside/contract/http/policy'
import type { Way } from '@quayside/contract/permissions/endpoints'
import type { ExplainQuery, Explanation } from '@quayside/contract/permissions/explain'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { type RoleRef, realmRoles, roleIdOf, roleName, roleOfId } from '@quayside/contract/permissions/roles'
import { rolesEverywhere, type Scope, scopesOfTenantRole } from '@quayside/contract/permissions/scopes'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import type { Db } from '../../../platform/db/db.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Holders, Standing } from '../../directory/index.ts'
import { type EntryRow, entriesOf } from '../members/entry-store.ts'
import type { Names } from '../members/names.ts'
import { principalOf } from '../members/principals.ts'
import { spaceName } from '../members/space-store.ts'
import { findOpenRequest } from '../requests/request-store.ts'
import type { SpaceRoles } from '../roles/space-roles.ts'
import type { Tables } from '../tables.ts'
import type { RightsMemory } from './rights.ts'
import { type ListedGrant, scopesOfWays, waysOf } from './ways.ts'

interface ExplainDeps {
  db: Db
  rights: RightsMemory
  roles: SpaceRoles
  names: Names
  directory: {
    standing(realm: string, userId: string): Promise<Standing | undefined>
    holdersOfAll(realm: string, roles: readonly string[]): Promise<Holders>
  }
}

type Asked = z.output<typeof ExplainQuery>

/** Says why somebody may, or may not: the ways that they have, what is missing, and who may grant it. */
export function createExplain(deps: ExplainDeps) {
  const { db, rights, roles, names, directory } = deps
  const standingOf = standingIn(directory)
  const explainRole = createRoleExplanation(deps)

  async function explainScope(
    actor: Actor,
    scope: Scope,
    place: PlaceKind,
    id: string,
    user?: string,
  ): Promise<Explanation> {
    const found = await rights.find(actor, place, id)
    if (!found) throw fail(placeRules[place].unknown, { field: 'id' })
    const isOther = user !== undefined && user !== actor.userId
    if (isOther && !found.scopes.has('space.members')) throw forbidden([{ scope: 'space.members' }], 'user')
    const { spaceId } = found
    const [somebody, list, all] = await Promise.all([
      standingOf(actor.realm, user ?? actor.userId),
      spaceId === null ? [] : db.tenant<Tables, EntryRow[]>(actor.tenantId, (trx) => entriesOf(trx, spaceId)),
      roles.list(actor.tenantId),
    ])
    const ways = somebody.isEnabled || !isOther ? waysOf(somebody, list.map(toGrant(all))) : []
    // For the caller the very answer that a call would get.
    const isAllowed = isOther ? scopesOfWays(ways).includes(scope) : found.scopes.has(scope)
    const spaceRoles = all.filter((role) => role.scopes.includes(scope)).map(({ id, name }) => ({ id, name }))
    const tenantRoles = realmRolesWith(rolesGiving(scope))
    const isInSpace = spaceRoles.length > 0
    const toAskFor = isAllowed || isOther || isInSpace ? [] : rolesGiving(scope).map(roleIdOf)
    const isNowhere = isInSpace && spaceId === null
    const about = isInSpace ? { spaceId: spaceId ?? '' } : { tenantRoles: toAskFor }
    const openRequestId = isNowhere || isOther ? null : await openRequest(db, actor, about)
    const ofTenant = isInSpace ? tenantGrantors(scope) : await grantorsOfRoles(directory, actor.realm, toAskFor)
    const ofSpace = await grantorsIn(names, actor, list.filter(grants(scope, all)))
    return {
      allowed: isAllowed,
      needs: scope,
      person: { id: somebody.person.id, name: somebody.person.name },
      space:
        spaceId === null ? null : { id: spaceId, displayName: (await spaceName(db, actor.tenantId, spaceId)) ?? '' },
      ways,
      missing: isAllowed ? [] : [scope],
      ...{ spaceRoles, tenantRoles, openRequestId },
      grantors: [...ofSpace, ...ofTenant],
      mayRequest: !isAllowed && !isOther && (isInSpace ? spaceId !== null : ofTenant.length > 0),
      tenantRolesToAskFor: toAskFor,
    }
  }

  return {
    explain(actor: Actor, { scope, role, place, id, user }: Asked): Promise<Explanation> {
      if (scope !== undefined && place !== undefined && id !== undefined)
        return explainScope(actor, scope, place, id, user)
      return explainRole(actor, role ?? '')
    },
  }
}

/** The same for a role of the tenant, to the caller. */
function createRoleExplanation({ db, directory }: Pick<ExplainDeps, 'db' | 'directory'>) {
  const standingOf = standingIn(directory)
  return async function explainRole(actor: Actor, needs: string): Promise<Explanation> {
    const ref = roleOfId(needs)
    if (ref === undefined) throw fail('request.invalid', { field: 'role' })
    const name = roleName(ref)
    const { person, roles: held } = await standingOf(actor.realm, actor.userId)
    const start = { kind: 'user', id: person.id, name: person.name } as const
    const ways: Way[] = held
      .filter(({ id }) => id === name)
      .map(({ through }) => ({
        steps: [start, ...through, { kind: 'role', id: name, name: ref.role }],
        ...{ scopes: [], expiresAt: null, permissionId: null },
      }))
    const isAllowed = actor.resourceRoles.has(name)
    const toAskFor = isAllowed ? [] : [roleIdOf(ref)]
    const [holders, grantors, openRequestId] = await Promise.all([
      directory.holdersOfAll(actor.realm, [name]),
      grantorsOfRoles(directory, actor.realm, toAskFor),
      openRequest(db, actor, { tenantRoles: toAskFor }),
    ])
    return {
      allowed: isAllowed,
      needs,
      person: { id: person.id, name: person.name },
      ...{ space: null, ways, missing: isAllowed ? [] : [needs], spaceRoles: [] },
      tenantRoles: holders.roles.map(({ id }) => id),
      ...{ grantors, openRequestId, mayRequest: !isAllowed && grantors.length > 0 },
      tenantRolesToAskFor: toAskFor,
    }
  }
}

const standingIn =
  (directory: ExplainDeps['directory']) =>
  async (realm: string, id: string): Promise<Standing> => {
    const found = await directory.standing(realm, id)
    if (!found) throw fail('iam.user-not-found', { field: 'user' })
    return found
  }

function grantorsIn(names: Names, actor: Actor, entries: readonly EntryRow[]): Promise<NamedPrincipal[]> {
  const seen = new Map(entries.map((entry) => [entry.principal, entry]))
  const called = [...seen.values()].map(({ principal, principal_name: name, principal_detail: detail }) => ({
    ...principalOf(principal),
    ...{ name, detail },
  }))
  return names.ofAll(actor.realm, called)
}

async function openRequest(
  db: Db,
  { tenantId, userId }: Actor,
  about: Parameters<typeof findOpenRequest>[3],
): Promise<string | null> {
  return (await findOpenRequest(db, tenantId, userId, about)) ?? null
}

const toGrant =
  (all: readonly { id: string; name: string }[]) =>
  ({ id, principal, role, scopes, owner, expires_at }: EntryRow): ListedGrant => ({
    ...{ id, principal, role, scopes, owner, expiresAt: expires_at },
    roleName: all.find((each) => each.id === role)?.name ?? role,
  })

/** Tells whether an entry lets somebody give a scope: they hold it, and may change the list. */
const grants = (scope: Scope, all: readonly { id: string; scopes: readonly Scope[] }[]) => (entry: EntryRow) => {
  const held = all.find(({ id }) => id === entry.role)?.scopes ?? []
  return held.includes(scope) && (entry.owner || held.includes('space.members'))
}

function rolesGiving(scope: Scope) {
  return rolesEverywhere.filter((ref) => scopesOfTenantRole(ref).includes(scope))
}

/** The roles of the realm that a tenant starts with and that contain any of these. */
function realmRolesWith(wanted: readonly RoleRef[]): string[] {
  return Object.entries(realmRoles).flatMap(([name, { holds }]) => (wanted.some(holds) ? [name] : []))
}

/** Roles of the realm whose holders may give the scope in every space. */
function tenantGrantors(scope: Scope): NamedPrincipal[] {
  const managing = realmRolesWith(rolesGiving('space.members'))
  return realmRolesWith(rolesGiving(scope))
    .filter((name) => managing.includes(name))
    .map(toRole)
}

/** More people than these are told by their roles, where there are any. */
const mostNamed = 5

/** Principals that may give one of these roles of the tenant by the directory: they manage roles of people, and hold it themselves. */
async function grantorsOfRoles(
  directory: Pick<ExplainDeps['directory'], 'holdersOfAll'>,
  realm: string,
  wanted: readonly string[],
): Promise<NamedPrincipal[]> {
  const managing = roleName(role('iam-users', 'users.roles.manage'))
  const found = await mapLimit(1, wanted, async (id) => {
    const ref = roleOfId(id)
    return ref ? directory.holdersOfAll(realm, [roleName(ref), managing]) : { roles: [], people: [] }
  })
  const named = found.flatMap(({ roles, people }) => [
    ...(people.length > mostNamed && roles.length > 0 ? [] : people.slice(0, mostNamed)),
    ...roles,
  ])
  const once = new Map(named.map((one) => [`${one.type} ${one.id}`, one]))
  return [...once.values()].map((one) => ({ ...one, isGone: false }))
}

function toRole(name: string): NamedPrincipal {
  const { description } = realmRoles[name as keyof typeof realmRoles]
  return { type: 'role', id: name, name, detail: description, isGone: false }
}
