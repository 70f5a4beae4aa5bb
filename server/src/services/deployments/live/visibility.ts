import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Actor } from '../../../platform/auth/actor.ts'
import { readerOf } from '../../../platform/auth/reader.ts'
import type { DeploymentDeps } from '../deps.ts'
import { findAction, findLastByRelease } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { resumeFrom } from './resume-feed.ts'

type Said = { releaseName: string; lastSeq: number }
/** The newest action that is told to a socket, and after which event each that is told goes on. */
export type Place = [newest: ActionRow | undefined, seen: [actionId: string, after: number][]]
type Deps = Pick<DeploymentDeps, 'db' | 'rights'>

/** Tells whether the person may see the action; asked again for everything that is sent. */
export async function mayHear({ rights }: Pick<Deps, 'rights'>, actor: Actor, action: ActionRow): Promise<boolean> {
  if (action.space_id === null && isCaller(actor, action)) return true
  return rights.mayHear(actor, action.space_id, 'app.view')
}

/** Tells whether the person could have prepared the action's values, and so may see them. */
export async function worksOn({ rights }: Pick<Deps, 'rights'>, actor: Actor, action: ActionRow): Promise<boolean> {
  if (action.kind !== 'Prepare') return true
  if (action.space_id === null) return isCaller(actor, action)
  const may = (scope: Scope) => rights.mayHear(actor, action.space_id, scope)
  return (await may('app.manage')) || may('space.deploy')
}

export function isCaller(actor: Actor, action: ActionRow): boolean {
  return actor.tenantId === action.tenant_id && actor.userId === action.started_by_id
}

/** The place of a socket in the one action that it asked for. */
export async function placeIn(deps: Deps, actor: Actor, actionId: string, said: Said): Promise<Place> {
  const action = await findAction(deps.db, actor.tenantId, actionId)
  if (!action || (action.release_name ?? said.releaseName) !== said.releaseName) return [undefined, []]
  if (!(await mayHear(deps, actor, action))) return [undefined, []]
  return [action, [[action.id, Math.min(said.lastSeq, action.last_seq)]]]
}

/** The place of a socket among the newest actions of a release. */
export async function placeAmong({ db, rights }: Deps, actor: Actor, { releaseName, lastSeq }: Said): Promise<Place> {
  const reader = readerOf(actor, rights.condition(actor, 'app.view'))
  const last = await findLastByRelease(db, reader, releaseName)
  const seen = resumeFrom(last, lastSeq)
  return [last.find(({ id }) => id === seen.at(-1)?.[0]), seen]
}
