import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type {
  ApplicationInput,
  ClientChange,
  ClientDetail,
  ClientRow,
  ClientSession,
} from '@quayside/contract/clients/administration'
import { type ClientSort, clientSorts } from '@quayside/contract/clients/sorts'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { z } from 'zod'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toSession } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, listReply, mustKnowFilters, mustNotSort, orderOf } from '../../platform/http/listing.ts'
import type { Judged, People } from '../permissions/index.ts'
import { keptBecause, kindOf, opensPortal, toDetail, toRow } from './details.ts'
import { isReserved } from './reserved-names.ts'

const changesSignIn = role('iam-loginsettings', 'loginsettings.edit')
const sortable = Object.fromEntries(clientSorts.map((name) => [name, name])) as Record<ClientSort, ClientSort>

function createReads(keycloak: Keycloak) {
  const find = (realm: string, id: string) =>
    orNotFound(
      'iam.client-not-found',
      keycloak.run((kc) => kc.clients.findOne({ realm, id })),
    )

  async function accountOf(realm: string, client: ClientRepresentation): Promise<ClientDetail['serviceAccount']> {
    if (!client.serviceAccountsEnabled) return null
    const { id = '', username = '' } = await keycloak.run((kc) =>
      kc.clients.getServiceAccountUser({ realm, id: client.id ?? '' }),
    )
    return { id, username }
  }

  async function detail(realm: string, id: string): Promise<ClientDetail> {
    const client = await find(realm, id)
    return toDetail(client, await accountOf(realm, client))
  }

  return {
    find,
    accountOf,
    detail,

    /** A realm has few enough clients to sort and search them here. */
    async search(realm: string, query: ListQuery, path: string): Promise<ListReply<ClientRow>> {
      mustKnowFilters(query.filters, ['kind', 'enabled'])
      const [[sort, direction] = ['clientId', 'asc'] as const] = orderOf<ClientSort>(query.sort, sortable, [
        ['clientId', 'asc'],
      ])
      const text = query.search?.trim().toLowerCase() ?? ''
      const [kinds, enabled] = [filterValues(query.filters, 'kind'), filterValues(query.filters, 'enabled')]
      const found = (await keycloak.run((kc) => kc.clients.find({ realm })))
        .map(toRow)
        // The identity server's own clients are no business of a tenant.
        .filter(({ kind }) => kind !== 'identity-server' && (kinds.length === 0 || kinds.includes(kind)))
        .filter((row) => enabled.length === 0 || enabled.includes(String(row.enabled)))
        .filter((row) => `${row.clientId}\n${row.name}\n${row.description}`.toLowerCase().includes(text))
        .sort(
          (one, other) =>
            String(one[sort]).localeCompare(String(other[sort])) || one.clientId.localeCompare(other.clientId),
        )
      if (direction === 'desc') found.reverse()
      const { skip, limit } = query.page
      return listReply(found.slice(skip, skip + limit), found.length, query, path)
    },

    async sessions(realm: string, id: string, query: ListQuery, path: string): Promise<ListReply<ClientSession>> {
      mustKnowFilters(query.filters, [])
      mustNotSort(query.sort)
      if (query.search) throw fail('request.invalid', { field: 'search', message: 'search: this list has no search' })
      await find(realm, id)
      const { skip, limit } = query.page
      const found = await keycloak.run((kc) => kc.clients.listSessions({ realm, id, first: skip, max: limit }))
      const { count } = await keycloak.run((kc) => kc.clients.getSessionCount({ realm, id }))
      const rows = found.map((session) => ({
        ...toSession(session),
        user: { id: session.userId ?? '', username: session.username ?? '' },
      }))
      return listReply(rows, count, query, path)
    },
  }
}

function mustNotBeKept(client: ClientRepresentation): void {
  const message = keptBecause(client)
  if (message !== null) throw fail('iam.client-kept', { message })
}

/** Fields that decide where people are sent with their tokens, and who may read them there. */
const leading = ['redirectUris', 'webOrigins', 'standardFlow'] as const

/** Tokens are used by whoever they are sent to. */
function mustNotLeadAway(judged: Judged, client: ClientRepresentation, change: ClientChange): void {
  const field = leading.find((one) => change[one] !== undefined)
  if (field === undefined) return
  if (opensPortal(client))
    throw fail('iam.client-kept', {
      field,
      message: `The portal takes the tokens of ${client.clientId}: where they are sent is not changed here.`,
    })
  if (client.fullScopeAllowed) judged.mustHold(['quayside-admin'], field)
}

function changed(before: ClientRepresentation, change: ClientChange): ClientRepresentation {
  // A secret that is sent back would undo one that was renewed meanwhile.
  const { secret: _, ...kept } = before
  const { standardFlow, ...rest } = change
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { ...kept, ...given, ...(standardFlow === undefined ? {} : { standardFlowEnabled: standardFlow }) }
}

