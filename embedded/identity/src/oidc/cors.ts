import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Client, findClient } from '../directory/clients.ts'
import type { Db } from '../storage/database.ts'
import { webOrigins } from './client-metadata.ts'

/** Answers a browser's question before the real request; true when that was all. */
export function answerPreflight(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== 'OPTIONS') return false
  const origin = req.headers.origin
  res.writeHead(204, {
    ...(origin ? { 'access-control-allow-origin': origin, vary: 'origin' } : {}),
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '3600',
  })
  res.end()
  return true
}

/** Lets a page of the client's own origins read the answer. */
export function allowOrigin(req: IncomingMessage, res: ServerResponse, client: Client): void {
  const origin = req.headers.origin
  if (!origin || !webOrigins(client).includes(origin)) return
  res.setHeader('access-control-allow-origin', origin)
  res.setHeader('vary', 'origin')
}

export async function allowOriginOf(
  db: Db,
  realmId: string,
  clientId: string,
  req: IncomingMessage,
  res: ServerResponse,
) {
  const client = await findClient(db, realmId, clientId)
  if (client) allowOrigin(req, res, client)
}
