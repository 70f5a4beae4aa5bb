import { MANAGEMENT_CLIENT } from '../directory/builtin-roles.ts'
import type { ProtocolMapper } from '../directory/builtin-scopes.ts'
import { listScopes, requireScope, scopeToJson } from '../directory/client-scopes.ts'
import {
  type Client,
  clientToJson,
  createClient,
  deleteClient,
  listClients,
  renewSecret,
  requireClient,
  updateClient,
} from '../directory/clients.ts'
import { countSessionsOfClient, sessionsOfClient } from '../directory/sessions.ts'
import { serviceAccountOf, userToJson } from '../directory/users.ts'
import { badRequest } from '../http/problem.ts'
import { requireNotAbove } from './caller.ts'
import { mapperRoutes } from './mapper-routes.ts'
import {
  bodyObject,
  type Call,
  clientsManage,
  clientsView,
  created,
  done,
  flagParam,
  numberParam,
  ok,
  paging,
  param,
  type Reply,
  type Route,
  textParam,
} from './route.ts'

const target = (call: Call, name = 'client') => requireClient(call.db, call.realm.id, param(call, name))

/** A caller who changes a client or reads its secret can act as its service account, so they need all of its rights. */
async function changeable(call: Call, name = 'client'): Promise<Client> {
  const client = await target(call, name)
  const account = await serviceAccountOf(call.db, client.id)
  if (account) await requireNotAbove(call.db, call.caller, account.id)
  return client
}

const mayManage = (call: Call) => call.caller.allPowerful || call.caller.management.has('manage-clients')

async function list(call: Call): Promise<Reply> {
  const { query } = call
  const clients = await listClients(call.db, call.realm.id, {
    clientId: textParam(query, 'clientId'),
    search: flagParam(query, 'search'),
    first: numberParam(query, 'first'),
    max: numberParam(query, 'max'),
  })
  return ok(clients.map((client) => clientToJson(client, call.caller.allPowerful)))
}

async function read(call: Call): Promise<Reply> {
  const client = await target(call)
  if (!mayManage(call)) return ok(clientToJson(client, false))
  return ok(clientToJson(await changeable(call), true))
}

async function create(call: Call): Promise<Reply> {
  const client = await createClient(call.db, call.realm, bodyObject(call))
  return created(`${call.address}/clients/${client.id}`)
}

async function update(call: Call): Promise<Reply> {
  const client = await changeable(call)
  const sent = bodyObject(call)
  if (typeof sent.clientId === 'string' && sent.clientId !== client.client_id)
    throw badRequest('clientId cannot be changed')
  await updateClient(call.db, call.realm, client, sent)
  return done
}

async function remove(call: Call): Promise<Reply> {
  const client = await changeable(call)
  if (client.client_id === MANAGEMENT_CLIENT || client.client_id === 'account')
    throw badRequest('Built-in clients cannot be removed')
  await deleteClient(call.db, client)
  return done
}

async function serviceAccount(call: Call): Promise<Reply> {
  const client = await target(call)
  const account = await serviceAccountOf(call.db, client.id)
  if (!account) throw badRequest(`Service account not enabled for the client '${client.client_id}'`)
  return ok(userToJson(account))
}

const mappersOf = (client: Client) => (client.settings.protocolMappers ?? []) as ProtocolMapper[]

const mappers = mapperRoutes({
  collection: 'clients',
  view: clientsView,
  read: async (call) => ({ mappers: mappersOf(await target(call, 'holder')) }),
  async change(call) {
    const client = await changeable(call, 'holder')
    const save = (protocolMappers: readonly ProtocolMapper[]) =>
      updateClient(call.db, call.realm, client, { protocolMappers })
    return { id: client.id, mappers: mappersOf(client), save }
  },
})

const scopeList = (kind: 'defaultClientScopes' | 'optionalClientScopes') => async (call: Call) => {
  const names = ((await target(call)).settings[kind] ?? []) as string[]
  const scopes = await listScopes(call.db, call.realm.id)
  return ok(scopes.filter(({ name }) => names.includes(name)).map(scopeToJson))
}

const changeScope = (kind: 'defaultClientScopes' | 'optionalClientScopes', add: boolean) => async (call: Call) => {
  const client = await changeable(call)
  const names = new Set((client.settings[kind] ?? []) as string[])
  const { name } = await requireScope(call.db, call.realm.id, param(call, 'scope'))
  if (add) names.add(name)
  else names.delete(name)
  await updateClient(call.db, call.realm, client, { [kind]: [...names] })
  return done
}

const scopeRoutes = (path: string, kind: 'defaultClientScopes' | 'optionalClientScopes'): Route[] => [
  { method: 'GET', path: `/clients/:client/${path}`, needs: clientsView, answer: scopeList(kind) },
  { method: 'PUT', path: `/clients/:client/${path}/:scope`, needs: clientsManage, answer: changeScope(kind, true) },
  { method: 'DELETE', path: `/clients/:client/${path}/:scope`, needs: clientsManage, answer: changeScope(kind, false) },
]

async function sessions(call: Call): Promise<Reply> {
  return ok(await sessionsOfClient(call.db, call.realm, (await target(call)).client_id, paging(call, 100)))
}

async function sessionCount(call: Call): Promise<Reply> {
  return ok({ count: await countSessionsOfClient(call.db, call.realm, (await target(call)).client_id) })
}

/** Clients: applications and scripts that ask for tokens. */
export const clientRoutes: readonly Route[] = [
  { method: 'GET', path: '/clients', needs: [...clientsView, 'query-clients'], answer: list },
  { method: 'POST', path: '/clients', needs: [...clientsManage, 'create-client'], answer: create },
  { method: 'GET', path: '/clients/:client', needs: clientsView, answer: read },
  { method: 'PUT', path: '/clients/:client', needs: clientsManage, answer: update },
  { method: 'DELETE', path: '/clients/:client', needs: clientsManage, answer: remove },
  {
    method: 'GET',
    path: '/clients/:client/client-secret',
    needs: clientsManage,
    answer: async (c) => ok({ type: 'secret', value: (await changeable(c)).secret }),
  },
  {
    method: 'POST',
    path: '/clients/:client/client-secret',
    needs: clientsManage,
    answer: async (c) => ok({ type: 'secret', value: await renewSecret(c.db, await changeable(c)) }),
  },
  { method: 'GET', path: '/clients/:client/service-account-user', needs: clientsView, answer: serviceAccount },
  { method: 'GET', path: '/clients/:client/user-sessions', needs: clientsView, answer: sessions },
  {
    method: 'POST',
    path: '/clients/:client/push-revocation',
    needs: clientsManage,
    answer: async (c) => {
      await changeable(c)
      return ok({})
    },
  },
  { method: 'GET', path: '/clients/:client/session-count', needs: clientsView, answer: sessionCount },
  { method: 'GET', path: '/clients/:client/offline-sessions', needs: clientsView, answer: async () => ok([]) },
  {
    method: 'GET',
    path: '/clients/:client/offline-session-count',
    needs: clientsView,
    answer: async () => ok({ count: 0 }),
  },
  ...mappers,
  ...scopeRoutes('default-client-scopes', 'defaultClientScopes'),
  ...scopeRoutes('optional-client-scopes', 'optionalClientScopes'),
]
