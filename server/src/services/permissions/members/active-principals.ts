import type { PrincipalMember } from '../../directory/index.ts'
import { principalOf } from './principals.ts'

export interface ActivePrincipalsDeps {
  /** Undefined for somebody who is not there or disabled, or whose client is disabled. */
  person(realm: string, id: string): Promise<unknown>
  membersOf(
    realm: string,
    wanted: { groups: readonly string[]; roles: readonly string[] },
  ): Promise<Map<string, PrincipalMember[]>>
}

/** More than one, because an entry can go between this look and the change that rests on it. */
const enough = 3

/** Finds some of these principals with an enabled person at this moment: users first, then groups and roles. */
export function createActivePrincipals({ person, membersOf }: ActivePrincipalsDeps) {
  return async (realm: string, principals: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    const named = [...new Set(principals)].map((key) => ({ key, ...principalOf(key) }))
    for (const { key, type, id } of named) {
      if (found.size >= enough) break
      if (type === 'user' && (await person(realm, id)) !== undefined) found.add(key)
    }
    const many = named.filter(({ type }) => type !== 'user')
    if (found.size > 0 || many.length === 0) return found
    const idsOf = (kind: 'group' | 'role') => many.flatMap(({ type, id }) => (type === kind ? [id] : []))
    const people = await membersOf(realm, { groups: idsOf('group'), roles: idsOf('role') })
    for (const { key, id } of many) if (people.get(id)?.some(({ isEnabled }) => isEnabled)) found.add(key)
    return found
  }
}
export type ActivePrincipals = ReturnType<typeof createActivePrincipals>
