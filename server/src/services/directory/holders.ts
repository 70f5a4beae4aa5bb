import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { serviceAccountOf } from '../../adapters/keycloak/representations.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { PrincipalName } from './principals.ts'
import { createContents, type RoleWays } from './role-ways.ts'

/** Roles of the realm that contain some roles, and enabled people who hold them. */
export interface Holders {
  roles: PrincipalName[]
  people: PrincipalName[]
}

const atOnce = 6
/** Accounts of scripts are called so, and answer nobody. */

/** Finds out who holds several roles together. */
export function createHolders(roles: RealmRoles, { membersOf }: Pick<RoleWays, 'membersOf'>) {
  /** Roles of the realm that contain all of these and that somebody holds, and the people who hold all of them. */
  return async function holdersOfAll(realm: string, wanted: readonly string[]): Promise<Holders> {
    const byRole = await membersOf(realm, { groups: [], roles: wanted })
    const contents = createContents(roles, realm)
    const people = new Map<string, PrincipalName>()
    const through = new Set<string>()
    for (const one of byRole.get(wanted[0] ?? '') ?? []) {
      const holdsAll = wanted.every((id) => byRole.get(id)?.some(({ person }) => person.id === one.person.id))
      if (!holdsAll || !one.isEnabled || serviceAccountOf(one.person) !== null) continue
      const { username: _, ...person } = one.person
      people.set(person.id, person)
      for (const step of one.through) if (step.kind === 'role') through.add(step.id)
    }
    const named = await mapLimit(atOnce, [...through].sort(), async (name) => {
      const inside = await contents(name)
      const role = wanted.every((id) => inside.includes(id)) ? await roles.find(realm, name) : undefined
      return role && ({ type: 'role', id: name, name, detail: role.description || null } as const)
    })
    const byName = (one: PrincipalName, other: PrincipalName) => one.name.localeCompare(other.name)
    return { roles: named.filter((role) => role !== undefined), people: [...people.values()].sort(byName) }
  }
}
