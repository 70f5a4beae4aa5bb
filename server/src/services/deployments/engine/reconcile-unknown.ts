import type { Actor } from '../../../platform/auth/actor.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Command } from '../commands/accept.ts'
import { repair } from '../commands/repair.ts'
import type { DeploymentDeps } from '../deps.ts'
import { findNewestOfApp } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { findUnknown, forgetUnknown } from './unknown-store.ts'

/** User id of actions that the portal starts by itself. */
const ourselves = 'quayside'

/**
 * An action whose cluster stayed away ended without anybody knowing how. When the cluster answers again and the release
 * was left locked, it is repaired, by an action of the ledger like any other; the key keeps replicas from doing it twice.
 */
export async function settleUnknown(deps: DeploymentDeps): Promise<void> {
  for (const action of await findUnknown(deps.db)) {
    try {
      if (await isSettled(deps, action)) await forgetUnknown(deps.db, action)
    } catch (error) {
      // The cluster of this action is still away, or somebody works on its release: the next round asks again.
      deps.log.debug({ err: error, actionId: action.id }, 'what an action left could not be looked at')
    }
  }
}

async function isSettled(deps: DeploymentDeps, action: ActionRow): Promise<boolean> {
  const { tenant_id: tenantId, app_id: appId, cluster_id: clusterId, namespace, release_name: releaseName } = action
  if (!appId || !clusterId || !namespace || !releaseName) return true
  if (!(await deps.apps.find(tenantId, appId))) return true
  // A later action has looked at the release itself.
  if ((await findNewestOfApp(deps.db, tenantId, appId))?.id !== action.id) return true
  const [newest] = await deps.clusters.readRelease({ tenantId, clusterId, namespace, releaseName })
  if (newest && /^pending|^uninstalling/.test(newest.status)) {
    await repair(deps, repairOf(action), { appId, socketId: null }).catch(alreadyAtWork)
    return true
  }
  await deps.clusters.refreshApp(tenantId, appId)
  return true
}

/** Somebody was quicker: their action looks at the release. */
function alreadyAtWork(error: unknown): void {
  if (!(error instanceof Failure && error.code === 'deployment.already-running')) throw error
}

/** The actor of actions that the portal starts by itself. */
export function ourOwnActor(tenantId: string): Actor {
  return {
    userId: ourselves,
    username: ourselves,
    email: null,
    tenantId,
    tenantIdentifier: '',
    realm: '',
    realmRoles: new Set(),
    groupIds: new Set(),
    clientId: '',
    resourceRoles: new Set(),
    scopes: new Set(),
    expiresAt: 0,
    token: '',
  }
}

function repairOf(action: ActionRow): Command {
  return {
    actor: ourOwnActor(action.tenant_id),
    kind: 'Repair',
    idemKey: `repair-after-${action.id}`,
    digest: action.id,
    socketId: null,
  }
}
