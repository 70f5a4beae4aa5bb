import type { App } from '@quayside/contract/apps/endpoints'
import type { DeployData } from '@quayside/contract/deployments/deploy-data'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { SpaceRecord } from '../../spaces/index.ts'

/**
 * The ids of a command say the same thing several times; every one must say what the app's record says, or the command
 * was meant for something else.
 */
export function assertCommandMatchesApp(
  data: DeployData,
  to: {
    actor: Pick<Actor, 'realm' | 'tenantIdentifier'>
    app: App
    space: SpaceRecord
    /** The versions that the catalog child may name; of an upgrade the one before, too. */
    versionIds: readonly string[]
  },
): void {
  const { actor, app, space, versionIds } = to
  const rows: readonly [string, string, string][] = [
    ['deployData.realm', data.realm, actor.realm],
    ['deployData.spaceId', data.spaceId, app.spaceId],
    ['deployData.clusterId', data.clusterId, app.clusterId],
    ['deployData.namespace', data.namespace, app.namespace],
    ['deployData.appMetadata.tenantIdentifier', data.appMetadata.tenantIdentifier, actor.tenantIdentifier],
    ['deployData.appMetadata.envIdentifier', data.appMetadata.envIdentifier, space.identifier],
    ['deployData.appMetadata.instanceIdentifier', data.appMetadata.instanceIdentifier, app.identifier],
    ['deployData.appMetadata.appIdentifier', data.appMetadata.appIdentifier, app.identifier],
    ['deployData.catalogChild.item.id', data.catalogChild.item.id, app.catalogItemId],
  ]
  for (const [field, said, expected] of rows) mustEqual(field, said, expected)
  const { id } = data.catalogChild.version
  if (!versionIds.includes(id)) mustEqual('deployData.catalogChild.version.id', id, versionIds[0] ?? '')
}

export function mustEqual(field: string, said: string, expected: string): void {
  if (said !== expected)
    throw fail('request.invalid', { field, message: `${field}: does not fit, expected ${expected || 'nothing'}` })
}
