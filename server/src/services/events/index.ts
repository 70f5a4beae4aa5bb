import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js'
import type { AdminEvent, EventSettings, SignInEvent } from '@quayside/contract/events/endpoints'
import { adminOperations } from '@quayside/contract/events/rules'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, listReply, mustKnowFilters, mustNotSort } from '../../platform/http/listing.ts'
import type { Logger } from '../../platform/logging/logger.ts'

const atOnce = 6
/** People whose names are looked up for one page; of others the id alone is told. */
const mostNames = 200

function timeOf(filters: ListQuery['filters'], name: 'from' | 'to'): string | undefined {
  const [text] = filterValues(filters, name)
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw fail('request.invalid', { field: `filters.${name}`, message: `filters.${name}: a time such as 2026-01-31` })
  return String(time.getTime())
}

function mustBeList(query: ListQuery, filters: readonly string[]): void {
  mustKnowFilters(query.filters, filters)
  mustNotSort(query.sort)
  if (query.search) throw fail('request.invalid', { field: 'search', message: 'search: this list has no search' })
}

const one = (filters: ListQuery['filters'], name: string) => filterValues(filters, name)[0]

/** A page of a list that is not counted: one row more than fits tells whether another page follows. */
function pageOf<T>(found: readonly T[], query: ListQuery, path: string): ListReply<T> {
  const { skip, limit } = query.page
  return listReply(found.slice(0, limit), skip + found.length, query, path)
}

interface FoundEvent {
  id?: string
  time?: number
  type?: unknown
  error?: string
  userId?: string
  clientId?: string
  ipAddress?: string
  details?: Record<string, string>
}

interface FoundAdminEvent {
  id?: string
  time?: number
  operationType?: unknown
  resourceType?: unknown
  resourcePath?: string
  error?: string
  authDetails?: { realmId?: string; clientId?: string; userId?: string; ipAddress?: string }
  /** The embedded identity server's: the person for whom the portal did it. */
  details?: { actingFor?: string }
}

/** Keycloak before 26 gives events no id; rows of a page are told apart by what they say. */
const idOf = (event: FoundEvent | FoundAdminEvent, at: number) =>
  event.id ?? [event.time, 'type' in event ? event.type : '', at].join('-')

export function createEvents(keycloak: Keycloak, log: Pick<Logger, 'info'>) {
  async function namesOf(realm: string, ids: readonly (string | undefined)[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids.filter((id) => id !== undefined))].slice(0, mostNames)
    const found = await mapLimit(atOnce, wanted, (id) =>
      keycloak.run((kc) => kc.users.findOne({ realm, id })).catch(ignoreGone),
    )
    return new Map(found.flatMap((user) => (user?.id && user.username ? [[user.id, user.username] as const] : [])))
  }

  async function find(realm: string) {
    const found = await keycloak.run((kc) => kc.realms.findOne({ realm }))
    if (!found) throw fail('tenant.not-found')
    return found
  }

  return {
    async find({ realm }: Actor, query: ListQuery, path: string): Promise<ListReply<SignInEvent>> {
      mustBeList(query, ['type', 'user', 'client', 'ipAddress', 'from', 'to'])
      const { filters, page } = query
      const asked = {
        ...{ realm, first: page.skip, max: page.limit + 1, type: filterValues(filters, 'type') as never },
        ...{ user: one(filters, 'user'), client: one(filters, 'client'), ipAddress: one(filters, 'ipAddress') },
        ...{ dateFrom: timeOf(filters, 'from'), dateTo: timeOf(filters, 'to') },
      }
      const found = (await keycloak.run((kc) => kc.realms.findEvents(asked))) as FoundEvent[]
      const names = await namesOf(
        realm,
        found.map(({ userId, details }) => (details?.username === undefined ? userId : undefined)),
      )
      return pageOf(
        found.map((event, at) => toEvent(event, page.skip + at, names)),
        query,
        path,
      )
    },

    async findAdmin({ realm }: Actor, query: ListQuery, path: string): Promise<ListReply<AdminEvent>> {
      mustBeList(query, ['operation', 'resourceType', 'user', 'from', 'to'])
      const { filters, page } = query
      const asked = {
        ...{ realm, first: page.skip, max: page.limit + 1, authUser: one(filters, 'user') },
        ...{ operationTypes: filterValues(filters, 'operation') as never },
        ...{ resourceTypes: filterValues(filters, 'resourceType') as never },
        ...{ dateFrom: timeOf(filters, 'from') as never, dateTo: timeOf(filters, 'to') as never },
      }
      const found = (await keycloak.run((kc) => kc.realms.findAdminEvents(asked))) as FoundAdminEvent[]
      const names = await namesOf(realm, found.map(personOf))
      return pageOf(
        found.map((event, at) => toAdminEvent(event, page.skip + at, names)),
        query,
        path,
      )
    },

    settings: async ({ realm }: Actor): Promise<EventSettings> => toSettings(await find(realm)),

    async setSettings(actor: Actor, { adminEventsExpiration, ...settings }: EventSettings): Promise<EventSettings> {
      const { realm } = actor
      const { attributes } = await find(realm)
      const changed = {
        ...settings,
        attributes: { ...attributes, adminEventsExpiration: String(adminEventsExpiration) },
      }
      await actingFor(actor, () =>
        keycloak
          .run((kc) => kc.realms.update({ realm }, changed))
          .catch((error: unknown) => {
            throw refusalOf(error)
          }),
      )
      log.info({ realm, by: actor.userId, settings }, 'events that are kept were changed')
      return toSettings(await find(realm))
    },
  }
}
export type Events = ReturnType<typeof createEvents>

const toSettings = (realm: RealmRepresentation): EventSettings => ({
  eventsEnabled: realm.eventsEnabled ?? false,
  eventsExpiration: realm.eventsExpiration ?? 0,
  adminEventsEnabled: realm.adminEventsEnabled ?? false,
  adminEventsDetailsEnabled: realm.adminEventsDetailsEnabled ?? false,
  adminEventsExpiration: Number(realm.attributes?.adminEventsExpiration ?? 0) || 0,
})

function toEvent(event: FoundEvent, at: number, names: ReadonlyMap<string, string>): SignInEvent {
  const { time = 0, type, error, userId, clientId, ipAddress, details = {} } = event
  const username = (userId && names.get(userId)) ?? details.username ?? null
  return {
    ...{ id: idOf(event, at), at: new Date(time).toISOString(), type: String(type ?? ''), error: error || null },
    user: userId ? { id: userId, username: username || null } : null,
    ...{ client: clientId || null, ipAddress: ipAddress || null, details },
  }
}

/** The portal acts for somebody, whom only the embedded identity server keeps. */
const personOf = ({ details, authDetails }: FoundAdminEvent) => details?.actingFor ?? authDetails?.userId

function toAdminEvent(event: FoundAdminEvent, at: number, names: ReadonlyMap<string, string>): AdminEvent {
  const { time = 0, operationType, resourceType, resourcePath, error, authDetails } = event
  const id = personOf(event)
  const username = id === undefined ? undefined : names.get(id)
  return {
    ...{ id: idOf(event, at), at: new Date(time).toISOString(), error: error || null },
    operation: adminOperations.find((each) => each === operationType) ?? 'ACTION',
    ...{ resourceType: String(resourceType ?? ''), resourcePath: resourcePath ?? '' },
    // The account of a client of another realm is nobody here.
    user: id !== undefined && username !== undefined ? { id, username } : null,
    ...{ client: authDetails?.clientId || null, ipAddress: authDetails?.ipAddress || null },
  }
}
