import type { IncomingMessage, Server as NodeServer } from 'node:http'
import type { TopicName } from '@quayside/contract/capabilities'
import { socketPath } from '@quayside/contract/live/names'
import { Server, type Socket } from 'socket.io'
import type { Actor } from '../auth/actor.ts'
import type { Auth } from '../auth/auth.ts'
import type { Rights } from '../auth/rights.ts'
import { callers } from '../concurrency/fair-places.ts'
import type { Caller } from '../concurrency/fairness.ts'
import type { Db } from '../db/db.ts'
import { Failure, fail } from '../http/errors.ts'
import type { RefusalLimit } from '../http/refusal-limit.ts'
import type { Logger } from '../logging/logger.ts'
import { createConnectionLimit } from './connection-limit.ts'
import { sweepSockets } from './sweep.ts'
import { createWatchers, type Note, roomOf, serveTopics, type TopicRules, toldOf } from './topics.ts'

export interface LiveSocket extends Socket {
  data: {
    actor: Actor
    /** The person's rights at the last look. */
    rights: Promise<string>
    /** Ends what the socket watches and may not see any more. */
    recheck(): Promise<void>
  }
}

/** Sends changes on the server to the browsers that show them, on every replica. */
export interface Live {
  /** Adds what a service answers on each new connection. */
  onConnect(run: (socket: LiveSocket) => void): void
  /**
   * Tells who watches the topic and sees what it is about, on every replica, that they should read again. What lies in a
   * space names the space: without it only those hear of it who see every space.
   */
  changed(tenantId: string, topic: TopicName, id?: string, spaceId?: string): void
  /** Looks again at what the sockets of a tenant here may see, and tells those for whom that is something else now. */
  accessChanged(tenantId: string): Promise<void>
  /** Called when the first socket here watches a topic with an id; what it returns is called when the last one left. */
  onWatch(topic: TopicName, start: (tenantId: string, id: string) => () => void): void
  /** How many are connected here. */
  sockets(): number
  close(): Promise<void>
}

const channel = 'quayside_changed'
/** Notes of one moment travel in one statement; each replica waits for a while anyway before it tells its browsers. */
const togetherMs = 20

interface LiveOptions {
  server: NodeServer
  auth: Pick<Auth, 'actorOf' | 'isOutdated' | 'knows' | 'onRevoked'>
  refusals: RefusalLimit
  /** From where a socket comes. */
  addressOf(request: IncomingMessage): string
  db: Db
  log: Logger
  rights: Rights
  topics: TopicRules
  /** Live connections that a person may have open here at a time. */
  most: number
  allowedOrigins: () => string[]
}

export async function createLive(options: LiveOptions): Promise<Live> {
  const { auth, db, log, rights, topics } = options
  const listsOfSpaces = (Object.keys(topics) as TopicName[]).filter((topic) => topics[topic].listsSpaces === true)
  const io = openSockets(options)
  const connectHandlers: ((socket: LiveSocket) => void)[] = []
  const watchers = createWatchers()

  const recheckOrClose = orClose(log, recheck)
  const stopSweeping = sweepSockets(io, auth, log, recheckOrClose)

  io.on('connection', (socket: LiveSocket) => {
    shareFairly(socket, rights)
    keepFresh(socket, options, () => recheckOrClose(socket))
    socket.data.recheck = serveTopics(socket, { watchers, rights, rules: topics }).recheck
    for (const run of connectHandlers) run(socket)
  })

  const socketsIn = (rooms: readonly string[]): LiveSocket[] => {
    const ids = new Set(rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(room) ?? [])]))
    return [...ids].flatMap((id) => (io.sockets.sockets.get(id) as LiveSocket | undefined) ?? [])
  }

  async function tell(note: Note): Promise<void> {
    const rooms = [roomOf(note.tenantId, note.topic), ...(note.id ? [roomOf(note.tenantId, note.topic, note.id)] : [])]
    const sent = socketsIn(rooms).map(async (socket) => {
      const told = await toldOf(topics, rights, socket.data.actor, note)
      if (told) socket.emit('changed', told)
    })
    const failed = (await Promise.allSettled(sent)).find((each) => each.status === 'rejected')
    if (failed) log.warn({ err: failed.reason, topic: note.topic }, 'a change could not be told to everybody')
  }

  // Notes within 100 ms about one thing become one.
  const pending = new Map<string, NodeJS.Timeout>()
  const stopListening = await db.listen(channel, (payload) => {
    if (pending.has(payload)) return
    const send = () => {
      pending.delete(payload)
      const [tenantId = '', topic = '', id = '', spaceId = ''] = payload.split('|')
      void tell({ tenantId, topic: topic as TopicName, id, spaceId })
    }
    pending.set(payload, setTimeout(send, 100))
  })

  /** Has a person whose rights have changed read their lists again, and ends watches of what they no longer see. */
  async function recheck(socket: LiveSocket): Promise<void> {
    const [before, now] = await Promise.all([
      socket.data.rights.catch(() => undefined),
      rights.fingerprint(socket.data.actor),
    ])
    if (before === now) return
    socket.data.rights = Promise.resolve(now)
    await socket.data.recheck()
    for (const topic of listsOfSpaces)
      if (socket.rooms.has(roomOf(socket.data.actor.tenantId, topic))) socket.emit('changed', { topic })
  }

  const outgoing = createOutgoing(db, log)

  return {
    onConnect: (run) => connectHandlers.push(run),
    changed: (tenantId, topic, id = '', spaceId = '') => outgoing.add([tenantId, topic, id, spaceId].join('|')),
    async accessChanged(tenantId) {
      const here = ([...io.sockets.sockets.values()] as LiveSocket[]).filter(
        ({ data }) => data.actor.tenantId === tenantId && data.recheck !== undefined,
      )
      await Promise.allSettled(here.map(recheck))
    },
    sockets: () => io.engine.clientsCount,
    onWatch: (topic, start) => watchers.starters.set(topic, start),
    async close() {
      stopSweeping()
      await outgoing.send()
      for (const timer of pending.values()) clearTimeout(timer)
      await stopListening()
      await io.close()
    },
  }
}

