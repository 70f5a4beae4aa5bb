import { type RegisterReply, RegisterRequest, type Stamp, type Waiting } from '@quayside/contract/live'
import type { Scope } from '@quayside/contract/scopes'
import type { Actor } from '../../kernel/actor.ts'
import { Failure } from '../../kernel/errors.ts'
import type { LiveSocket } from '../../kernel/live.ts'
import { openPrepared } from './command-input.ts'
import type { DeploymentDeps } from './deps.ts'
import { eventsAfter, noteChannel } from './event-store.ts'
import { resumeFrom } from './resume.ts'
import { findAction, findLastByRelease, findRunningByRelease } from './store.ts'
import type { ActionRow, EventRow } from './tables.ts'

/** A socket that follows a release, or one action of it. */
interface Follower {
  socket: LiveSocket
  tenantId: string
  /** Empty for the caller of a Prepare, who follows that action alone. */
  releaseName: string
  /** Named by the client: does not move on to the next action of the release. */
  isPinned: boolean
  /** Up to where this socket has everything, by action. */
  seen: Map<string, number>
}

type Said = { releaseName: string; lastSeq: number }
/** The newest action that is told to a socket, and after which event each that is told goes on. */
type Place = [newest: ActionRow | undefined, seen: [actionId: string, after: number][]]

const mostPerSocket = 20
const lookAgainMs = 1000

/**
 * Brings the log of actions to browsers. Every replica hears that an action has news, reads the rows that its own
 * sockets lack and sends them in order, so replay and live are the same path: nothing is missed, nothing comes twice.
 */
export interface Sockets {
  /** Resolves with the next news of an action, or after a while without. */
  news(actionId: string, milliseconds: number): Promise<void>
  close(): Promise<void>
}

