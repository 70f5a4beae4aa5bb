import { fail } from '../../../platform/http/errors.ts'
import { accept, type Command } from '../commands/accept.ts'
import { mustMayStartPods } from '../commands/elevation.ts'
import { about, findApp, mustUseCluster } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { WorkloadChange } from '../ports.ts'
import type { ActionRow } from '../tables.ts'

/**
 * Scales, limits or restarts a running workload of an app. An action like any other, so it never meets one that works on
 * the release.
 */
export function changeWorkload(
  deps: DeploymentDeps,
  command: Command,
  appId: string,
  change: WorkloadChange,
): Promise<ActionRow> {
  const { tenantId, userId } = command.actor
  return accept(deps, command, async () => {
    const app = await findApp(deps, tenantId, appId, 'appId')
    if (!app.releaseName) throw fail('deployment.not-deployed', { field: 'appId' })
    await mustUseCluster(deps, tenantId, app, 'appId')
    const { spaceId, clusterId } = app
    const who = { tenantId, userId, spaceId }
    const words = await deps.clusters.judgeChange(tenantId, app.id, change, () =>
      mustMayStartPods(deps, { who, clusterId }),
    )
    return {
      input: { kind: 'ChangeWorkload', change, words },
      about: about(app, app.releaseName, { id: app.catalogVersionId, version: app.version }),
    }
  })
}
