import type { IncomingMessage, Server as NodeServer } from 'node:http'
import { socketPath, Topic } from '@quayside/contract/live'
import { Server, type Socket } from 'socket.io'
import type { Actor } from './actor.ts'
import type { Auth } from './auth.ts'
import type { Db } from './db.ts'
import { Failure } from './errors.ts'
import { sweepSockets } from './live-sweep.ts'
import type { Logger } from './logger.ts'
import type { RefusalLimit } from './refusal-limit.ts'

export interface LiveSocket extends Socket {
  data: { actor: Actor }
}

/** What changes on the server reaches the browsers that look at it, on every replica. */
export interface Live {
  /** Adds what a service answers on each new connection. */
  onConnect(run: (socket: LiveSocket) => void): void
  /** Adds what happens when roles or groups of a connected socket's owner have changed. */
  onRightsChange(run: (socket: LiveSocket) => void): void
  /** Tells everybody of the tenant who watches the topic, on every replica, that they should read again. */
  changed(tenantId: string, topic: Topic['topic'], id?: string): void
  /** Called when the first socket here watches a topic with an id; what it returns is called when the last one left. */
  onWatch(topic: Topic['topic'], start: (tenantId: string, id: string) => () => void): void
  /** Sends to the sockets of a room on this replica. */
  emit(room: string, event: string, payload: unknown): void
  close(): Promise<void>
}

const channel = 'quayside_changed'
const maxTopics = 50
/** Notes of one moment travel in one statement; each replica waits for a while anyway before it tells its browsers. */
const togetherMs = 20

export async function createLive(options: {
  server: NodeServer
  auth: Pick<Auth, 'actorOf' | 'knows' | 'onRevoked'>
  refusals: RefusalLimit
  /** From where a socket comes. */
  addressOf(request: IncomingMessage): string
  db: Db
  log: Logger
  allowedOrigins: () => string[]
}): Promise<Live> {
  const { auth, db, log } = options
  const io = new Server(options.server, {
    path: socketPath,
    maxHttpBufferSize: 16 * 1024,
    serveClient: false,
    // A browser page of another origin must not ride on this socket.
    allowRequest: (request, done) => {
      const origin = request.headers.origin
      done(null, !origin || options.allowedOrigins().includes(origin))
    },
  })
  const connectHandlers: ((socket: LiveSocket) => void)[] = []
  const watchers = createWatchers()

  io.use((socket, next) => {
    const sent: unknown = socket.handshake.auth.token
    const token = typeof sent === 'string' ? sent : ''
    const address = options.addressOf(socket.request)
    if (!auth.knows(token) && options.refusals.isOver(address)) return next(new Error('request.too-many'))
    auth
      .actorOf(token)
      .then((actor) => {
        socket.data.actor = actor
        next()
      })
      .catch((error: unknown) => {
        if (error instanceof Failure && error.code.startsWith('auth.')) {
          options.refusals.count(address)
          return next(new Error(error.code))
        }
        // A refusal would be for good, a connection that is lost is made again a little later.
        log.warn({ err: error }, 'a socket could not be let in now')
        socket.conn.close()
      })
  })

  const rightsHandlers: ((socket: LiveSocket) => void)[] = []
  const stopSweeping = sweepSockets(io, auth, log, (socket) => {
    for (const run of rightsHandlers) run(socket)
  })

  io.on('connection', (socket: LiveSocket) => {
    keepFresh(socket, auth)
    serveTopics(socket, watchers)
    for (const run of connectHandlers) run(socket)
  })

  // Notes within 100 ms about one thing become one.
  const pending = new Map<string, NodeJS.Timeout>()
  const stopListening = await db.listen(channel, (payload) => {
    if (pending.has(payload)) return
    pending.set(
      payload,
      setTimeout(() => {
        pending.delete(payload)
        const [tenantId, topic, id] = payload.split('|')
        const note = { topic, ...(id ? { id } : {}) }
        io.to(roomOf(tenantId ?? '', topic ?? '', id)).emit('changed', note)
        if (id) io.to(roomOf(tenantId ?? '', topic ?? '')).emit('changed', note)
      }, 100),
    )
  })

  // What changes together is told together.
  const outgoing = new Set<string>()
  const sendNotes = async () => {
    const notes = [...outgoing]
    outgoing.clear()
    if (notes.length === 0) return
    await db.pool
      .query('select pg_notify($1, note) from unnest($2::text[]) as note', [channel, notes])
      .catch((error: unknown) => log.warn({ err: error }, 'change note lost'))
  }

  return {
    onConnect: (run) => connectHandlers.push(run),
    onRightsChange: (run) => rightsHandlers.push(run),
    changed(tenantId, topic, id) {
      if (outgoing.size === 0) setTimeout(sendNotes, togetherMs)
      outgoing.add([tenantId, topic, ...(id ? [id] : [])].join('|'))
    },
    onWatch: (topic, start) => watchers.starters.set(topic, start),
    emit: (room, event, payload) => io.to(room).emit(event, payload),
    async close() {
      stopSweeping()
      await sendNotes()
      for (const timer of pending.values()) clearTimeout(timer)
      await stopListening()
      await io.close()
    },
  }
}

