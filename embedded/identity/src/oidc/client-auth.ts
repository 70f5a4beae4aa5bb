import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Client, findClient } from '../directory/clients.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()
const sameText = (left: string, right: string) => timingSafeEqual(digest(left), digest(right))

const refused = () =>
  new Problem(401, { error: 'invalid_client', error_description: 'Invalid client or Invalid client credentials' })

function basicCredentials(header: string | undefined): [string, string] | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', '%20'))
  try {
    return [decode(text.slice(0, colon)), decode(text.slice(colon + 1))]
  } catch {
    return undefined
  }
}

/** The calling client, by Basic header or form fields. A public client sends only its name. */
export async function authenticateClient(
  db: Db,
  realmId: string,
  req: IncomingMessage,
  form: URLSearchParams,
): Promise<Client> {
  const [clientId, secret] = basicCredentials(req.headers.authorization) ?? [
    form.get('client_id') ?? '',
    form.get('client_secret') ?? '',
  ]
  const client = clientId === '' ? undefined : await findClient(db, realmId, clientId)
  if (!client?.settings.enabled || client.settings.bearerOnly) throw refused()
  if (client.settings.publicClient) return client
  if (client.secret === null || !sameText(client.secret, secret)) throw refused()
  return client
}
