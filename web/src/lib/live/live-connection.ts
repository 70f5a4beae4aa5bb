import type { Topic } from '@quayside/contract/live/live'
import { rightsChangedEvent, signedOutEvent, socketPath } from '@quayside/contract/live/names'
import type { Socket } from 'socket.io-client'
import { createEmitter } from '../emitter.ts'
import { keepAlive, type NewToken } from './keep-alive.ts'

/** `crowded`: the portal answers, and its user has too many pages open. */
export type LiveState = 'connecting' | 'live' | 'offline' | 'crowded'

/** The one socket that tells the page what changed on the server. */
export interface LiveConnection {
  state(): LiveState
  onState(listener: () => void): () => void
  /** Asks for notes on a topic; the listener is also called after a reconnect, for what was missed meanwhile. */
  watch(topic: Topic, onChange: () => void): () => void
  /** A socket of its own, for a wizard that registers releases and disconnects when it closes. */
  open(): Promise<Socket>
  start(): void
}

/** The socket library is fetched only now; the token goes in the handshake, never in the address. */
async function openSocket(token: () => string | undefined, onNewToken: NewToken): Promise<Socket> {
  const { io } = await import('socket.io-client')
  const socket = io({
    path: socketPath,
    forceNew: true,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    auth: (answer) => answer({ token: token() ?? '' }),
    reconnectionDelay: 500,
    reconnectionDelayMax: 5000,
  })
  return keepAlive(socket, onNewToken, token)
}

const nameOf = (topic: Topic) => `${topic.topic} ${topic.id ?? ''}`

/** Callbacks for changes to the signed-in person, announced by the server. */
interface Standing {
  /** The session has ended elsewhere, or the person is disabled or removed. */
  onSignedOut(): void
  /** Roles or groups have changed. */
  onRightsChanged(): void
}

export function createLiveConnection(
  token: () => string | undefined,
  onNewToken: NewToken,
  { onSignedOut, onRightsChanged }: Standing,
) {
  const changes = createEmitter<void>()
  const watched = new Map<string, { topic: Topic; listeners: Set<() => void> }>()
  let state: LiveState = 'connecting'
  let starting: Promise<Socket> | undefined

  function become(next: LiveState) {
    state = next
    changes.emit()
  }

  function follow(socket: Socket) {
    socket.on('connect', () => {
      for (const { topic, listeners } of watched.values()) {
        socket.emit('watch', topic)
        for (const listener of listeners) listener()
      }
      become('live')
    })
    socket.on(signedOutEvent, onSignedOut)
    socket.on(rightsChangedEvent, onRightsChanged)
    socket.on('disconnect', () => become('offline'))
    // The browser knows of a lost network before the connection does.
    window.addEventListener('offline', () => become('offline'))
    window.addEventListener('online', () => (socket.connected ? become('live') : socket.connect()))
    socket.on('connect_error', ({ message }) => become(message === 'live.too-many' ? 'crowded' : 'offline'))
    socket.on('changed', (topic: Topic) => {
      const keys = [nameOf(topic), nameOf({ topic: topic.topic })]
      for (const key of new Set(keys)) for (const listener of watched.get(key)?.listeners ?? []) listener()
    })
  }

  function start(): Promise<Socket> {
    starting ??= openSocket(token, onNewToken).then((socket) => {
      follow(socket)
      return socket
    })
    starting.catch(() => become('offline'))
    return starting
  }

  const connection: LiveConnection = {
    state: () => state,
    onState: changes.on,
    start: () => void start(),
    open: () => openSocket(token, onNewToken),
    watch(topic, onChange) {
      const key = nameOf(topic)
      const entry = watched.get(key) ?? { topic, listeners: new Set() }
      entry.listeners.add(onChange)
      if (!watched.has(key)) {
        watched.set(key, entry)
        void start().then((socket) => socket.connected && socket.emit('watch', topic))
      }
      return () => {
        entry.listeners.delete(onChange)
        if (entry.listeners.size > 0 || watched.get(key) !== entry) return
        watched.delete(key)
        void starting?.then((socket) => socket.connected && socket.emit('unwatch', topic))
      }
    },
  }
  return connection
}
