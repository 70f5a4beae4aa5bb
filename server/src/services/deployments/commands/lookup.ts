import type { App } from '@quayside/contract/apps/endpoints'
import { storedJson } from '../../../platform/db/stored-json.ts'
import type { UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { SpaceRecord } from '../../spaces/index.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { VersionOf } from '../ports.ts'
import { releaseKeyOf } from '../releases/release-name.ts'
import type { NewAction } from '../store.ts'
import type { ActionRow } from '../tables.ts'

export async function findApp(deps: DeploymentDeps, tenantId: string, id: string, field?: string): Promise<App> {
  const app = await deps.apps.find(tenantId, id)
  if (!app) throw fail('app.not-found', { field })
  return app
}

/**
 * Refuses to bring anything to a cluster that the space of an app does not use any more. The app was assigned or deployed
 * there before; it can still be deleted.
 */
export async function mustUseCluster(
  deps: Pick<DeploymentDeps, 'spaces'>,
  tenantId: string,
  app: Pick<App, 'spaceId' | 'clusterId'>,
  field?: string,
): Promise<SpaceRecord> {
  const space = await deps.spaces.record(tenantId, app.spaceId)
  if (!space) throw fail('space.not-found')
  if (!space.clusterIds.includes(app.clusterId)) throw fail('cluster.not-in-space', { field })
  return space
}

/** Changes the record of an app with the acceptance of a command. A deletion may have ended since the app was looked up. */
export async function markApp(
  deps: DeploymentDeps,
  trx: UnitOfWork,
  { tenantId, id }: { tenantId: string; id: string },
  patch: Parameters<DeploymentDeps['apps']['patchRecord']>[2],
  field?: string,
): Promise<void> {
  if (!(await deps.apps.patchRecord(tenantId, id, patch, trx))) throw fail('app.not-found', { field })
}

export async function findVersion(
  deps: DeploymentDeps,
  tenantId: string,
  id: string,
  field?: string,
): Promise<VersionOf> {
  const version = await deps.catalog.versionOf(tenantId, id)
  if (!version) throw fail('catalog.version-not-found', { field })
  return version
}

/** The columns of an action about the app. */
export function about(
  app: App,
  releaseName: string | null,
  version: { id: string; version: string },
): Pick<NewAction, 'app_id' | 'app_name'> & Partial<NewAction> {
  return {
    app_id: app.id,
    app_name: app.displayName,
    release_key: releaseName && releaseKeyOf(app.clusterId, app.namespace, releaseName),
    release_name: releaseName,
    namespace: app.namespace,
    cluster_id: app.clusterId,
    cluster_name: app.clusterName,
    space_id: app.spaceId,
    space_name: app.spaceName,
    catalog_item_id: app.catalogItemId,
    version_id: version.id,
    version: version.version,
    app_before: storedJson({
      state: app.state,
      stateMessage: app.stateMessage,
      releaseName: app.releaseName,
    } satisfies ActionRow['app_before']),
  }
}
