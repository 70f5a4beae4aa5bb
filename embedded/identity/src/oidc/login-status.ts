import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findClient } from '../directory/clients.ts'
import { sendEmpty } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'
import { webOrigins } from './client-metadata.ts'
import type { RealmHost } from './realm-host.ts'

const script = `
addEventListener('message', async (event) => {
  if (typeof event.data !== 'string' || !event.source) return
  const space = event.data.lastIndexOf(' ')
  const query = new URLSearchParams({
    client_id: event.data.slice(0, space), session_state: event.data.slice(space + 1), origin: event.origin,
  })
  const answer = await fetch('login-status-iframe.html/init?' + query, { credentials: 'same-origin' })
    .then((response) => (response.status === 204 ? 'unchanged' : response.status === 409 ? 'changed' : 'error'), () => 'error')
  event.source.postMessage(answer, event.origin)
})`

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Session status</title><script>${script}</script></head><body></body></html>`
const scriptHash = createHash('sha256').update(script).digest('base64')

/** The hidden frame that lets a page ask whether its session is still the same. */
export function loginStatusFrame(host: RealmHost, res: ServerResponse): void {
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; connect-src 'self'; frame-ancestors ${new URL(host.issuer).origin}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  res.end(page)
}

/** 204 while the session that the frame asks about is alive, 409 when it is not, 403 for an origin that may not ask. */
export async function loginStatus(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const query = new URL(req.url ?? '', host.issuer).searchParams
  const client = await findClient(db, host.realm.id, query.get('client_id') ?? '')
  const origin = query.get('origin') ?? ''
  const allowed = client && (origin === new URL(host.issuer).origin || webOrigins(client).includes(origin))
  if (!allowed) return sendEmpty(res, 403)
  const session = await host.provider.Session.get(host.provider.createContext(req, res) as never)
  const same = session.accountId !== undefined && session.uid === query.get('session_state')
  sendEmpty(res, same ? 204 : 409)
}
