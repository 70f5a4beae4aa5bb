import { setTimeout as delay } from 'node:timers/promises'
import { socketPath } from '@quayside/contract/live'
import { io } from 'socket.io-client'

/**
 * A browser that follows a release from before its command is sent, loses the portal when that is killed, and comes
 * back with the number that it heard last.
 */
export function listenTo(url: string, token: string, releaseName: string) {
  const heard: number[] = []
  let actionId: string | undefined
  const socket = io(url, { path: socketPath, auth: { token }, forceNew: true, reconnectionDelayMax: 500 })
  const register = () => socket.emit('register', { releaseName, lastSeq: heard.at(-1) ?? 0, actionId })
  socket.on('connect', register)
  socket.onAny((_, told: { seq?: number; actionId?: string }) => {
    if (told.seq === undefined || (actionId !== undefined && told.actionId !== actionId)) return
    actionId = told.actionId
    heard.push(told.seq)
  })
  return {
    /** What of an action's lines did not come exactly once and in order; nothing when all is well. */
    async wrong(id: string, lastSeq: number): Promise<string[]> {
      if (actionId === undefined) {
        // The action began and ended while there was nobody to talk to: a browser knows it from the answer.
        actionId = id
        if (socket.connected) register()
      }
      for (let tries = 0; tries < 100 && heard.length < lastSeq; tries += 1) await delay(100)
      const isWhole = heard.length === lastSeq && heard.every((seq, index) => seq === index + 1)
      return isWhole ? [] : [`I8 of ${lastSeq} events a browser heard ${heard.join(' ')}`]
    },
    close: () => socket.disconnect(),
  }
}
export type Listener = ReturnType<typeof listenTo>
