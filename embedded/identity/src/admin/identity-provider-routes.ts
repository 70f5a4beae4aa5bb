import { link, linksOf, unlink } from '../brokering/identities.ts'
import {
  deleteMapper,
  GROUP_MAPPER,
  listMappers,
  mapperToJson,
  type ProviderMapper,
  readMapper,
  requireMapper,
  saveMapper,
} from '../brokering/mappers.ts'
import { addressProblem, boundedFetch, TooLarge } from '../brokering/outbound.ts'
import {
  createProvider,
  deleteProvider,
  listProviders,
  providerToJson,
  requireProvider,
  updateProvider,
} from '../brokering/providers.ts'
import { groupByPath } from '../directory/groups.ts'
import { requireUser } from '../directory/users.ts'
import { badRequest, notFound, Problem } from '../http/problem.ts'
import { requireGrantable, requireNotAbove } from './caller.ts'
import { groupRoleIds } from './mapping-store.ts'
import {
  bodyObject,
  type Call,
  created,
  done,
  ok,
  param,
  type Reply,
  type Route,
  usersManage,
  usersView,
} from './route.ts'

const view = ['view-identity-providers', 'manage-identity-providers']
const manage = ['manage-identity-providers']
const instances = '/identity-provider/instances'

const target = (call: Call) => requireProvider(call.db, call.realm.id, param(call, 'alias'))

async function create(call: Call): Promise<Reply> {
  const alias = await createProvider(call.db, call.realm.id, bodyObject(call), call.outbound)
  return created(`${call.address}${instances}/${alias}`)
}

async function update(call: Call): Promise<Reply> {
  const sent = bodyObject(call)
  const provider = await target(call)
  if (sent.alias !== undefined && sent.alias !== provider.alias) throw badRequest('alias cannot be changed')
  await updateProvider(call.db, call.realm.id, provider, sent, call.outbound)
  return done
}

async function remove(call: Call): Promise<Reply> {
  await deleteProvider(call.db, call.realm.id, (await target(call)).alias)
  return done
}

/** The discovery document at an address. Names that lead inside, silent ports and certificates of strangers are one answer. */
async function describe(call: Call, fromUrl: string): Promise<Record<string, unknown>> {
  const problem = addressProblem(fromUrl, call.outbound)
  if (problem !== undefined) throw badRequest(`fromUrl ${problem}`)
  const answer = await boundedFetch(call.outbound)(fromUrl, { headers: { accept: 'application/json' } }).catch(
    (error: unknown) => {
      throw badRequest(
        error instanceof TooLarge ? `fromUrl cannot be read: ${error.message}` : 'fromUrl does not answer',
      )
    },
  )
  if (!answer.ok) throw badRequest(`fromUrl cannot be read: it answered ${answer.status}`)
  const said: unknown = await answer.json().catch(() => undefined)
  if (typeof said !== 'object' || said === null || !('issuer' in said))
    throw badRequest('fromUrl does not describe a provider')
  return said as Record<string, unknown>
}

/** Fields of a provider by its discovery document, as Keycloak names them. */
async function importConfig(call: Call): Promise<Reply> {
  const { fromUrl, providerId = 'oidc' } = bodyObject(call)
  if (!['oidc', 'keycloak-oidc'].includes(String(providerId)))
    throw new Problem(501, {
      errorMessage: 'This identity server reads the settings of OpenID Connect providers alone',
    })
  if (typeof fromUrl !== 'string') throw badRequest('fromUrl is missing')
  const said = await describe(call, fromUrl)
  const names = {
    ...{ issuer: 'issuer', authorizationUrl: 'authorization_endpoint', tokenUrl: 'token_endpoint' },
    ...{ jwksUrl: 'jwks_uri', userInfoUrl: 'userinfo_endpoint', logoutUrl: 'end_session_endpoint' },
  }
  const found = Object.entries(names).flatMap(([ours, theirs]) => {
    const value = said[theirs]
    return typeof value === 'string' ? [[ours, value]] : []
  })
  return ok({ ...Object.fromEntries(found), useJwksUrl: 'true', validateSignature: 'true' })
}

