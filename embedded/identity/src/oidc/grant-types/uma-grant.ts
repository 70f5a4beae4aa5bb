import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { carriedOf } from '../../directory/carried-roles.ts'
import { findClient } from '../../directory/clients.ts'
import { effectiveRoles } from '../../directory/effective-roles.ts'
import type { Realm } from '../../directory/realms.ts'
import { findUser } from '../../directory/users.ts'
import { bearerToken, type JsonObject, readJson, sendJson } from '../../http/exchange.ts'
import { badRequest, unauthorized } from '../../http/problem.ts'
import type { Db } from '../../storage/database.ts'
import { digestOf } from '../../storage/encryption.ts'
import { accessClaims } from '../claims.ts'
import { UMA_GRANTS } from '../client-metadata.ts'
import type { RealmHost } from '../realm-host.ts'
import { signToken } from '../sign-token.ts'
import { signingKeys } from '../signing-keys.ts'
import { type AccessPayload, checkAccessToken } from '../token-check.ts'

const TICKET_SECONDS = 300

interface Permission {
  resource_id: string
  resource_scopes: string[]
}

interface Ticket {
  resourceServer: string
  permissions: Permission[]
}

/** The requester's own access token, put here before the protocol engine sees the request. */
const requesters = new WeakMap<IncomingMessage, AccessPayload>()

/** The engine would take a Bearer header at the token endpoint for failed client authentication; here it names the requester. */
export async function noteRequester(db: Db, host: RealmHost, req: IncomingMessage): Promise<void> {
  const token = bearerToken(req)
  if (!token) return
  const payload = await checkAccessToken(db, host, token)
  // A permission token would renew itself for ever.
  if (!payload || payload.authorization !== undefined) throw unauthorized()
  requesters.set(req, payload)
  delete req.headers.authorization
}

/** A resource server asks for a ticket that says what the bearer of it may later ask for. */
export async function issueTicket(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const token = bearerToken(req)
  const payload = token && (await checkAccessToken(db, host, token))
  if (!payload || payload.sid !== undefined) throw unauthorized()
  const sent = await readJson(req)
  const list = (Array.isArray(sent) ? sent : [sent]) as JsonObject[]
  const permissions = list.map((entry): Permission => {
    const scopes = entry?.resource_scopes ?? []
    if (typeof entry?.resource_id !== 'string' || !Array.isArray(scopes)) throw badRequest('resource_id is missing')
    return { resource_id: entry.resource_id, resource_scopes: scopes.filter((scope) => typeof scope === 'string') }
  })
  const ticket = randomBytes(32).toString('base64url')
  const content: Ticket = { resourceServer: payload.azp, permissions }
  await db.run(
    `insert into oidc_artifact (realm_id, model, id, payload, expires_at)
     values ($1, 'PermissionTicket', $2, $3, now() + make_interval(secs => $4))`,
    [host.realm.id, digestOf(ticket), JSON.stringify(content), TICKET_SECONDS],
  )
  sendJson(res, 201, { ticket })
}

async function redeem(db: Db, realm: Realm, issuer: string, ticketId: string, requester: AccessPayload) {
  const taken = await db.row<{ payload: Ticket }>(
    `delete from oidc_artifact where realm_id = $1 and model = 'PermissionTicket' and id = $2 and expires_at > now()
     returning payload`,
    [realm.id, digestOf(ticketId)],
  )
  if (!taken) throw new errors.InvalidGrant('invalid permission ticket')
  const { resourceServer, permissions } = taken.payload
  const client = await findClient(db, realm.id, requester.azp)
  const user = await findUser(db, realm.id, requester.sub)
  if (!client || !user) throw new errors.InvalidGrant('requester not found')
  const roles = await effectiveRoles(db, user.id)
  const held = new Set(
    roles.filter((role) => role.client === resourceServer || role.client === null).map((role) => role.name),
  )
  const granted = permissions.map(({ resource_id, resource_scopes }) => ({
    rsid: resource_id,
    rsname: resource_id,
    scopes: resource_scopes.filter((scope) => held.has(scope)),
  }))
  const complete = granted.every(({ scopes }, index) => scopes.length === permissions[index]?.resource_scopes.length)
  if (!complete) throw new errors.AccessDenied('not_authorized')
  const [jwk] = await signingKeys(db, realm.id)
  const carried = await carriedOf(db, realm.id, client, user.id, requester.scope ?? '')
  const claims = accessClaims(client, user, carried)
  // It ends with the token that asked for it, by its time and by what that was issued under.
  const now = Math.floor(Date.now() / 1000)
  const seconds = Math.min(realm.settings.accessTokenLifespan, (requester.exp ?? now) - now)
  const token = await signToken(
    {
      ...claims,
      // Permissions are for who made the ticket: the token opens nothing elsewhere.
      aud: resourceServer,
      typ: 'Bearer',
      azp: client.client_id,
      ...(requester.sid === undefined ? {} : { sid: requester.sid }),
      ...(requester.grant === undefined ? {} : { grant: requester.grant }),
      authorization: { permissions: granted },
    },
    { jwk, issuer, subject: user.id, seconds },
  )
  return { access_token: token, expires_in: seconds, token_type: 'Bearer', upgraded: false }
}

/** Lets a client exchange a permission ticket for a token that carries the permissions. */
export function registerUmaGrants(provider: Provider, db: Db, realm: Realm): void {
  for (const grant of UMA_GRANTS) {
    provider.registerGrantType(
      grant,
      async (ctx) => {
        const requester = requesters.get(ctx.req)
        const ticket = ctx.oidc.params.ticket
        if (!requester) throw new errors.InvalidRequest("the requester's access token is missing")
        if (requester.azp !== ctx.oidc.client.clientId) throw new errors.InvalidGrant('client mismatch')
        if (typeof ticket !== 'string') throw new errors.InvalidRequest('missing required parameter(s): ticket')
        ctx.body = await redeem(db, realm, provider.issuer, ticket, requester)
      },
      ['ticket', 'audience', 'permission', 'client_id'],
    )
  }
}