/** A client whose tokens carry no roles, until the identity server itself is told otherwise. */
const application = (input: z.output<typeof ApplicationInput>): ClientRepresentation => ({
  ...{ clientId: input.clientId, name: input.name, description: input.description, protocol: 'openid-connect' },
  ...{ publicClient: input.isPublic, redirectUris: input.redirectUris, webOrigins: input.webOrigins },
  ...{ standardFlowEnabled: true, implicitFlowEnabled: false, directAccessGrantsEnabled: false },
  ...{ serviceAccountsEnabled: false, fullScopeAllowed: false, consentRequired: input.consentRequired },
  attributes: { 'pkce.code.challenge.method': 'S256', 'post.logout.redirect.uris': '+' },
})

/** Clients of a realm as somebody looks after them: what they are, their settings and their secrets. */
export function createClientAdministration(keycloak: Keycloak, people: People) {
  const reads = createReads(keycloak)
  const { find, accountOf, detail } = reads

  return {
    ...reads,

    async create(
      actor: Actor,
      input: z.output<typeof ApplicationInput>,
    ): Promise<{ client: ClientDetail; secret: string | null }> {
      const { realm } = actor
      if (isReserved(input.clientId))
        throw fail('request.invalid', {
          field: 'clientId',
          message: 'clientId: this name is kept for the portal itself',
        })
      const wanted = { right: changesSignIn, kind: 'gives', client: input.clientId } as const
      const id = await people.change(actor, wanted, () => make(keycloak, realm, input))
      if (input.isPublic) return { client: await detail(realm, id), secret: null }
      const { value = '' } = await keycloak.run((kc) => kc.clients.getClientSecret({ realm, id }))
      return { client: await detail(realm, id), secret: value }
    },

    async update(actor: Actor, id: string, change: ClientChange): Promise<ClientDetail> {
      const { realm } = actor
      const { clientId = '' } = await find(realm, id)
      const kind = change.enabled === false ? 'takes' : 'gives'
      await people.change(actor, { right: changesSignIn, kind, client: clientId }, async (judged) => {
        const before = await find(realm, id)
        mustNotBeKept(before)
        mustNotLeadAway(judged, before, change)
        const account = await accountOf(realm, before)
        if (account && change.enabled !== undefined) await judged.mustNotBeBelow(account.id)
        await keycloak.run((kc) => kc.clients.update({ realm, id }, changed(before, change))).catch(refuse)
      })
      return detail(realm, id)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const { clientId = '' } = await find(realm, id)
      await people.change(actor, { right: changesSignIn, kind: 'takes', client: clientId }, async (judged) => {
        const client = await find(realm, id)
        mustNotBeKept(client)
        if (kindOf(client) === 'script')
          throw fail('iam.client-kept', { message: `${clientId} is a service account, which is deleted as one.` })
        const roles = await keycloak.run((kc) => kc.clients.listRoles({ realm, id }))
        judged.mustHold(
          roles.map(({ name }) => `${clientId}:${name}`),
          'id',
        )
        const account = await accountOf(realm, client)
        if (account) await judged.mustNotBeBelow(account.id)
        await keycloak.run((kc) => kc.clients.del({ realm, id })).catch(refuse)
      })
    },

    /** A secret is all that the client holds, so only somebody who holds as much gets one. */
    async renewSecret(actor: Actor, id: string): Promise<{ clientId: string; secret: string }> {
      const { realm } = actor
      const { clientId = '' } = await find(realm, id)
      const wanted = { right: role('iam-users', 'users.credentials.manage'), kind: 'gives', client: clientId } as const
      const secret = await people.change(actor, wanted, async (judged) => {
        const client = await find(realm, id)
        mustNotBeKept(client)
        if (client.publicClient || client.bearerOnly)
          throw fail('iam.refused', { message: `${clientId} has no secret: it runs where it could not keep one.` })
        const account = await accountOf(realm, client)
        if (account) await judged.mayTakeOver(account.id)
        else if (client.fullScopeAllowed) judged.mustHold(['quayside-admin'], 'id')
        const { value } = await keycloak.run((kc) => kc.clients.generateNewClientSecret({ realm, id }))
        return value ?? ''
      })
      return { clientId, secret }
    },
  }
}
export type ClientAdministration = ReturnType<typeof createClientAdministration>

async function make(keycloak: Keycloak, realm: string, input: z.output<typeof ApplicationInput>): Promise<string> {
  try {
    return (await keycloak.run((kc) => kc.clients.create({ ...application(input), realm }))).id
  } catch (error) {
    if (error instanceof KeycloakRefused && error.status === 409)
      throw fail('iam.client-exists', { field: 'clientId', cause: error })
    throw refusalOf(error)
  }
}

function refuse(error: unknown): never {
  throw refusalOf(error)
}
