import { clearEvents, listEvents } from '../directory/login-events.ts'
import { updateRealm } from '../directory/realms.ts'
import { clearAdminEvents, listAdminEvents } from '../events/admin-events.ts'
import { badRequest } from '../http/problem.ts'
import {
  bodyObject,
  type Call,
  done,
  eventsManage,
  eventsView,
  ok,
  paging,
  type Reply,
  type Route,
  textParam,
} from './route.ts'

const date = (text: string | undefined) => {
  if (text === undefined) return undefined
  const value = new Date(/^\d+$/.test(text) ? Number(text) : text)
  if (Number.isNaN(value.getTime())) throw badRequest(`${text.slice(0, 50)} is not a date`)
  return value
}

const between = ({ query }: Call) => ({
  dateFrom: date(textParam(query, 'dateFrom')),
  dateTo: date(textParam(query, 'dateTo')),
})

async function events(call: Call): Promise<Reply> {
  const { query } = call
  return ok(
    await listEvents(call.db, call.realm.id, {
      types: query.getAll('type'),
      client: textParam(query, 'client'),
      user: textParam(query, 'user'),
      ipAddress: textParam(query, 'ipAddress'),
      ...between(call),
      ...paging(call, 100),
    }),
  )
}

async function adminEvents(call: Call): Promise<Reply> {
  const { query } = call
  return ok(
    await listAdminEvents(call.db, call.realm.id, {
      operationTypes: query.getAll('operationTypes'),
      resourceTypes: query.getAll('resourceTypes'),
      resourcePath: textParam(query, 'resourcePath'),
      authRealm: textParam(query, 'authRealm'),
      authClient: textParam(query, 'authClient'),
      authUser: textParam(query, 'authUser'),
      authIpAddress: textParam(query, 'authIpAddress'),
      isOldestFirst: textParam(query, 'direction') === 'asc',
      ...between(call),
      ...paging(call, 100),
    }),
  )
}

const eventKeys = [
  'eventsEnabled',
  'eventsExpiration',
  'eventsListeners',
  'enabledEventTypes',
  'adminEventsEnabled',
  'adminEventsDetailsEnabled',
]

async function updateSettings(call: Call): Promise<Reply> {
  const sent = bodyObject(call)
  await updateRealm(
    call.db,
    call.realm,
    Object.fromEntries(Object.entries(sent).filter(([key]) => eventKeys.includes(key))),
  )
  call.realmChanged()
  return done
}

/** Events of sign-in and of this API, and which of them are kept. */
export const eventRoutes: readonly Route[] = [
  { method: 'GET', path: '/events', needs: eventsView, answer: events },
  {
    method: 'DELETE',
    path: '/events',
    needs: eventsManage,
    answer: async (c) => {
      await clearEvents(c.db, c.realm.id)
      return done
    },
  },
  { method: 'GET', path: '/admin-events', needs: eventsView, answer: adminEvents },
  {
    method: 'DELETE',
    path: '/admin-events',
    needs: eventsManage,
    answer: async (c) => {
      await clearAdminEvents(c.db, c.realm.id)
      return done
    },
  },
  {
    method: 'GET',
    path: '/events/config',
    needs: eventsView,
    answer: async (c) => ok(Object.fromEntries(eventKeys.map((key) => [key, c.realm.settings[key]]))),
  },
  { method: 'PUT', path: '/events/config', needs: eventsManage, answer: updateSettings },
]