export async function createSockets(deps: DeploymentDeps): Promise<Sockets> {
  const { db, live, log } = deps
  const followers = new Set<Follower>()
  const callers = new Map<string, LiveSocket>()
  const pumps = new Map<string, { again: boolean }>()
  const waiters = new Map<string, Set<() => void>>()
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  /** Ids of the preparations that each socket has been told of: notes can come after the last one. */
  const prepared = new WeakMap<LiveSocket, Set<string>>()

  /** Sends what the followers of an action lack; calls in between make it look once more. */
  async function pump(tenantId: string, actionId: string): Promise<void> {
    const busy = pumps.get(actionId)
    if (busy) {
      busy.again = true
      return
    }
    const state = { again: true }
    pumps.set(actionId, state)
    try {
      while (state.again) {
        state.again = false
        await sendNews(tenantId, actionId)
      }
    } catch (error) {
      log.warn({ err: error, actionId }, 'news of an action could not be read')
      // It may have been the note of its end, after which no other one comes.
      later(() => pump(tenantId, actionId))
    } finally {
      pumps.delete(actionId)
    }
  }

  function later(run: () => unknown) {
    if (isClosed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, lookAgainMs)
    timers.add(timer)
  }

  /** Notes were lost: whatever is followed here is looked at. */
  function catchUpAll() {
    for (const { tenantId, releaseName, isPinned, seen } of followers) {
      for (const actionId of seen.keys()) void pump(tenantId, actionId)
      if (!isPinned) void catchUp(tenantId, releaseName)
    }
  }

  async function sendNews(tenantId: string, actionId: string): Promise<void> {
    const followed = [...followers].filter((each) => each.tenantId === tenantId && each.seen.has(actionId))
    if (followed.length === 0) return
    const action = await findAction(db, tenantId, actionId)
    if (!action) return
    const mine = await filterAsync(followed, ({ socket }) => mayHear(socket.data.actor, action))
    if (mine.length === 0) return
    const rows = await eventsAfter(db, tenantId, actionId, Math.min(...mine.map((each) => seenBy(each, actionId))))
    const working = new Set(await filterAsync(mine, ({ socket }) => worksOn(socket.data.actor, action)))
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
    if (mine.some((each) => seenBy(each, actionId) < action.last_seq)) pumpAgain(actionId)
    else if (action.final_at !== null) for (const each of mine) if (each.releaseName === '') followers.delete(each)
  }

  function pumpAgain(actionId: string) {
    const state = pumps.get(actionId)
    if (state) state.again = true
  }

  function hear(note: string) {
    onNote(note).catch((error: unknown) => {
      log.warn({ err: error, note }, 'a note of an action could not be followed')
      later(() => hear(note))
    })
  }

  async function onNote(note: string): Promise<void> {
    const [tenantId = '', actionId = '', releaseName = ''] = note.split('|')
    for (const wake of [...(waiters.get(actionId) ?? [])]) wake()
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

  async function register(socket: LiveSocket, asked: unknown): Promise<RegisterReply> {
    const request = RegisterRequest.safeParse(asked)
    if (!request.success)
      return refusal('request.invalid', 'register: give a release name, and a lastSeq that is a whole number from 0')
    const { actor } = socket.data
    const said = typeof request.data === 'string' ? { releaseName: request.data, lastSeq: 0 } : request.data
    const actionId = 'actionId' in said ? said.actionId : undefined
    const count = [...followers].filter((each) => each.socket === socket).length
    if (count >= mostPerSocket) return refusal('request.too-many', 'Too many releases are followed at once.')
    const [newest, seen] = actionId ? await placeIn(actor, actionId, said) : await placeAmong(actor, said)
    if (actionId && !newest) return refusal('deployment.action-not-found', 'This action does not exist.')
    if (!socket.connected) return refusal('request.invalid', 'The socket is gone.')
    stopFollowing(socket, said.releaseName)
    followers.add({
      socket,
      tenantId: actor.tenantId,
      releaseName: said.releaseName,
      isPinned: actionId !== undefined,
      seen: new Map(seen),
    })
    // The reply first, then the replay: it starts after this turn.
    setImmediate(() => void replay(actor.tenantId, seen, actionId ? undefined : said.releaseName))
    return { ok: true, actionId: newest?.id ?? null, lastSeq: newest?.last_seq ?? 0 }
  }

  /** Whether the person may see the action; asked again for everything that is sent. */
  async function mayHear(actor: Actor, action: ActionRow): Promise<boolean> {
    if (action.space_id === null && isCaller(actor, action)) return true
    return deps.rights.mayHear(actor, action.space_id, 'app.view')
  }

  /** Whether the person could have prepared the action's values, and so may see them. */
  async function worksOn(actor: Actor, action: ActionRow): Promise<boolean> {
    if (action.kind !== 'Prepare') return true
    if (action.space_id === null) return isCaller(actor, action)
    const may = (scope: Scope) => deps.rights.mayHear(actor, action.space_id, scope)
    return (await may('app.manage')) || may('space.deploy')
  }

  async function placeIn(actor: Actor, actionId: string, said: Said): Promise<Place> {
    const action = await findAction(db, actor.tenantId, actionId)
    if (!action || (action.release_name ?? said.releaseName) !== said.releaseName) return [undefined, []]
    if (!(await mayHear(actor, action))) return [undefined, []]
    return [action, [[action.id, Math.min(said.lastSeq, action.last_seq)]]]
  }

  async function placeAmong(actor: Actor, { releaseName, lastSeq }: Said): Promise<Place> {
    const { tenantId, userId } = actor
    const reader = { tenantId, userId, within: deps.rights.condition(actor, 'app.view') }
    const last = await findLastByRelease(db, reader, releaseName)
    const seen = resumeFrom(last, lastSeq)
    return [last.find(({ id }) => id === seen.at(-1)?.[0]), seen]
  }

  async function replay(tenantId: string, seen: Place[1], releaseName: string | undefined): Promise<void> {
    for (const [actionId] of seen) await pump(tenantId, actionId)
    // An action may have been accepted between the look and the following.
    if (releaseName) await catchUp(tenantId, releaseName)
  }

  function stopFollowing(socket: LiveSocket, releaseName: string) {
    for (const each of followers) if (each.socket === socket && each.releaseName === releaseName) followers.delete(each)
  }

  async function catchUp(tenantId: string, releaseName: string): Promise<void> {
    if (![...followers].some((each) => each.tenantId === tenantId && each.releaseName === releaseName)) return
    try {
      for (const id of await findRunningByRelease(db, tenantId, releaseName)) hear(`${tenantId}|${id}|${releaseName}`)
    } catch (error) {
      log.debug({ err: error, releaseName }, 'what runs of a release could not be read')
      later(() => catchUp(tenantId, releaseName))
    }
  }

  function serve(socket: LiveSocket) {
    callers.set(socket.id, socket)
    socket.on('register', (asked: unknown, done?: (reply: RegisterReply) => void) => {
      register(socket, asked)
        .catch((error: unknown) => {
          log.warn({ err: error }, 'a socket could not be registered')
          return error instanceof Failure
            ? refusal(error.code, error.message)
            : refusal('internal', 'Something went wrong on our side.')
        })
        .then((reply) => done?.(reply))
    })
    socket.on('deregister', (releaseName: unknown) => {
      if (typeof releaseName === 'string') stopFollowing(socket, releaseName)
    })
    socket.on('disconnect', () => {
      callers.delete(socket.id)
      for (const each of followers) if (each.socket === socket) followers.delete(each)
    })
  }

  function news(actionId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const mine = waiters.get(actionId) ?? new Set()
      waiters.set(actionId, mine)
      const wake = () => {
        clearTimeout(timer)
        mine.delete(wake)
        if (mine.size === 0 && waiters.get(actionId) === mine) waiters.delete(actionId)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      mine.add(wake)
    })
  }

  live.onConnect(serve)
  const stopListening = await db.listen(noteChannel, hear, catchUpAll)
  return {
    news,
    async close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await stopListening()
    },
  }
}

async function filterAsync<T>(items: readonly T[], keep: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(keep))
  return items.filter((_, at) => kept[at])
}

function seenBy(follower: Follower, actionId: string): number {
  return follower.seen.get(actionId) ?? 0
}

/** The payload of an event, without its stamp. */
export function payloadOf(deps: Pick<DeploymentDeps, 'seal'>, action: ActionRow, row: EventRow, isForWorker: boolean) {
  const isPrepared = row.event === 'Prepare' && action.prepared !== null && isForWorker
  return isPrepared ? { ...openPrepared(deps.seal, action) } : row.payload
}

function stampOf(action: ActionRow, row: EventRow): Stamp {
  return { seq: row.seq, at: row.at.toISOString(), actionId: action.id, releaseName: action.release_name }
}

function isCaller(actor: Actor, action: ActionRow): boolean {
  return actor.tenantId === action.tenant_id && actor.userId === action.started_by_id
}

function refusal(code: string, message: string): RegisterReply {
  return { ok: false, code, message }
}
