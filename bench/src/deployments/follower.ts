import { socketPath } from '@quayside/contract/live/names'
import { io } from 'socket.io-client'

interface Heard {
  event: string
  at: number
  payload: { actionId?: string; at?: string }
}

/** A socket as a browser has it, which writes down when it heard what. */
export async function followerOf(url: string, token: string) {
  const socket = io(url, { path: socketPath, transports: ['websocket'], auth: { token } })
  const heard: Heard[] = []
  const listeners = new Set<() => void>()
  socket.onAny((event: string, payload: Heard['payload']) => {
    heard.push({ event, at: performance.now(), payload })
    for (const listener of listeners) listener()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })

  return {
    heard,
    follow: (releaseName: string) => socket.timeout(5000).emitWithAck('register', { releaseName, lastSeq: 0 }),
    forget: (releaseName: string) => socket.emit('deregister', releaseName),
    /** The moment at which an event of this kind came that belongs to the action. */
    async when(event: string, actionId: string): Promise<number> {
      const find = () => heard.find((one) => one.event === event && one.payload.actionId === actionId)?.at
      return (
        find() ??
        (await new Promise<number>((resolve, reject) => {
          const timer = setTimeout(() => done(reject, new Error(`no ${event} of ${actionId} came`)), 60_000)
          const look = () => {
            const at = find()
            if (at !== undefined) done(resolve, at)
          }
          function done<T>(end: (value: T) => void, value: T) {
            clearTimeout(timer)
            listeners.delete(look)
            end(value)
          }
          listeners.add(look)
        }))
      )
    },
    close: () => socket.close(),
  }
}
