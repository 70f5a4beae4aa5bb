import type { PrepareCommand } from '@quayside/contract/deployments/endpoints'
import type { z } from 'zod'
import type { DeploymentDeps } from '../deps.ts'
import type { ActionRow } from '../tables.ts'
import { accept, type Command } from './accept.ts'
import { mustEqual } from './command-matches-app.ts'
import { about, findApp, findVersion } from './lookup.ts'

/** Makes ready what the wizards edit: the values of a version with the form that they allow. */
export function prepare(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof PrepareCommand>,
): Promise<ActionRow> {
  const { tenantId } = command.actor
  return accept(deps, command, async () => {
    const { item, version } = await findVersion(deps, tenantId, body.catalogVersionId, 'catalogVersionId')
    mustEqual('catalogItemId', body.catalogItemId, item.id)
    mustEqual('catalogItemType', body.catalogItemType, item.type)
    if (body.appType) mustEqual('appType', body.appType, item.appType)
    const input = { kind: 'Prepare', versionId: version.id, appId: body.appId ?? null } as const
    const plain = {
      app_id: null,
      app_name: item.displayName,
      catalog_item_id: item.id,
      version_id: version.id,
      version: version.version,
    }
    if (!body.appId) return { input, about: plain }
    const app = await findApp(deps, tenantId, body.appId, 'appId')
    mustEqual('catalogItemId', item.id, app.catalogItemId)
    // Followers of a release wait for actions that change it, and Prepare does not.
    return { input, about: about(app, null, version) }
  })
}
