import { createServer } from 'node:http'

/** A process that answers every request with the same bytes: what Node itself can do. */
process.once('message', (text: string) => {
  const body = Buffer.from(text)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  const server = createServer((_, answer) => answer.writeHead(200, headers).end(body))
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.once('disconnect', () => process.exit())
