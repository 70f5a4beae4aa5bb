import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from './problem.ts'

const BODY_LIMIT = 1024 * 1024

export type JsonObject = Record<string, unknown>

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    const piece = chunk as Buffer
    size += piece.length
    if (size > BODY_LIMIT) throw new Problem(413, { error: 'Request body too large' })
    chunks.push(piece)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The parsed JSON body, undefined when there is none. A text is sent as it is by Keycloak's own client. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const text = await readText(req)
  if (req.headers['content-type']?.startsWith('text/plain')) return text
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, { error: 'unable to read contents from stream' })
  }
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const type = req.headers['content-type'] ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    throw new Problem(415, { error: 'invalid_request', error_description: 'A form-encoded body is expected' })
  }
  return new URLSearchParams(await readText(req))
}

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  res.end(text)
}

export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}) {
  res.writeHead(status, { 'cache-control': 'no-store', ...headers })
  res.end()
}

export function bearerToken(req: IncomingMessage): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1]
}
