import type { HeldRole } from '@quayside/contract/role-mappings/endpoints'

/** A role with every way to it, the shortest first. */
export interface RoleRow extends Pick<HeldRole, 'name' | 'client' | 'assigned'> {
  key: string
  ways: HeldRole['through'][]
}

const ofEverybody = /^(?:default-roles-.*|offline_access|uma_authorization)$/

/** Assigned ones first, and last those that the identity server gives everybody. */
function rankOf({ name, client, assigned }: RoleRow): number {
  if (client === 'account' || (client === null && ofEverybody.test(name))) return 2
  return assigned === null ? 1 : 0
}

/** One row for each role; of these the ones in which the text stands: in a name, a client, or a step of a way. */
export function rowsOf(held: readonly HeldRole[], search: string): RoleRow[] {
  const text = search.trim().toLowerCase()
  const groups = Map.groupBy(held, ({ client, name }) => `${client ?? ''}:${name}`)
  const rows = [...groups].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return []
    const all = [first, ...others]
    const row: RoleRow = {
      ...{ key, name: first.name, client: first.client },
      assigned: all.find(({ assigned }) => assigned !== null)?.assigned ?? null,
      ways: all.map(({ through }) => through),
    }
    const words = [row.name, row.client ?? 'realm', ...row.ways.flat().map(({ name }) => name)]
    return words.some((word) => word.toLowerCase().includes(text)) ? [row] : []
  })
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}
