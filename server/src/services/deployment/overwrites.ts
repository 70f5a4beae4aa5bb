import { Failure } from '../../kernel/errors.ts'
import { messageType, type Run } from './run.ts'

/**
 * Says in the log what people have changed by hand and Helm is about to set again: in an upgrade and a rollback the
 * release wins, and nobody should have to find that out afterwards.
 */
export async function tellOverwrites(run: Run): Promise<void> {
  const { deps, action, journal } = run
  const { tenant_id, cluster_id, namespace, space_id } = action
  try {
    const manifest = await manifestToCome(run)
    if (manifest === undefined) return
    const target = { namespace: namespace ?? '', spaceId: space_id ?? '' }
    const lines = await deps.clusters.overwrites(tenant_id, cluster_id ?? '', target, manifest)
    for (const line of lines) journal.say(messageType(action.kind), line)
  } catch (error) {
    // A cluster that does not answer now is met by Helm, and what Helm meets is told.
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    deps.log.debug({ err: error, actionId: action.id }, 'what others have set was not found out')
  }
}

async function manifestToCome({ deps, action, input, manifest }: Run): Promise<string | undefined> {
  if (input.kind === 'Upgrade') return manifest
  if (input.kind !== 'Rollback') return undefined
  const { tenant_id, cluster_id, namespace, release_name } = action
  const revisions = await deps.clusters.readRelease(tenant_id, cluster_id ?? '', namespace ?? '', release_name ?? '')
  return revisions.find(({ revision }) => revision === input.revision)?.manifest
}
