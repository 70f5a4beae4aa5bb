import {
  createScope,
  deleteScope,
  listScopes,
  readMappers,
  requireScope,
  scopeToJson,
  updateScope,
} from '../directory/client-scopes.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, notFound } from '../http/problem.ts'
import {
  bodyObject,
  type Call,
  clientsManage,
  clientsView,
  created,
  done,
  ok,
  param,
  type Reply,
  type Route,
  realmView,
} from './route.ts'

const target = (call: Call) => requireScope(call.db, call.realm.id, param(call, 'scope'))

async function create(call: Call): Promise<Reply> {
  const id = await createScope(call.db, call.realm.id, bodyObject(call))
  return created(`${call.address}/client-scopes/${id}`)
}

async function addMappers(call: Call, sent: readonly JsonObject[]): Promise<Reply> {
  const scope = await target(call)
  const fresh = readMappers(sent.map(({ id: _, ...mapper }) => mapper))
  const kept = scope.mappers.filter(({ name }) => !fresh.some((mapper) => mapper.name === name))
  await updateScope(call.db, call.realm.id, scope, { protocolMappers: [...kept, ...fresh] })
  return created(`${call.address}/client-scopes/${scope.id}/protocol-mappers/models/${fresh[0]?.id ?? ''}`)
}

async function removeMapper(call: Call): Promise<Reply> {
  const scope = await target(call)
  const rest = scope.mappers.filter(({ id }) => id !== param(call, 'mapper'))
  if (rest.length === scope.mappers.length) throw notFound('Model')
  await updateScope(call.db, call.realm.id, scope, { protocolMappers: rest })
  return done
}

const view = [...clientsView, ...realmView]
const one = '/client-scopes/:scope'
const mappers = `${one}/protocol-mappers`

/** Client scopes: claims and roles that several clients share. */
export const clientScopeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/client-scopes',
    needs: view,
    answer: async (c) => ok((await listScopes(c.db, c.realm.id)).map(scopeToJson)),
  },
  { method: 'POST', path: '/client-scopes', needs: clientsManage, answer: create },
  { method: 'GET', path: one, needs: view, answer: async (c) => ok(scopeToJson(await target(c))) },
  {
    method: 'PUT',
    path: one,
    needs: clientsManage,
    answer: async (c) => {
      await updateScope(c.db, c.realm.id, await target(c), bodyObject(c))
      return done
    },
  },
  {
    method: 'DELETE',
    path: one,
    needs: clientsManage,
    answer: async (c) => {
      await deleteScope(c.db, c.realm.id, (await target(c)).id)
      return done
    },
  },
  {
    method: 'GET',
    path: `${mappers}/models`,
    needs: view,
    answer: async (c) => ok((await target(c)).mappers),
  },
  {
    method: 'POST',
    path: `${mappers}/models`,
    needs: clientsManage,
    answer: (c) => addMappers(c, [bodyObject(c)]),
  },
  {
    method: 'POST',
    path: `${mappers}/add-models`,
    needs: clientsManage,
    async answer(c) {
      if (!Array.isArray(c.body)) throw badRequest('A list of mappers is expected')
      await addMappers(c, c.body as JsonObject[])
      return done
    },
  },
  { method: 'DELETE', path: `${mappers}/models/:mapper`, needs: clientsManage, answer: removeMapper },
]
