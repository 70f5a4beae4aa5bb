import type { Stamp, Waiting } from '@quayside/contract/live/live'
import { decryptPrepared } from '../commands/command-input.ts'
import type { DeploymentDeps } from '../deps.ts'
import { eventsAfter } from '../ledger/event-store.ts'
import { findAction } from '../store.ts'
import type { ActionRow, EventRow } from '../tables.ts'
import { type Follower, seenBy } from './follower.ts'
import { mayHear, worksOn } from './visibility.ts'

/** Sends the events of an action that its followers lack, in order; whether more are left. */
export async function sendNews(
  deps: DeploymentDeps,
  followers: Set<Follower>,
  tenantId: string,
  actionId: string,
): Promise<boolean> {
  const { db } = deps
  const followed = [...followers].filter((each) => each.tenantId === tenantId && each.seen.has(actionId))
  if (followed.length === 0) return false
  const action = await findAction(db, tenantId, actionId)
  if (!action) return false
  const mine = await filterAsync(followed, ({ socket }) => mayHear(deps, socket.data.actor, action))
  if (mine.length === 0) return false
  const rows = await eventsAfter(db, tenantId, actionId, Math.min(...mine.map((each) => seenBy(each, actionId))))
  const working = new Set(await filterAsync(mine, ({ socket }) => worksOn(deps, socket.data.actor, action)))
  for (const row of rows) {
    for (const each of mine) {
      if (row.seq !== seenBy(each, actionId) + 1) continue
      each.seen.set(actionId, row.seq)
      each.socket.emit(row.event, { ...payloadOf(deps, action, row, working.has(each)), ...stampOf(action, row) })
    }
  }
  if (action.final_at === null && action.waiting) {
    const waiting: Waiting = { actionId, releaseName: action.release_name ?? '', ...action.waiting }
    for (const each of mine) each.socket.emit('waiting', waiting)
  }
  if (mine.some((each) => seenBy(each, actionId) < action.last_seq)) return true
  if (action.final_at !== null) for (const each of mine) if (each.releaseName === '') followers.delete(each)
  return false
}

async function filterAsync<T>(items: readonly T[], keep: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(keep))
  return items.filter((_, at) => kept[at])
}

/** The payload of an event, without its stamp. */
export function payloadOf(
  deps: Pick<DeploymentDeps, 'encryption'>,
  action: ActionRow,
  row: EventRow,
  isForWorker: boolean,
) {
  const isPrepared = row.event === 'Prepare' && action.prepared !== null && isForWorker
  return isPrepared ? { ...decryptPrepared(deps.encryption, action) } : row.payload
}

function stampOf(action: ActionRow, row: EventRow): Stamp {
  return { seq: row.seq, at: row.at.toISOString(), actionId: action.id, releaseName: action.release_name }
}
