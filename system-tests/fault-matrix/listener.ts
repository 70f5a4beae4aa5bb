import { setTimeout as delay } from 'node:timers/promises'
import type { RegisterReply } from '@quayside/contract/live/live'
import { socketPath } from '@quayside/contract/live/names'
import { io } from 'socket.io-client'

const againMs = 500

/**
 * A browser that follows a release from before its command is sent, loses the portal when that is killed, and comes
 * back with the number that it heard last. Like the pages, it connects again also where the library gives up, and asks
 * again where it was refused in a moment in which the portal was going down.
 */
export function listenTo(url: string, token: string, releaseName: string) {
  const heard: number[] = []
  let actionId: string | undefined
  const socket = io(url, { path: socketPath, auth: { token }, forceNew: true, reconnectionDelayMax: 500 })
  const timers = new Set<NodeJS.Timeout>()
  const again = (run: () => void) => timers.add(setTimeout(run, againMs))
  const register = () => {
    if (!socket.connected) return
    const asked = { releaseName, lastSeq: heard.at(-1) ?? 0, actionId }
    socket.emit('register', asked, (reply: RegisterReply) => {
      if (!reply.ok) again(register)
    })
  }
  const connect = () => socket.connect()
  socket.on('connect', register)
  socket.on('connect_error', () => {
    if (!socket.active) again(connect)
  })
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') again(connect)
  })
  socket.onAny((_, told: { seq?: number; actionId?: string }) => {
    if (told.seq === undefined || (actionId !== undefined && told.actionId !== actionId)) return
    actionId = told.actionId
    heard.push(told.seq)
  })
  return {
    /** Reports lines of an action that did not arrive exactly once and in order; empty when all did. */
    async wrong(id: string, lastSeq: number): Promise<string[]> {
      if (actionId === undefined) {
        // The action began and ended while there was nobody to talk to: a browser knows it from the answer.
        actionId = id
        register()
      }
      for (let tries = 0; tries < 100 && heard.length < lastSeq; tries += 1) await delay(100)
      const isWhole = heard.length === lastSeq && heard.every((seq, index) => seq === index + 1)
      return isWhole ? [] : [`I8 of ${lastSeq} events a browser heard ${heard.join(' ')}`]
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      socket.disconnect()
    },
  }
}
export type Listener = ReturnType<typeof listenTo>
