import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Answer {
  status: number
  text?: string
  headers?: Record<string, string>
}

export interface Receiver {
  port: number
  url: string
  /** Every message that has come, in order. */
  got: { path: string; headers: IncomingHttpHeaders; body: string }[]
  /** Says how the next messages are answered; undefined: not at all. */
  answer: () => Answer | undefined | Promise<Answer>
  close(): Promise<void>
}

/** A small receiver of webhooks on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [path = ''] = (request.url ?? '').split('?')
    receiver.got.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    const answer = await receiver.answer()
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}`,
    got: [],
    answer: () => ({ status: 204 }),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}