function roomOf(tenantId: string, topic: string, id?: string): string {
  return `topic:${tenantId}:${topic}:${id ?? ''}`
}

/** A socket lives as long as its token; a fresh one of the same user can be handed in before. */
function keepFresh(socket: LiveSocket, auth: Pick<Auth, 'actorOf'>): void {
  let timer: NodeJS.Timeout
  const arm = () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.disconnect(true), Math.max(0, socket.data.actor.expiresAt * 1000 - Date.now()))
  }
  arm()
  socket.on('token', (token: unknown, done?: (ok: boolean) => void) => {
    auth
      .actorOf(typeof token === 'string' ? token : '')
      .then((actor) => {
        if (actor.userId !== socket.data.actor.userId || actor.tenantId !== socket.data.actor.tenantId)
          throw new Error('another user')
        socket.data.actor = actor
        arm()
        done?.(true)
      })
      .catch(() => done?.(false))
  })
  socket.on('disconnect', () => clearTimeout(timer))
}

type Watchers = ReturnType<typeof createWatchers>

function createWatchers() {
  const starters = new Map<string, (tenantId: string, id: string) => () => void>()
  const active = new Map<string, { count: number; stop: () => void }>()
  return {
    starters,
    enter(tenantId: string, topic: string, id: string): () => void {
      const start = starters.get(topic)
      if (!start || !id) return () => undefined
      const key = roomOf(tenantId, topic, id)
      const entry = active.get(key) ?? { count: 0, stop: start(tenantId, id) }
      entry.count += 1
      active.set(key, entry)
      return () => {
        entry.count -= 1
        if (entry.count > 0) return
        active.delete(key)
        entry.stop()
      }
    },
  }
}

function serveTopics(socket: LiveSocket, watchers: Watchers): void {
  const left = new Map<string, () => void>()
  const leave = (room: string) => {
    left.get(room)?.()
    left.delete(room)
    void socket.leave(room)
  }
  socket.on('watch', (asked: unknown) => {
    const topic = Topic.safeParse(asked)
    if (!topic.success || left.size >= maxTopics) return
    const { tenantId } = socket.data.actor
    const room = roomOf(tenantId, topic.data.topic, topic.data.id)
    if (left.has(room)) return
    void socket.join(room)
    left.set(room, watchers.enter(tenantId, topic.data.topic, topic.data.id ?? ''))
  })
  socket.on('unwatch', (asked: unknown) => {
    const topic = Topic.safeParse(asked)
    if (topic.success) leave(roomOf(socket.data.actor.tenantId, topic.data.topic, topic.data.id))
  })
  socket.on('disconnect', () => {
    for (const room of [...left.keys()]) leave(room)
  })
}
