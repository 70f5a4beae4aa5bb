// @vitest-environment node
import { socketPath } from '@quayside/contract/live/names'
import { Server } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveConnection, type LiveConnection } from './live-connection.ts'

let server: Server
let network: EventTarget
let connection: LiveConnection
/** Topics that the server was asked for or not any more, in order. */
const asked: string[] = []
const heard: string[] = []

beforeEach(async () => {
  asked.length = 0
  heard.length = 0
  network = new EventTarget()
  server = new Server({ path: socketPath })
  server.on('connection', (socket) => {
    for (const event of ['watch', 'unwatch'])
      socket.on(event, (topic: { topic: string; id?: string }) =>
        asked.push(`${event} ${topic.topic} ${topic.id ?? ''}`),
      )
  })
  server.listen(0)
  await new Promise((done) => server.httpServer.once('listening', done))
  const address = server.httpServer.address()
  const port = String(typeof address === 'object' ? address?.port : '')
  vi.stubGlobal('window', network)
  vi.stubGlobal('location', { protocol: 'http:', host: `127.0.0.1:${port}` })
  const never = () => () => undefined
  connection = createLiveConnection(() => 'token', never, {
    onSignedOut: () => heard.push('signed out'),
    onRightsChanged: () => heard.push('rights'),
  })
})
afterEach(async () => {
  vi.unstubAllGlobals()
  server.disconnectSockets(true)
  await server.close()
})

const watch = (topic: 'apps' | 'spaces', id?: string) =>
  connection.watch(id === undefined ? { topic } : { topic, id }, () => heard.push(`${topic} ${id ?? ''}`))
const settled = (list: readonly string[], wanted: readonly string[]) =>
  expect.poll(() => [...list].sort(), { timeout: 10_000 }).toEqual([...wanted].sort())

test('after a reconnect every topic is asked for again, and read again for what was missed meanwhile', async () => {
  watch('apps')
  watch('spaces', 'shop123')
  await settled(heard, ['apps ', 'spaces shop123'])
  await settled(asked, ['watch apps ', 'watch spaces shop123'])
  server.disconnectSockets(true)
  await settled(heard, ['apps ', 'apps ', 'spaces shop123', 'spaces shop123'])
  await settled(asked, ['watch apps ', 'watch apps ', 'watch spaces shop123', 'watch spaces shop123'])
  expect(connection.state()).toBe('live')
})

test('a note reaches who watches the thing, and who watches all of them, once', async () => {
  watch('apps')
  watch('apps', 'a1')
  watch('apps', 'a2')
  await settled(heard, ['apps ', 'apps a1', 'apps a2'])
  heard.length = 0
  server.emit('changed', { topic: 'apps', id: 'a1' })
  server.emit('changed', { topic: 'apps' })
  server.emit('signed-out', {})
  server.emit('rights-changed')
  await settled(heard, ['apps ', 'apps ', 'apps a1', 'rights', 'signed out'])
})

test('a topic is given up with its last watcher', async () => {
  const [first, second] = [watch('apps'), watch('apps')]
  await settled(heard, ['apps ', 'apps '])
  first()
  second()
  await settled(asked, ['watch apps ', 'unwatch apps '])
  heard.length = 0
  server.emit('changed', { topic: 'apps' })
  server.emit('rights-changed')
  await settled(heard, ['rights'])
})

test('a network that is lost is known at once, and again when it is back', async () => {
  watch('apps')
  await settled(heard, ['apps '])
  network.dispatchEvent(new Event('offline'))
  expect(connection.state()).toBe('offline')
  network.dispatchEvent(new Event('online'))
  expect(connection.state()).toBe('live')
})
