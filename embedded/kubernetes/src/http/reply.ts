import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { stringify } from 'yaml'
import { mediaRanges } from './negotiate.ts'

/** Reply to a request: a JSON document, text, or a stream. */
export type Reply =
  | { code: number; body: unknown; headers?: Record<string, string>; warnings?: readonly string[] }
  | { code: number; text: string | Buffer; type?: string; headers?: Record<string, string> }
  | StreamReply
interface StreamReply {
  stream: (response: ServerResponse) => void
}

export const ok = (body: unknown, warnings?: readonly string[]): Reply => ({ code: 200, body, warnings })
export const created = (body: unknown, warnings?: readonly string[]): Reply => ({ code: 201, body, warnings })
/** Paths outside of all that is served are not even a Status. */
export const nowhere: Reply = { code: 404, text: '404 page not found\n' }

/** The reply as the client wants it: as YAML when it says so, and not again when it has it already. */
export function inForm(reply: Reply, { accept = '', 'if-none-match': known }: IncomingHttpHeaders): Reply {
  if ('stream' in reply) return reply
  const { etag } = reply.headers ?? {}
  if (etag && known?.split(/,\s*/).includes(etag)) return { code: 304, text: '', headers: reply.headers }
  if ('text' in reply || mediaRanges(accept)[0]?.type !== 'application/yaml') return reply
  const text = stringify(reply.body, { aliasDuplicateObjects: false })
  return { code: reply.code, text, type: 'application/yaml', headers: reply.headers }
}

export const withWarnings = (reply: Reply, more: readonly string[]): Reply =>
  'body' in reply ? { ...reply, warnings: [...(reply.warnings ?? []), ...more] } : reply

export const plain = (text: string): Reply => ({ code: 200, text })

const LOOK_AGAIN = 1000

/**
 * A stream that ends once its reader may not have it any more. Kubernetes itself looks at the beginning alone, so that
 * whoever has lost a right reads on for as long as they asked for when they began.
 * @param mayStill rejects when its reader may not
 */
export function whileAllowed({ stream }: StreamReply, mayStill: () => Promise<void>): StreamReply {
  return {
    stream(response) {
      stream(response)
      const look = setInterval(() => void mayStill().catch(() => response.destroy()), LOOK_AGAIN)
      response.once('close', () => clearInterval(look))
    },
  }
}

const warningHeader = (text: string): string =>
  `299 - "${text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`

/** Puts a reply on the wire. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if ('stream' in reply) {
    reply.stream(response)
    return
  }
  if ('text' in reply && reply.code === 304) {
    // A type or a length would take the place of what the client has kept.
    response.writeHead(304, { 'cache-control': 'no-cache, private', ...reply.headers })
    response.end()
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
