import type { ErrorReply } from '@quayside/contract/http/errors'
import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { Permission, PermissionInput } from '@quayside/contract/permissions/permission-entry'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'

interface Answer<T> {
  status: number
  body: T & Partial<ErrorReply>
}

/** Somebody with a token, as scripts have one. */
export interface Person {
  id: string
  token: string
  call<T = unknown>(path: string, how?: { method?: string; body?: unknown }): Promise<Answer<T>>
}

/** Roles of a team's member in the tenant: they give nothing in any space. */
export const member = { realmRoles: ['quayside-member'] }

export async function personOf(world: World, roles: Parameters<World['tokenFor']>[0] = member): Promise<Person> {
  return personWith(world, await world.tokenFor(roles))
}

export function personWith(world: World, token: string): Person {
  return {
    id: decodeJwt(token).sub ?? '',
    token,
    async call<T>(path: string, how: { method?: string; body?: unknown } = {}) {
      const answer = await world.api(path, { ...how, token })
      const text = await answer.text()
      return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as Answer<T>['body'] }
    },
  }
}

export const spacesPath = '/portal-api/v3/spaces'
export const listPath = (space: { id: string }) => `${spacesPath}/${space.id}/permissions`
export const requestsPath = '/portal-api/v3/access-requests'

let made = 0

export async function newSpace(
  by: Person,
  members: Partial<PermissionInput>[] = [],
  more: object = {},
): Promise<Space> {
  made += 1
  const { status, body } = await by.call<Space>(spacesPath, {
    body: { displayName: `Space ${made}`, members, ...more },
  })
  if (status !== 201) throw new Error(`no space was made: ${status} ${JSON.stringify(body)}`)
  return body
}

export const user = (who: { id: string }) => ({ type: 'user', id: who.id }) as const

export const grant = (by: Person, space: { id: string }, input: object) =>
  by.call<Permission>(listPath(space), { body: input })

export async function listOf(by: Person, space: { id: string }): Promise<Permission[]> {
  return (await by.call<{ data: Permission[] }>(listPath(space))).body.data
}

export const entryOf = async (by: Person, space: { id: string }, who: { id: string }): Promise<Permission> => {
  const found = (await listOf(by, space)).find(({ principal }) => principal.id === who.id)
  if (!found) throw new Error('there is no entry for them')
  return found
}

export const ask = (by: Person, space: { id: string }, input: object) =>
  by.call<AccessRequest>(`${spacesPath}/${space.id}/access-requests`, { body: { hours: null, ...input } })
