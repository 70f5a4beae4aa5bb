// @vitest-environment node
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepAlive } from './keep-alive.ts'

let server: Server
let url: string
const sockets: Socket[] = []
const listeners = new Set<() => void>()
let token = 'first'
let wanted = 'first'
const seen: unknown[] = []

beforeEach(async () => {
  token = 'first'
  wanted = 'first'
  seen.length = 0
  server = new Server()
  server.use((socket, next) => next(socket.handshake.auth.token === wanted ? undefined : new Error('auth.expired')))
  server.on('connection', (socket) => socket.on('token', (fresh: unknown) => seen.push(fresh)))
  server.listen(0)
  await new Promise((done) => server.httpServer.once('listening', done))
  const address = server.httpServer.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await server.close()
})

function connect(): Socket {
  const onNewToken = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const socket = io(url, { forceNew: true, auth: (answer) => answer({ token }) })
  sockets.push(keepAlive(socket, onNewToken, () => token))
  return socket
}

const isConnected = (socket: Socket) => expect.poll(() => socket.connected, { timeout: 10_000 }).toBe(true)

test('a socket that the server ended comes back by itself', async () => {
  const socket = connect()
  await isConnected(socket)
  const before = socket.id
  server.disconnectSockets(true)
  await expect.poll(() => socket.connected && socket.id !== before, { timeout: 10_000 }).toBe(true)
})

test('a token that was refused is replaced by the next one, and a connected socket hands it in', async () => {
  wanted = 'second'
  const socket = connect()
  await new Promise((done) => socket.once('connect_error', done))
  token = 'second'
  for (const listener of listeners) listener()
  await isConnected(socket)
  for (const listener of listeners) listener()
  await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['second'])
})

test('a socket that was disconnected here stays so and hears of no token', async () => {
  const socket = connect()
  await isConnected(socket)
  socket.disconnect()
  expect(listeners.size).toBe(0)
  expect(socket.active).toBe(false)
})
