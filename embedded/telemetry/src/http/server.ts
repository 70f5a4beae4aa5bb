import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Answer, Asked } from './routes.ts'

const MOST_BODY = 8 * 2 ** 20

class TooLarge extends Error {}

/** An HTTP server that hands calls with the right token on. */
export function createHttpServer(token: string, answer: (asked: Asked) => Answer): Server {
  return createServer((request, response) => {
    respond(request, token, answer).then(
      (given) => send(response, given),
      (error: unknown) => {
        if (request.destroyed && !request.complete) return
        if (error instanceof TooLarge) return send(response, refusal(413, 'bad_data', error.message))
        console.error('A call of the telemetry API could not be answered:', error)
        send(response, refusal(500, 'internal', 'the call could not be answered'))
      },
    )
  })
}

const refusal = (code: number, errorType: string, error: string): Answer => ({
  code,
  body: { status: 'error', errorType, error },
})

async function respond(request: IncomingMessage, token: string, answer: (asked: Asked) => Answer): Promise<Answer> {
  if (!shows(request, token)) return refusal(401, 'unauthorized', 'show the bearer token of this server')
  const url = URL.parse(request.url ?? '', 'http://telemetry')
  if (!url) return refusal(400, 'bad_data', 'the address cannot be read')
  const method = request.method ?? 'GET'
  if (method !== 'GET' && method !== 'POST') return refusal(405, 'bad_data', 'use GET or POST')
  const body = await bodyOf(request)
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const parameters = new URLSearchParams(url.searchParams)
  if (isForm) for (const [name, value] of new URLSearchParams(body.toString('utf8'))) parameters.append(name, value)
  return answer({ method, path: url.pathname, parameters, body })
}

function shows({ headers }: IncomingMessage, token: string): boolean {
  const [shown, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)]
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MOST_BODY) throw new TooLarge(`the body is longer than ${MOST_BODY} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function send(response: ServerResponse, { code, body }: Answer): void {
  if (response.destroyed) return
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(code, text === '' ? {} : { 'content-type': 'application/json' }).end(text)
}
