import type { Revision } from '@quayside/contract/deployment'
import type { AppState } from '@quayside/contract/portal-api'

/** Whether a revision is under way although no action of this portal works on the app. */
export function isStuck({ status }: Pick<Revision, 'status'>, state: AppState): boolean {
  return (status.startsWith('pending-') || status === 'uninstalling') && state !== 'deploying' && state !== 'deleting'
}
