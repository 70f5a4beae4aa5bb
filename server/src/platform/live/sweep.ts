import { rightsChangedEvent, type SignedOut, signedOutEvent } from '@quayside/contract/live/names'
import type { Server } from 'socket.io'
import { type Actor, hasSameRights } from '../auth/actor.ts'
import type { Auth } from '../auth/auth.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { Failure } from '../http/errors.ts'
import type { Logger } from '../logging/logger.ts'
import type { LiveSocket } from './live.ts'

/** A socket is looked at this often; looking more often would double what idle pages cost the identity server. */
const lookAgainMs = 2900
const everyMs = 500
/** Oldest answer of the identity server that a look accepts, in milliseconds. */
const maxAgeMs = 1000
const atOnce = 16

/**
 * Holds connected sockets to what the identity server says of their owners: a socket of somebody who was signed out,
 * disabled or removed is told why and closed, and one of somebody whose rights have changed goes on with the new ones.
 * Returns what ends it.
 */
export function sweepSockets(
  io: Server,
  auth: Pick<Auth, 'actorOf' | 'isOutdated' | 'onRevoked'>,
  log: Logger,
  rightsChanged: (socket: LiveSocket) => void,
): () => void {
  const slots = createSemaphore(atOnce)
  const lookedAt = new WeakMap<LiveSocket, number>()
  const socketsNow = () => [...io.sockets.sockets.values()] as LiveSocket[]

  function close(socket: LiveSocket, code: string): void {
    const told: SignedOut = { code }
    socket.emit(signedOutEvent, told)
    socket.disconnect(true)
  }

  function goOn(socket: LiveSocket, actor: Actor): void {
    // A fresh token was handed in meanwhile.
    if (socket.data.actor.token !== actor.token) return
    const before = socket.data.actor
    socket.data.actor = actor
    if (hasSameRights(before, actor)) return
    rightsChanged(socket)
    socket.emit(rightsChangedEvent)
  }

  async function look(token: string, sockets: readonly LiveSocket[]): Promise<void> {
    const end = await slots.acquire()
    try {
      const actor = await auth.actorOf(token, maxAgeMs)
      for (const socket of sockets) goOn(socket, actor)
    } catch (error) {
      // An identity server that cannot be asked says nothing about anybody.
      if (error instanceof Failure && error.code.startsWith('auth.'))
        for (const socket of sockets) if (socket.data.actor.token === token) close(socket, error.code)
      if (!(error instanceof Failure)) log.warn({ err: error }, 'a socket could not be judged')
    } finally {
      end()
    }
  }

  io.on('connection', (socket: LiveSocket) => {
    // Rights that changed before a page was connected: it shows what its token says, and later looks find no change.
    if (auth.isOutdated(socket.data.actor)) socket.emit(rightsChangedEvent)
  })

  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    const due = performance.now() - lookAgainMs
    const byToken = Map.groupBy(
      socketsNow().filter((socket) => (lookedAt.get(socket) ?? 0) < due),
      (socket) => socket.data.actor.token,
    )
    for (const socket of [...byToken.values()].flat()) lookedAt.set(socket, performance.now())
    await Promise.all([...byToken].map(([token, sockets]) => look(token, sockets)))
    isLooking = false
  }, everyMs)
  auth.onRevoked((token) => {
    for (const socket of socketsNow()) if (socket.data.actor.token === token) close(socket, 'auth.expired')
  })
  return () => clearInterval(timer)
}
