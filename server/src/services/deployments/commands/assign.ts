import type { App } from '@quayside/contract/apps/endpoints'
import type { AssignCommand } from '@quayside/contract/deployments/endpoints'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { VersionOf } from '../ports.ts'
import { completeAssign, type NewAction } from '../store.ts'
import { accept, type Command } from './accept.ts'
import { mustEqual } from './command-matches-app.ts'
import { findVersion } from './lookup.ts'

type Body = z.infer<typeof AssignCommand>

/** Makes the app's record in its space. Begins and ends in one commit; nothing of it touches a cluster. */
export async function assign(deps: DeploymentDeps, command: Command, body: Body): Promise<App> {
  const { actor } = command
  const action = await accept(deps, command, async () => {
    mustEqual('tenantId', body.tenantId, actor.tenantId)
    const space = await deps.spaces.record(actor.tenantId, body.spaceId)
    if (!space) throw fail('space.not-found', { field: 'spaceId' })
    const cluster = await deps.clusters.record(actor.tenantId, body.clusterId)
    if (!cluster || !space.clusterIds.includes(cluster.id))
      throw await deps.clusters.elsewhere(actor, body.clusterId, 'clusterId')
    const chosen = await findVersion(deps, actor.tenantId, body.catalogChild.version.id, 'catalogChild.version.id')
    mustEqual('catalogChild.item.id', body.catalogChild.item.id, chosen.item.id)
    const about: Partial<NewAction> = {
      namespace: space.namespace,
      cluster_id: cluster.id,
      cluster_name: cluster.displayName,
      space_id: space.id,
      space_name: space.displayName,
      catalog_item_id: chosen.item.id,
      version_id: chosen.version.id,
      version: chosen.version.version,
      state: 'Success',
      final_at: sql<Date>`clock_timestamp()` as unknown as Date,
    }
    const record = newApp(body, chosen, actor)
    return {
      input: { kind: 'Assign' },
      about: { ...about, app_id: null, app_name: record.displayName },
      async also(trx, row) {
        await deps.spaces.mustUse(trx, { spaceId: space.id, clusterId: cluster.id })
        const app = await deps.apps.create(actor.tenantId, { ...record, namespace: space.namespace }, trx)
        row.app_id = app.id
        await completeAssign(trx, row)
      },
    }
  })
  const app = action.app_id && (await deps.apps.find(actor.tenantId, action.app_id))
  if (!app) throw fail('app.not-found')
  return app
}

function newApp(body: Body, { item, version }: VersionOf, actor: Actor) {
  const edited = body.editableAppData ?? {}
  return {
    spaceId: body.spaceId,
    clusterId: body.clusterId,
    name: item.name,
    displayName: edited.displayName ?? version.displayName,
    description: edited.description ?? version.description,
    shortDescription: edited.shortDescription ?? version.shortDescription,
    color: edited.color ?? version.color,
    iconUri: version.iconUri ?? item.iconUri,
    iconEmbedded: version.iconEmbedded ?? item.iconEmbedded,
    tags: edited.tags ?? item.tags,
    resourceRoles: version.resourceRoles,
    itemType: item.type,
    appType: item.appType,
    catalogItemId: item.id,
    catalogItemName: item.displayName,
    catalogVersionId: version.id,
    version: version.version,
    createdBy: actor.username,
  }
}
