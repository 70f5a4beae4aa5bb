import {
  addScopeRoles,
  removeScopeRoles,
  requireScope,
  type ScopeHolder,
  scopeRoleIds,
} from '../directory/client-scopes.ts'
import { listClients, requireClient } from '../directory/clients.ts'
import { expandRoles } from '../directory/effective-roles.ts'
import { listRoles, type Role, resolveRoles, rolesByIds, roleToJson } from '../directory/roles.ts'
import { type Call, clientsManage, clientsView, done, ok, param, type Reply, type Route } from './route.ts'

type FindHolder = (call: Call) => Promise<ScopeHolder>

/** The roles of the realm, or of the client that the path names as their owner. */
const ownerOf = async (call: Call): Promise<string | null> =>
  call.params.owner === undefined ? null : (await requireClient(call.db, call.realm.id, call.params.owner)).id

const write = (call: Call, roles: readonly Role[]) => ok(roles.map((role) => roleToJson(call.realm, role)))

function answersFor(find: FindHolder) {
  const mapped = async (call: Call) => scopeRoleIds(call.db, call.realm.id, await find(call))

  const assigned = async (call: Call): Promise<Reply> => {
    const owner = await ownerOf(call)
    const roles = await rolesByIds(call.db, call.realm.id, await mapped(call))
    return write(
      call,
      roles.filter((role) => role.client === owner),
    )
  }

  const among = (isWanted: (id: string, call: Call) => Promise<boolean>) => async (call: Call) => {
    const all = await listRoles(call.db, call.realm.id, (await ownerOf(call)) ?? undefined)
    const wanted = await Promise.all(all.map(({ id }) => isWanted(id, call)))
    return write(
      call,
      all.filter((_, index) => wanted[index]),
    )
  }

  const change =
    (apply: typeof addScopeRoles) =>
    async (call: Call): Promise<Reply> => {
      const holder = await find(call)
      const roles = await resolveRoles(call.db, call.realm.id, call.body, await ownerOf(call))
      await apply(
        call.db,
        call.realm.id,
        holder,
        roles.map(({ id }) => id),
      )
      return done
    }

  const everything = async (call: Call): Promise<Reply> => {
    const roles = await rolesByIds(call.db, call.realm.id, await mapped(call))
    const names = new Map((await listClients(call.db, call.realm.id)).map((client) => [client.id, client.client_id]))
    const clientMappings = Object.fromEntries(
      [...Map.groupBy(roles, (role) => role.client)].flatMap(([owner, held]) => {
        if (owner === null) return []
        const client = names.get(owner) ?? ''
        return [[client, { id: owner, client, mappings: held.map((role) => roleToJson(call.realm, role)) }]]
      }),
    )
    const realmMappings = roles.filter((role) => role.client === null).map((role) => roleToJson(call.realm, role))
    return ok({
      ...(realmMappings.length > 0 ? { realmMappings } : {}),
      ...(Object.keys(clientMappings).length > 0 ? { clientMappings } : {}),
    })
  }

  return {
    assigned,
    everything,
    composite: among(async (id, call) =>
      (await expandRoles(call.db, await mapped(call))).some((role) => role.id === id),
    ),
    available: among(async (id, call) => !(await mapped(call)).includes(id)),
    give: change(addScopeRoles),
    take: change(removeScopeRoles),
  }
}

function routesFor(prefix: string, find: FindHolder): Route[] {
  const answers = answersFor(find)
  const base = `${prefix}/scope-mappings`
  return [
    { method: 'GET', path: base, needs: clientsView, answer: answers.everything },
    ...['/realm', '/clients/:owner'].flatMap((owner): Route[] => [
      { method: 'GET', path: base + owner, needs: clientsView, answer: answers.assigned },
      { method: 'GET', path: `${base}${owner}/available`, needs: clientsView, answer: answers.available },
      { method: 'GET', path: `${base}${owner}/composite`, needs: clientsView, answer: answers.composite },
      { method: 'POST', path: base + owner, needs: clientsManage, answer: answers.give },
      { method: 'DELETE', path: base + owner, needs: clientsManage, answer: answers.take },
    ]),
  ]
}

/** Roles that tokens may carry of clients without full scope. */
export const scopeMappingRoutes: readonly Route[] = [
  ...routesFor('/clients/:client', async (call) => ({
    client: (await requireClient(call.db, call.realm.id, param(call, 'client'))).id,
    scope: null,
  })),
  ...routesFor('/client-scopes/:scope', async (call) => ({
    client: null,
    scope: (await requireScope(call.db, call.realm.id, param(call, 'scope'))).id,
  })),
]
