import { Failure } from '../../../platform/http/errors.ts'
import { releaseOfAction } from '../releases/release-ref.ts'
import { type ActionContext, messageType } from './action-context.ts'

/**
 * Says in the log what people have changed by hand and Helm is about to set again: in an upgrade and a rollback the
 * release wins, and nobody should have to find that out afterwards.
 */
export async function tellOverwrites(context: ActionContext, rendered: string | undefined): Promise<void> {
  const { deps, action, journal } = context
  const { tenant_id, cluster_id, namespace, space_id } = action
  try {
    const manifest = await manifestToCome(context, rendered)
    if (manifest === undefined) return
    const target = { namespace: namespace ?? '', spaceId: space_id ?? '' }
    const lines = await deps.clusters.overwrites(tenant_id, cluster_id ?? '', target, manifest)
    for (const line of lines) journal.say(messageType(action.kind), line)
  } catch (error) {
    // These lines are a convenience: when the cluster is away, Helm's own failure says so.
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    deps.log.debug({ err: error, actionId: action.id }, 'what others have set was not found out')
  }
}

async function manifestToCome(
  { deps, action, input }: ActionContext,
  rendered: string | undefined,
): Promise<string | undefined> {
  if (input.kind === 'Upgrade') return rendered
  if (input.kind !== 'Rollback') return undefined
  const revisions = await deps.clusters.readRelease(releaseOfAction(action))
  return revisions.find(({ revision }) => revision === input.revision)?.manifest
}
