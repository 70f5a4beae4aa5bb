import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adminApi } from './admin/admin-api.ts'
import { MASTER } from './admin/caller.ts'
import { giveRoles, userHolder } from './admin/mapping-store.ts'
import { type Outbound, publicOnly } from './brokering/outbound.ts'
import { createClient, findClient, updateClient } from './directory/clients.ts'
import { createRealm, findRealm, type Realm } from './directory/realms.ts'
import { createRole, findRole } from './directory/roles.ts'
import { serviceAccountOf } from './directory/users.ts'
import { readClientAddress } from './http/client-address.ts'
import { sendJson } from './http/exchange.ts'
import { Problem } from './http/problem.ts'
import { listen, stop } from './http/server.ts'
import { startMailing } from './mail/mailing.ts'
import { realmHosts } from './oidc/realm-host.ts'
import { answerRealm } from './realm-router.ts'
import { startTellingClients } from './signing-out/back-channel-logout.ts'
import { type Db, openDatabase } from './storage/database.ts'
import { migrate } from './storage/migrations.ts'
import { startSweeping } from './storage/sweep.ts'

interface IdentityOptions {
  /** A database of its own. */
  databaseUrl: string
  /** The address at which browsers reach this server, such as http://localhost:8080/auth. */
  publicUrl: string
  port?: number
  host?: string
  /** The client of the master realm that may administer everything. */
  adminClient: { id: string; secret: string }
  /** Encrypts keys and secrets in the database; the same at every start. */
  secretKey: string
  /** A second key to read with, while the first one is rotated. */
  otherSecretKey?: string | undefined
  /** `host:port` of mail servers and of clients that are told of ended sessions, in a private network; the internet is open. */
  allowedAddresses?: readonly string[]
  /** Foreign identity providers beyond those of the public internet that may be asked; none by default. */
  outbound?: Outbound
  /** Told about errors that are nobody's bad input; by default they become process warnings. */
  report?: (error: Error) => void
}

interface Identity {
  url: string
  close(): Promise<void>
}

async function ensureMaster(db: Db, adminClient: { id: string; secret: string }): Promise<void> {
  const realm: Realm =
    (await findRealm(db, MASTER)) ?? (await createRealm(db, { realm: MASTER, displayName: 'Administration' }))
  const admin =
    (await findRole(db, realm.id, undefined, 'admin')) ?? (await createRole(db, realm, undefined, { name: 'admin' }))
  const wanted = { secret: adminClient.secret, serviceAccountsEnabled: true, standardFlowEnabled: false }
  const known = await findClient(db, realm.id, adminClient.id)
  const client = known
    ? await updateClient(db, realm, known, wanted)
    : await createClient(db, realm, { clientId: adminClient.id, name: 'Portal server', ...wanted })
  const account = await serviceAccountOf(db, client.id)
  if (!account) throw new Error(`client ${adminClient.id} has no service account`)
  await giveRoles(db, userHolder(account.id), [admin.id])
}

const pathOf = (req: IncomingMessage) => (req.url ?? '/').split('?')[0] ?? '/'

/** Starts the identity server: Keycloak's protocol endpoints, sign-in pages and Admin API on tables of our own. */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const { host = '127.0.0.1', port = 0, adminClient, allowedAddresses = [] } = options
  const publicUrl = options.publicUrl.replace(/\/+$/, '')
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const report = options.report ?? ((error: Error) => process.emitWarning(error))
  const db = openDatabase(options.databaseUrl, 10, options.secretKey, options.otherSecretKey)
  try {
    await migrate(db)
    await db.transaction((tx) => ensureMaster(tx, adminClient))
  } catch (error) {
    await db.close()
    throw error
  }
  const hosts = realmHosts(db, publicUrl, report, options.outbound ?? publicOnly)

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    readClientAddress(req)
    const path = pathOf(req)
    if (!path.startsWith(`${base}/`)) throw new Problem(404, { error: 'HTTP 404 Not Found' })
    const below = path.slice(base.length)
    if (below === '/health' || below === '/health/ready') {
      await db.row('select 1')
      return sendJson(res, 200, { status: 'UP' })
    }
    if (below.startsWith('/admin/'))
      return adminApi({ db, hosts, publicUrl, allowedAddresses }, below.slice('/admin'.length), req, res)
    const [, name, rest = ''] = /^\/realms\/([A-Za-z0-9._-]+)(\/.*)?$/.exec(below) ?? []
    const realmHost = name === undefined ? undefined : await hosts.find(name)
    if (!realmHost)
      throw new Problem(404, { error: name === undefined ? 'HTTP 404 Not Found' : 'Realm does not exist' })
    await answerRealm({ db, host: realmHost, req, res, path: rest === '' ? '/' : rest })
  }

  const server = await listen(answer, port, host, report).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const sweeping = startSweeping(db, report)
  const mailing = startMailing({ db, publicUrl, allowed: allowedAddresses, report })
  const telling = startTellingClients({ db, hosts, allowed: allowedAddresses, report })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${base}`,
    async close() {
      await Promise.all([mailing.stop(), telling.stop(), sweeping.stop()])
      await stop(server)
      await db.close()
    },
  }
}
