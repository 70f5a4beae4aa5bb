import type { LiveSocket } from '../../../platform/live/live.ts'
import type { DeploymentDeps } from '../deps.ts'
import { findAction, findRunningByRelease } from '../store.ts'
import type { Follower } from './follower.ts'
import type { Pump } from './pump.ts'
import type { Retries } from './retries.ts'
import { isCaller } from './visibility.ts'

interface Parts {
  followers: Set<Follower>
  /** Every connected socket, by its id. */
  callers: ReadonlyMap<string, LiveSocket>
  pump: Pump
  retries: Pick<Retries, 'later'>
  /** Wakes those who wait for news of an action. */
  wake(actionId: string): void
}

/** Notes that an action has news: whoever follows its release follows it from then on, and is sent what they lack. */
export function createNotes({ db, log }: Pick<DeploymentDeps, 'db' | 'log'>, parts: Parts) {
  const { followers, callers, pump, retries, wake } = parts
  /** Ids of the preparations that each socket has been told of: notes can come after the last one. */
  const prepared = new WeakMap<LiveSocket, Set<string>>()

  function receive(note: string) {
    onNote(note).catch((error: unknown) => {
      log.warn({ err: error, note }, 'a note of an action could not be followed')
      retries.later(() => receive(note))
    })
  }

  async function onNote(note: string): Promise<void> {
    const [tenantId = '', actionId = '', releaseName = ''] = note.split('|')
    wake(actionId)
    for (const each of followers) {
      if (each.isPinned || releaseName === '' || each.releaseName !== releaseName || each.tenantId !== tenantId)
        continue
      if (!each.seen.has(actionId)) each.seen.set(actionId, 0)
    }
    if (callers.size > 0 && releaseName === '') await followAsCaller(tenantId, actionId)
    await pump(tenantId, actionId)
  }

  /** Sends prepared values to the socket that the command named, if it belongs to the caller. */
  async function followAsCaller(tenantId: string, actionId: string): Promise<void> {
    const action = await findAction(db, tenantId, actionId)
    const socket = action?.socket_id ? callers.get(action.socket_id) : undefined
    if (!action || !socket || action.kind !== 'Prepare' || !isCaller(socket.data.actor, action)) return
    if ((prepared.get(socket) ?? new Set()).has(actionId)) return
    prepared.set(socket, (prepared.get(socket) ?? new Set()).add(actionId))
    followers.add({ socket, tenantId, releaseName: '', isPinned: true, seen: new Map([[actionId, 0]]) })
  }

  async function catchUp(tenantId: string, releaseName: string): Promise<void> {
    if (![...followers].some((each) => each.tenantId === tenantId && each.releaseName === releaseName)) return
    try {
      for (const id of await findRunningByRelease(db, tenantId, releaseName))
        receive(`${tenantId}|${id}|${releaseName}`)
    } catch (error) {
      log.debug({ err: error, releaseName }, 'what runs of a release could not be read')
      retries.later(() => catchUp(tenantId, releaseName))
    }
  }

  /** Notes were lost: whatever is followed here is looked at. */
  function catchUpAll() {
    for (const { tenantId, releaseName, isPinned, seen } of followers) {
      for (const actionId of seen.keys()) void pump(tenantId, actionId)
      if (!isPinned) void catchUp(tenantId, releaseName)
    }
  }

  return { receive, catchUp, catchUpAll }
}
export type Notes = ReturnType<typeof createNotes>
