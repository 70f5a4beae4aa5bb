import type { CoreV1Api } from '@kubernetes/client-node'
import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { unpackRelease } from '@quayside/embedded/story/helm-release'

export interface Revision {
  revision: number
  status: string
  action: string | undefined
  /** In Helm's words, or in those of an unlock. */
  description: string
  /** When Helm began to make it, in milliseconds. */
  madeAt: number
}

/** Revisions of a release from Helm's Secrets in the cluster, the newest first. */
export async function revisionsOf(
  { core, space }: { core: CoreV1Api; space: { namespace: string } },
  releaseName: string,
): Promise<Revision[]> {
  const { items } = await core.listNamespacedSecret({
    namespace: space.namespace,
    labelSelector: `owner=helm,name=${releaseName}`,
  })
  const found = items.map(({ metadata, data }): Revision => {
    const { version, info } = unpackRelease(data)
    const { status, description, last_deployed } = info
    const action = metadata?.labels?.portalAction
    return { revision: version, status, description, action, madeAt: Date.parse(last_deployed) }
  })
  return found.sort((a, b) => b.revision - a.revision)
}

/**
 * Tells whether an action that was accepted at `since` has made a revision. Helm gives a rollback the labels of what it
 * goes back to, so that it is known by Helm's words for it and by being newer than the command.
 */
export function isMadeBy(
  { id, kind, since }: { id: string; kind: ActionKind; since: number },
  { action, description, madeAt }: Revision,
): boolean {
  if (kind !== 'Rollback') return action === id
  return /^Rollback to \d+$/.test(description) && madeAt >= since
}
