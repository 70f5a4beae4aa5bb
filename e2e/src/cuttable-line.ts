import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A proxy for a browser that can be cut like a cable: what is open breaks at once, nothing new gets through. */
export async function cuttableLine() {
  const open = new Set<Duplex>()
  let isCut = false
  const keep = <T extends Duplex>(socket: T): T => {
    if (open.has(socket)) return socket
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    return socket
  }

  function pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method, headers, url = '' } = incoming
    const onward = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    onward.on('socket', keep).on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, outgoing) => (isCut ? outgoing.destroy() : pass(incoming, outgoing)))
  server.on('connection', (socket: Socket) => (isCut ? socket.destroy() : keep(socket)))
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [host, port] = url.split(':')
    const onward = keep(connect(Number(port), host))
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend() {
      isCut = false
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
