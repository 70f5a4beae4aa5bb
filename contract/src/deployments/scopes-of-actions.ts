import type { Scope } from '../permissions/scopes.ts'
import type { Action, ActionKind } from './endpoints.ts'

type Begun = Pick<Action, 'kind' | 'releaseName'>

/**
 * Scopes of which somebody needs one in the space of an app, by the kind of action: asked when it is started, again when it
 * has waited for its turn, and when it is started anew after it failed.
 */
export const actionScopes = {
  Deploy: ['space.deploy'],
  Upgrade: ['app.manage'],
  Rollback: ['app.manage'],
  Repair: ['app.manage'],
  ChangeWorkload: ['app.manage'],
  Delete: ['app.manage'],
} as const satisfies Partial<Record<ActionKind, readonly Scope[]>>

/** The deletion of an app that was only assigned is also for who may assign it. */
export const deletionOfAssigned = [...actionScopes.Deploy, ...actionScopes.Delete] as const

/** Any of these is needed for an action; undefined for one that touches no app. */
export function scopesOf({ kind, releaseName }: Begun): readonly Scope[] | undefined {
  if (kind === 'Delete' && releaseName === null) return deletionOfAssigned
  return Object.hasOwn(actionScopes, kind) ? actionScopes[kind as keyof typeof actionScopes] : undefined
}

/** Tells whether somebody who deploys may take an action back: one that they could start themselves. */
export const isForDeployers = (action: Begun): boolean => scopesOf(action)?.includes('space.deploy') ?? false
