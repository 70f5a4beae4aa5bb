import type { ActionRow } from '../../tables.ts'

/** Tenant and space of an action, which share the places of a replica. */
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
export function hasFreePlace(places: number, { all, ofTenant, ofSpace }: Taken, areTenantsSeveral: boolean): boolean {
  const free = places - all
  const ofItsTenant = areTenantsSeveral ? Math.ceil((free + ofTenant) / 2) - ofTenant : free
  return ofSpace < ofItsTenant
}

/** A place among those that work, and once it only waits among those that wait, if one is free. */
export interface Place {
  moveToWaiting(): void
  end(): void
  /** Resolved when it is no longer among those that work. */
  released: Promise<void>
}

/** The places of one replica. `onRelease` is called whenever one is free again. */
export function createShares(places: { working: number; waiting: number }, onRelease: () => void) {
  const held = { working: new Set<Sharer>(), waiting: new Set<Sharer>() }
  let areSeveral = false

  const isFree = (kind: 'working' | 'waiting', { tenant_id, space_id }: Sharer) => {
    const all = [...held[kind]]
    const tenants = all.filter((each) => each.tenant_id === tenant_id)
    const ofSpace = tenants.filter((each) => each.space_id === space_id).length
    return hasFreePlace(places[kind], { all: all.length, ofTenant: tenants.length, ofSpace }, areSeveral)
  }

  return {
    /** From now on tenants share as well: they come and stay. */
    tenantsAreSeveral() {
      areSeveral = true
    },
    hasFreePlaceFor: (sharer: Sharer) => isFree('working', sharer),
    take({ tenant_id, space_id }: Sharer): Place {
      const one = { tenant_id, space_id }
      const { promise: released, resolve } = Promise.withResolvers<void>()
      held.working.add(one)
      const release = (kind: 'working' | 'waiting') => {
        if (held[kind].delete(one)) onRelease()
      }
      return {
        released,
        moveToWaiting() {
          if (!held.working.has(one) || !isFree('waiting', one)) return
          held.waiting.add(one)
          release('working')
          resolve()
        },
        end() {
          release('working')
          release('waiting')
          resolve()
        },
      }
    },
  }
}
