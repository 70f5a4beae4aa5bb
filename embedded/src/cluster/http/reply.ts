import type { ServerResponse } from 'node:http'

/** What answers a request: a JSON document, text, or something that goes on. */
export type Reply =
  | { code: number; body: unknown; headers?: Record<string, string>; warnings?: readonly string[] }
  | { code: number; text: string | Buffer; type?: string; headers?: Record<string, string> }
  | { stream: (response: ServerResponse) => void }

export const ok = (body: unknown, warnings?: readonly string[]): Reply => ({ code: 200, body, warnings })
export const created = (body: unknown, warnings?: readonly string[]): Reply => ({ code: 201, body, warnings })
export const plain = (text: string): Reply => ({ code: 200, text })

const warningHeader = (text: string): string =>
  `299 - "${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`

/** Puts a reply on the wire. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if ('stream' in reply) {
    reply.stream(response)
    return
  }
  const isText = 'text' in reply
  const payload = isText ? reply.text : JSON.stringify(reply.body)
  const bytes = Buffer.from(payload)
  const headers: Record<string, string | string[]> = {
    'cache-control': 'no-cache, private',
    'content-type': isText ? (reply.type ?? 'text/plain; charset=utf-8') : 'application/json',
    'content-length': String(bytes.length),
    ...reply.headers,
  }
  if (!isText && reply.warnings?.length) headers.warning = reply.warnings.map(warningHeader)
  response.writeHead(reply.code, headers)
  response.end(bytes)
}
