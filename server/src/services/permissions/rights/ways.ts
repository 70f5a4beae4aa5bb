import type { Step, Way } from '@quayside/contract/permissions/endpoints'
import { roleName } from '@quayside/contract/permissions/roles'
import { rolesEverywhere, type Scope, scopes, scopesOfTenantRole } from '@quayside/contract/permissions/scopes'
import { principalOf } from '../members/principals.ts'
import { type Grant, scopesOfGrant } from './grants.ts'

/** An entry of a space's list, as far as ways lead through it. */
export type ListedGrant = Grant & { id: string; principal: string; roleName: string; expiresAt: Date | null }

/** How somebody comes to a group (by its id) or to a role (`name`, `client:role`). */
interface WayTo {
  id: string
  through: Step[]
}

interface Somebody {
  person: { id: string; name: string }
  groups: readonly WayTo[]
  roles: readonly WayTo[]
}

/** The roles of the tenant that reach every space, by the name that tokens give them. */
export const everywhereByName: ReadonlyMap<string, { role: string; scopes: readonly Scope[] }> = new Map(
  rolesEverywhere.map((ref) => [roleName(ref), { role: ref.role, scopes: scopesOfTenantRole(ref) }]),
)

/** Every way by which somebody comes to scopes in a space: through its list, or by roles that reach every space. */
export function waysOf(somebody: Somebody, list: readonly ListedGrant[]): Way[] {
  const { person, groups, roles } = somebody
  const start: Step = { kind: 'user', id: person.id, name: person.name }
  const listed = list.flatMap((grant) => {
    const { type, id } = principalOf(grant.principal)
    if (type === 'user') return id === person.id ? [wayThrough(grant, [start])] : []
    const found = (type === 'group' ? groups : roles).filter((way) => way.id === id)
    return found.map(({ through }) =>
      wayThrough(grant, [start, ...through, ...(type === 'role' ? [roleStep(id)] : [])]),
    )
  })
  return [...listed, ...waysEverywhere(start, roles)]
}

/** The ways of somebody whom an entry of the list means, `through` the groups and roles between them and it. */
export function wayThrough(grant: ListedGrant, before: readonly Step[]): Way {
  const role: Step = { kind: 'space-role', id: grant.role, name: grant.roleName }
  const owner: Step[] = grant.owner ? [{ kind: 'owner', id: 'owner', name: 'Owner' }] : []
  return {
    steps: [...before, role, ...owner],
    scopes: scopesOfGrant(grant),
    expiresAt: grant.expiresAt?.toISOString() ?? null,
    permissionId: grant.id,
  }
}

export function waysEverywhere(start: Step, roles: readonly WayTo[]): Way[] {
  return roles.flatMap(({ id, through }) => {
    const found = everywhereByName.get(id)
    if (!found) return []
    return [
      { steps: [start, ...through, roleStep(id)], scopes: [...found.scopes], expiresAt: null, permissionId: null },
    ]
  })
}

/** The scopes that all ways together give, in the order in which scopes are listed. */
export function scopesOfWays(ways: readonly Way[]): Scope[] {
  return scopes.filter((scope) => ways.some((way) => way.scopes.includes(scope)))
}

function roleStep(id: string): Step {
  return { kind: 'role', id, name: id.slice(id.indexOf(':') + 1) }
}
