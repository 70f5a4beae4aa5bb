import type { ProtocolMapper } from '../directory/builtin-scopes.ts'
import {
  createScope,
  deleteScope,
  listScopes,
  requireScope,
  scopeToJson,
  updateScope,
} from '../directory/client-scopes.ts'
import { defaultScopes } from '../directory/realm-settings.ts'
import { updateRealm } from '../directory/realms.ts'
import { mapperRoutes } from './mapper-routes.ts'
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

const target = (call: Call, name = 'scope') => requireScope(call.db, call.realm.id, param(call, name))

async function create(call: Call): Promise<Reply> {
  const id = await createScope(call.db, call.realm.id, bodyObject(call))
  return created(`${call.address}/client-scopes/${id}`)
}

type DefaultKind = 'defaultDefaultClientScopes' | 'defaultOptionalClientScopes'

/** Scopes that each new client of the realm gets. */
function defaultRoutes(path: string, kind: DefaultKind): Route[] {
  const names = (call: Call) => defaultScopes(call.realm.settings)[kind]
  const change = (isIn: boolean) => async (call: Call) => {
    const { name } = await target(call)
    const others = names(call).filter((each) => each !== name)
    await updateRealm(call.db, call.realm, { [kind]: isIn ? [...others, name] : others })
    call.realmChanged()
    return done
  }
  const list = async (call: Call) => {
    const scopes = await listScopes(call.db, call.realm.id)
    return ok(scopes.filter(({ name }) => names(call).includes(name)).map(({ id, name }) => ({ id, name })))
  }
  return [
    { method: 'GET', path, needs: view, answer: list },
    { method: 'PUT', path: `${path}/:scope`, needs: clientsManage, answer: change(true) },
    { method: 'DELETE', path: `${path}/:scope`, needs: clientsManage, answer: change(false) },
  ]
}

const view = [...clientsView, ...realmView]
const one = '/client-scopes/:scope'
const mappers = mapperRoutes({
  collection: 'client-scopes',
  view,
  read: (call) => target(call, 'holder'),
  async change(call) {
    const scope = await target(call, 'holder')
    const save = (protocolMappers: readonly ProtocolMapper[]) =>
      updateScope(call.db, call.realm.id, scope, { protocolMappers })
    return { id: scope.id, mappers: scope.mappers, save }
  },
})

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
  ...mappers,
  ...defaultRoutes('/default-default-client-scopes', 'defaultDefaultClientScopes'),
  ...defaultRoutes('/default-optional-client-scopes', 'defaultOptionalClientScopes'),
]
