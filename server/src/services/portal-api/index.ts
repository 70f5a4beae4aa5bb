import { role } from '@quayside/contract/policy'
import type { Actor } from '../../kernel/actor.ts'
import type { Db } from '../../kernel/db.ts'
import type { Live } from '../../kernel/live.ts'
import { holdsAny } from '../../kernel/policy.ts'
import type { SpaceCondition } from '../../kernel/rights.ts'
import { type AppPorts, createApps } from './apps.ts'
import { createMenu } from './menu.ts'
import { createSpaces, type SpacePorts } from './spaces.ts'
import { createTenants } from './tenants.ts'

export type { AppRecord, AppRecordPatch } from './app-rows.ts'
export type { Apps, NewApp } from './apps.ts'
export type { Menu } from './menu.ts'
export type { ClusterName, SpaceRecord, Spaces } from './spaces.ts'
export type { TenantRecord, Tenants } from './tenants.ts'

export interface PortalApiDeps extends AppPorts, SpacePorts {
  db: Db
  changed: Live['changed']
}

/** Tenants, their spaces and the records of their apps. */
export function createPortalApi(deps: PortalApiDeps) {
  const spaces = createSpaces(deps.db, deps)
  /** Whoever looks at clusters knows all of them, others those of the spaces that they see. */
  const clustersWithin = (actor: Actor): SpaceCondition | undefined =>
    holdsAny(actor, [role('clusters', 'clusters.view')]) ? undefined : deps.rights.condition(actor, 'space.view')
  const clusterNamesFor = async (actor: Actor) => {
    const [names, within] = [await deps.clusterNames(actor.tenantId), clustersWithin(actor)]
    const seen = within && (await spaces.clusterIdsIn(actor.tenantId, within))
    return seen ? new Map([...names].filter(([id]) => seen.has(id))) : names
  }
  const apps = createApps(deps.db, deps)
  return {
    tenants: createTenants(deps.db),
    spaces,
    apps,
    clustersWithin,
    clusterNamesFor,
    menu: createMenu(deps.db, {
      clusterNamesFor,
      rights: deps.rights,
      changed: deps.changed,
      spaceName: async (tenantId, id) => (await spaces.record(tenantId, id))?.displayName,
      appName: async (tenantId, id) => (await apps.record(tenantId, id))?.displayName,
    }),
    changed: deps.changed,
  }
}
export type PortalApi = ReturnType<typeof createPortalApi>
