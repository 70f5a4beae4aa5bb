import type { Action } from './endpoints.ts'

/**
 * Tells whether somebody who deploys may do an action again, or take it back: a first deployment, and the deletion of an app that
 * was only assigned, which they could start themselves. The rest is for who manages the app.
 */
export function isForDeployers({ kind, releaseName }: Pick<Action, 'kind' | 'releaseName'>): boolean {
  return kind === 'Deploy' || (kind === 'Delete' && releaseName === null)
}
