import type { Actor } from '../../platform/auth/actor.ts'
import { createRevalidatingCache } from '../../platform/auth/revalidating-cache.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Principals } from './permission-list.ts'
import type { PermissionRow } from './tables.ts'

export type Manager = Pick<PermissionRow, 'dashboard_id' | 'principal_type' | 'principal_id'>

const askedAtOnce = 6
const keptMs = 60_000
const mostKept = 10_000

/**
 * Tells which managers have an account, or are a group or role that is there. The identity server is asked about each
 * once a minute; those who are removed in the portal are forgotten at once.
 */
export function createPresence({ principal }: Pick<Principals, 'principal'>) {
  const isThere = (realm: string, type: Manager['principal_type'], id: string) =>
    type === 'everyone' ? true : principal(realm, { type, id }).then((found) => found !== undefined)

  const known = createRevalidatingCache<boolean>({
    async read(key) {
      const [realm, type, id] = JSON.parse(key) as [string, Manager['principal_type'], string]
      return isThere(realm, type, id)
    },
    ...{ refreshMs: keptMs, maxAgeMs: keptMs, most: mostKept },
  })

  return {
    /** Dashboards of these managers of which none is there. `now` asks the identity server about each. */
    async orphansAmong({ realm }: Actor, managers: readonly Manager[], when: 'now' | 'lately'): Promise<string[]> {
      const keyOf = (row: Manager) => JSON.stringify([realm, row.principal_type, row.principal_id])
      const there = await mapLimit(askedAtOnce, [...new Set(managers.map(keyOf))], async (key) =>
        (await (when === 'now' ? known.readNow(key) : known.get(key))) ? [key] : [],
      )
      const present = new Set(there.flat())
      const managed = new Set(managers.filter((row) => present.has(keyOf(row))).map((row) => row.dashboard_id))
      return [...new Set(managers.map((row) => row.dashboard_id))].filter((id) => !managed.has(id))
    },
    forget: () => known.forget(() => true),
  }
}
export type Presence = ReturnType<typeof createPresence>