/** A mapper as it was sent. People who come with the claim get what the group gives, so the caller must be able to give it. */
async function mapperOf(call: Call, id?: string): Promise<ProviderMapper> {
  const mapper = readMapper(bodyObject(call), id)
  if (mapper.mapper !== GROUP_MAPPER) return mapper
  const group = await groupByPath(call.db, call.realm.id, mapper.config.group ?? '')
  await requireGrantable(call.db, call.caller, await groupRoleIds(call.db, group.id))
  return { ...mapper, group_id: group.id }
}

async function addMapper(call: Call): Promise<Reply> {
  const { alias } = await target(call)
  const mapper = await mapperOf(call)
  await saveMapper(call.db, call.realm.id, alias, mapper)
  return created(`${call.address}${instances}/${alias}/mappers/${mapper.id}`)
}

async function changeMapper(call: Call): Promise<Reply> {
  const { alias } = await target(call)
  const { id } = await requireMapper(call.db, call.realm.id, alias, param(call, 'id'))
  await saveMapper(call.db, call.realm.id, alias, await mapperOf(call, id))
  return done
}

const person = (call: Call) => requireUser(call.db, call.realm.id, param(call, 'user'))

async function addLink(call: Call): Promise<Reply> {
  const user = await person(call)
  await requireNotAbove(call.db, call.caller, user.id)
  const { alias } = await target(call)
  const { userId, userName } = bodyObject(call)
  if (typeof userId !== 'string' || userId === '' || userId.length > 255) throw badRequest('userId is missing')
  await link(call.db, call.realm.id, user.id, { alias, subject: userId, username: String(userName ?? userId) })
  return done
}

async function removeLink(call: Call): Promise<Reply> {
  const user = await person(call)
  await requireNotAbove(call.db, call.caller, user.id)
  if (!(await unlink(call.db, user.id, param(call, 'alias')))) throw notFound('Link')
  return done
}

const links = '/users/:user/federated-identity'

/** Foreign OpenID providers, who is put into which group by their claims, and the accounts that are linked to them. */
export const identityProviderRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: instances,
    needs: view,
    answer: async (c) => ok((await listProviders(c.db, c.realm.id)).map(providerToJson)),
  },
  { method: 'POST', path: instances, needs: manage, answer: create },
  { method: 'POST', path: '/identity-provider/import-config', needs: manage, answer: importConfig },
  { method: 'GET', path: `${instances}/:alias`, needs: view, answer: async (c) => ok(providerToJson(await target(c))) },
  { method: 'PUT', path: `${instances}/:alias`, needs: manage, answer: update },
  { method: 'DELETE', path: `${instances}/:alias`, needs: manage, answer: remove },
  {
    method: 'GET',
    path: `${instances}/:alias/mappers`,
    needs: view,
    answer: async (c) => {
      const { alias } = await target(c)
      return ok((await listMappers(c.db, c.realm.id, alias)).map((mapper) => mapperToJson(alias, mapper)))
    },
  },
  { method: 'POST', path: `${instances}/:alias/mappers`, needs: manage, answer: addMapper },
  { method: 'PUT', path: `${instances}/:alias/mappers/:id`, needs: manage, answer: changeMapper },
  {
    method: 'DELETE',
    path: `${instances}/:alias/mappers/:id`,
    needs: manage,
    answer: async (c) => {
      await deleteMapper(c.db, c.realm.id, (await target(c)).alias, param(c, 'id'))
      return done
    },
  },
  { method: 'GET', path: links, needs: usersView, answer: async (c) => ok(await linksOf(c.db, (await person(c)).id)) },
  { method: 'POST', path: `${links}/:alias`, needs: usersManage, answer: addLink },
  { method: 'DELETE', path: `${links}/:alias`, needs: usersManage, answer: removeLink },
  { method: 'GET', path: '/components', needs: view, answer: async () => ok([]) },
  {
    method: 'POST',
    path: '/components',
    needs: manage,
    answer: async () => {
      throw new Problem(501, {
        errorMessage: 'This identity server keeps its people itself: it reads them from no LDAP and no other directory',
      })
    },
  },
]