/** Rights that were not looked at again count no more: the page connects anew. */
const orClose = (log: Logger, recheck: (socket: LiveSocket) => Promise<void>) => (socket: LiveSocket) =>
  void recheck(socket).catch((error: unknown) => {
    log.warn({ err: error }, 'the rights of a socket could not be looked at again')
    socket.conn.close()
  })

/** Has work for a socket wait for places of its person, as that of a call does. */
function shareFairly(socket: LiveSocket, rights: Pick<Rights, 'fingerprint'>): void {
  socket.use((_packet, next) => callers.run(callerOf(socket), next))
  socket.data.rights = callers.run(callerOf(socket), () => rights.fingerprint(socket.data.actor))
  socket.data.rights.catch(() => undefined)
}

/** The owner of a socket that has sent something. A watch that is refused is lost for its page, so sockets are refused late. */
function callerOf({ data: { actor } }: LiveSocket): Caller {
  return { tenant: actor.tenantId, person: actor.userId, onlyReads: false, hasBegun: false }
}

/**
 * The owner of a token that a page hands in. Refused tokens count by the address that brings them, at the door and later;
 * so does a personal one: scripts poll with `?wait`.
 */
async function ownerOf(socket: Socket, sent: unknown, { auth, refusals, addressOf }: LiveOptions): Promise<Actor> {
  const token = typeof sent === 'string' ? sent : ''
  const address = addressOf(socket.request)
  if (!auth.knows(token) && refusals.isOver(address)) throw fail('request.too-many')
  try {
    const actor = await auth.actorOf(token)
    if (actor.personalToken) throw fail('auth.token-limits')
    return actor
  } catch (error) {
    if (isRefusal(error)) refusals.count(address)
    throw error
  }
}

const isRefusal = (error: unknown) => error instanceof Failure && error.code.startsWith('auth.')

/** A socket lives as long as its token; a fresh one of the same user can be handed in before. */
function keepFresh(socket: LiveSocket, options: LiveOptions, onFresh: () => void): void {
  let timer: NodeJS.Timeout
  const arm = () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.disconnect(true), Math.max(0, socket.data.actor.expiresAt * 1000 - Date.now()))
  }
  arm()
  socket.on('token', (token: unknown, done?: (ok: boolean) => void) => {
    ownerOf(socket, token, options)
      .then((actor) => {
        if (actor.userId !== socket.data.actor.userId || actor.tenantId !== socket.data.actor.tenantId)
          throw new Error('another user')
        socket.data.actor = actor
        arm()
        onFresh()
        done?.(true)
      })
      .catch(() => done?.(false))
  })
  socket.on('disconnect', () => clearTimeout(timer))
}

/** The socket server, which lets in whoever shows a token that counts. */
function openSockets(options: LiveOptions): Server {
  const { log } = options
  const letsIn = createConnectionLimit(options.most)
  const io = new Server(options.server, {
    path: socketPath,
    maxHttpBufferSize: 16 * 1024,
    // A page knows within five seconds that nobody answers any more.
    pingInterval: 2000,
    pingTimeout: 3000,
    serveClient: false,
    // A browser page of another origin must not ride on this socket.
    allowRequest: (request, done) => {
      const origin = request.headers.origin
      done(null, !origin || options.allowedOrigins().includes(origin))
    },
  })
  io.use((socket, next) => {
    takeAnswerable(socket)
    ownerOf(socket, socket.handshake.auth.token, options)
      .then((actor) => {
        if (!letsIn(actor, socket.conn)) throw fail('live.too-many')
        socket.data.actor = actor
        next()
      })
      .catch((error: unknown) => {
        if (error instanceof Failure && (isRefusal(error) || error.status === 429))
          return next(Object.assign(new Error(error.code), { data: { message: error.message } }))
        // A refusal would be for good, a connection that is lost is made again a little later.
        log.warn({ err: error }, 'a socket could not be let in now')
        socket.conn.close()
      })
  })
  return io
}

/**
 * Takes packets that can be answered, or want no answer: one with something else where a function belongs would make its
 * handler throw where nobody catches it, which ends the portal.
 */
function takeAnswerable(socket: Socket): void {
  socket.use(([, , ...answers], next) => {
    if (answers.every((answer) => typeof answer === 'function')) next()
  })
}

/** Notes for all replicas: those of the same `togetherMs` are sent with one query. */
function createOutgoing(db: Db, log: Logger) {
  const notesToSend = new Set<string>()
  const send = async () => {
    const notes = [...notesToSend]
    notesToSend.clear()
    if (notes.length === 0) return
    await db.pool
      .query('select pg_notify($1, note) from unnest($2::text[]) as note', [channel, notes])
      .catch((error: unknown) => log.warn({ err: error }, 'change note lost'))
  }
  return {
    send,
    add(note: string) {
      if (notesToSend.size === 0) setTimeout(send, togetherMs)
      notesToSend.add(note)
    },
  }
}
