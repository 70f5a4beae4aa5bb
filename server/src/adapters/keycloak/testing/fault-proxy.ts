import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer in place of the server's, a cut before the server hears of it, or after it has done it. */
export type Fault = number | 'reset' | 'answer lost'

/** A proxy before the identity server where calls meet what `faultOf` says of them. */
export async function openFaultProxy(url: string) {
  const target = new URL(url)
  const proxy = {
    url: '',
    faultOf: (_call: string): Fault | undefined => undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  function pass(from: IncomingMessage, to: ServerResponse, isLost: boolean) {
    const { method, headers, url: path } = from
    const on = request({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      if (isLost) return void answer.resume().on('end', () => to.destroy())
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(to)
    })
    on.on('error', () => to.destroy())
    from.pipe(on)
  }

  const server = createServer((from, to) => {
    const fault = proxy.faultOf(`${from.method} ${from.url}`)
    if (fault === 'reset') to.destroy()
    else if (typeof fault === 'number')
      to.writeHead(fault, { 'content-type': 'application/json' }).end('{"error":"unknown_error"}')
    else pass(from, to, fault === 'answer lost')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`
  return proxy
}
