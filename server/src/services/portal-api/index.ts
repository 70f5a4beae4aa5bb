import type { Topic } from '@quayside/contract/live'
import type { Db } from '../../kernel/db.ts'
import { type AppPorts, createApps } from './apps.ts'
import { createMenu } from './menu.ts'
import { createSpaces, type SpacePorts } from './spaces.ts'
import { createTenants } from './tenants.ts'

export type { AppRecord, AppRecordPatch, Apps, NewApp } from './apps.ts'
export type { Menu } from './menu.ts'
export type { ClusterName, SpaceRecord, Spaces } from './spaces.ts'
export type { TenantRecord, Tenants } from './tenants.ts'

export interface PortalApiDeps extends AppPorts, SpacePorts {
  db: Db
  changed(tenantId: string, topic: Topic['topic'], id?: string): void
}

/** Tenants, their spaces and the records of their apps. */
export function createPortalApi(deps: PortalApiDeps) {
  const spaces = createSpaces(deps.db, deps)
  const apps = createApps(deps.db, deps)
  return {
    tenants: createTenants(deps.db),
    spaces,
    apps,
    menu: createMenu(deps.db, {
      clusterNames: deps.clusterNames,
      changed: deps.changed,
      spaceName: async (tenantId, id) => (await spaces.record(tenantId, id))?.displayName,
      appName: async (tenantId, id) => (await apps.record(tenantId, id))?.displayName,
    }),
    changed: deps.changed,
  }
}
export type PortalApi = ReturnType<typeof createPortalApi>
