import type { ActionRow } from '../tables.ts'

/** Somebody for whom an action runs: what a replica has is shared by tenants, and within a tenant by spaces. */
export type Sharer = Pick<ActionRow, 'tenant_id' | 'space_id'>

interface Taken {
  all: number
  ofTenant: number
  ofSpace: number
}

/**
 * Tells whether a space may take one more place. It holds fewer than stay free: one alone has half, whoever comes next
 * half of the rest, and something is left for others. Where there are several tenants, that half is for a tenant, and a
 * space has half of it.
 */
export function isLeft(places: number, { all, ofTenant, ofSpace }: Taken, areTenantsSeveral: boolean): boolean {
  const free = places - all
  const ofItsTenant = areTenantsSeveral ? Math.ceil((free + ofTenant) / 2) - ofTenant : free
  return ofSpace < ofItsTenant
}

/** A place among those that work, and once it only waits among those that wait, if there is one left. */
export interface Place {
  onlyWaits(): void
  end(): void
  /** Resolved when it is no longer among those that work. */
  left: Promise<void>
}

/** The places of one replica. `onLeft` is called whenever one is left to others. */
export function createShares(places: { working: number; waiting: number }, onLeft: () => void) {
  const held = { working: new Set<Sharer>(), waiting: new Set<Sharer>() }
  let areSeveral = false

  const hasLeft = (kind: 'working' | 'waiting', { tenant_id, space_id }: Sharer) => {
    const all = [...held[kind]]
    const tenants = all.filter((each) => each.tenant_id === tenant_id)
    const ofSpace = tenants.filter((each) => each.space_id === space_id).length
    return isLeft(places[kind], { all: all.length, ofTenant: tenants.length, ofSpace }, areSeveral)
  }

  return {
    /** From now on tenants share as well. */
    tenantsAreSeveral() {
      areSeveral = true
    },
    isLeftFor: (sharer: Sharer) => hasLeft('working', sharer),
    take({ tenant_id, space_id }: Sharer): Place {
      const one = { tenant_id, space_id }
      const { promise: left, resolve } = Promise.withResolvers<void>()
      held.working.add(one)
      const leave = (kind: 'working' | 'waiting') => {
        if (held[kind].delete(one)) onLeft()
      }
      return {
        left,
        onlyWaits() {
          if (!held.working.has(one) || !hasLeft('waiting', one)) return
          held.waiting.add(one)
          leave('working')
          resolve()
        },
        end() {
          leave('working')
          leave('waiting')
          resolve()
        },
      }
    },
  }
}
