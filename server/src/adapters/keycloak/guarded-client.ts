import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'

/** A name or id that cannot stand in a path of the Admin API: it would address something else. */
export class NoSuchPath extends Error {
  override name = 'NoSuchPath'
}

type Asked = Readonly<Record<string, unknown>>
type Method = (asked?: Asked, ...rest: unknown[]) => unknown

/** The resources whose ids and names come from people. */
const guarded: ReadonlySet<PropertyKey> = new Set(['users', 'groups', 'roles', 'clients'])

/** Parameters that every method puts into its path when they are given. */
const inPath = ['id', 'parentId', 'groupId', 'clientUniqueId', 'roleName', 'credentialId']

/** Parameters that single methods put into their path; elsewhere they are a search or part of a body. */
const alsoInPath: Readonly<Record<string, string>> = {
  ...{ findOneByName: 'name', updateByName: 'name', delByName: 'name', findUsersWithRole: 'name' },
  revokeConsent: 'clientId',
}

/** Reads of one thing, with the field of the answer that repeats the one that was asked by. */
const oneBy: Readonly<Record<string, { asked: string; answered: string }>> = {
  findOne: { asked: 'id', answered: 'id' },
  findOneByName: { asked: 'name', answered: 'name' },
  findRole: { asked: 'roleName', answered: 'name' },
}

/** Tells whether a text is one segment of a path, and stays the one that it is. */
function isSegment(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text !== '.' && text !== '..' && !/[/\\]/.test(text)
}

/**
 * The admin client, so that a name can only mean the thing that is called so: `count` is no user, although there is
 * an answer at `/users/count`, and `..` is no role. Reads of one thing find none then; every other call throws
 * NoSuchPath. A search for a client id that is empty finds none either, where the identity server would list all.
 */
export function guardClient(client: KeycloakAdminClient): KeycloakAdminClient {
  const resources = new Map<PropertyKey, object>()
  return new Proxy(client, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key, target)
      // Its methods reach private fields, which a proxy has not.
      if (typeof found === 'function') return found.bind(target)
      if (!guarded.has(key) || typeof found !== 'object' || found === null) return found
      const resource = resources.get(key) ?? guardResource(found, key)
      resources.set(key, resource)
      return resource
    },
  })
}

function guardResource(resource: object, kind: PropertyKey): object {
  return new Proxy(resource, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key, target)
      if (typeof method !== 'function' || typeof key !== 'string') return method
      return guardMethod((...given) => (method as Method).apply(target, given), key, kind)
    },
  })
}

function guardMethod(method: Method, name: string, kind: PropertyKey): Method {
  return async (asked = {}, ...rest) => {
    const one = oneBy[name]
    const parts = [...inPath, alsoInPath[name] ?? []].flat()
    const wrong = parts.find((part) => asked[part] !== undefined && !isSegment(asked[part]))
    if (wrong !== undefined && one) return undefined
    if (wrong !== undefined) throw new NoSuchPath(`no ${String(kind)} can be addressed by this ${wrong}`)
    const answer = await method(asked, ...rest)
    if (one) return (answer as Asked | null)?.[one.answered] === asked[one.asked] ? answer : undefined
    if (kind === 'clients' && name === 'find' && asked.clientId !== undefined && asked.search !== true)
      return (answer as { clientId?: string }[]).filter(({ clientId }) => clientId === asked.clientId)
    return answer
  }
}
