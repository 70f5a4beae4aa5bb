import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { scriptMark, signInClients } from '../../adapters/keycloak/realm/portal-clients.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'

/** A user, group or role as a permission list names it. */
export interface PrincipalName {
  type: 'user' | 'group' | 'role'
  id: string
  name: string
  /** The user name of a person, the path of a group, what a role is for. */
  detail: string | null
}

const atOnce = 4
const mostScripts = 5

/** Names of the users, groups and roles of a realm, and the search for them by name. */
export function createPrincipals(keycloak: Keycloak) {
  async function role(realm: string, id: string): Promise<PrincipalName | undefined> {
    const at = id.indexOf(':')
    if (at < 0) {
      const found = await keycloak.run((kc) => kc.roles.findOneByName({ realm, name: id })).catch(ignoreGone)
      return found && { type: 'role', id, name: id, detail: found.description || null }
    }
    const [clientId, roleName] = [id.slice(0, at), id.slice(at + 1)]
    // Other clients belong to apps, whose names are no business of other teams, and to the identity server.
    if (!signInClients.has(clientId)) return undefined
    const [client] = await keycloak.run((kc) => kc.clients.find({ realm, clientId }))
    if (!client?.id) return undefined
    const uuid = client.id
    const found = await keycloak.run((kc) => kc.clients.findRole({ realm, id: uuid, roleName })).catch(ignoreGone)
    return found ? { type: 'role', id, name: roleName, detail: client.name || clientId } : undefined
  }

  /** Accounts of scripts are no people to the search of the identity server: they are found by their clients. */
  async function scripts(realm: string, text: string): Promise<PrincipalName[]> {
    const clients = await keycloak.run((kc) => kc.clients.find({ realm, clientId: text, search: true }))
    const found = clients.filter(({ attributes }) => attributes?.[scriptMark] === 'true').slice(0, mostScripts)
    return mapLimit(atOnce, found, async ({ id, clientId }) => {
      const account = await keycloak.run((kc) => kc.clients.getServiceAccountUser({ realm, id: id ?? '' }))
      return { type: 'user', id: account.id ?? '', name: clientId ?? '', detail: 'service account' } as const
    })
  }

  return {
    async principal(
      realm: string,
      { type, id }: Pick<PrincipalName, 'type' | 'id'>,
    ): Promise<PrincipalName | undefined> {
      if (type === 'role') return role(realm, id)
      if (type === 'user') {
        const found = await keycloak.run((kc) => kc.users.findOne({ realm, id })).catch(ignoreGone)
        return found && toPerson(found)
      }
      const found = await keycloak.run((kc) => kc.groups.findOne({ realm, id })).catch(ignoreGone)
      return found && { type, id, name: found.name ?? '', detail: found.path ?? null }
    },

    /** By name alone: an address of somebody finds nobody, and none is told. */
    async search(realm: string, text: string, most: number): Promise<PrincipalName[]> {
      const wanted = text.trim().toLowerCase()
      const query = { realm, search: `*${wanted}*`, first: 0, max: most * 2, briefRepresentation: true }
      const [users, groups, accounts] = await Promise.all([
        keycloak.run((kc) => kc.users.find(query)),
        keycloak.run((kc) => kc.groups.find({ realm, search: text.trim(), first: 0, max: most })),
        scripts(realm, text.trim()),
      ])
      const hasText = ({ name, detail }: PrincipalName) => `${name} ${detail ?? ''}`.toLowerCase().includes(wanted)
      const people = users.map(toPerson).filter(hasText)
      const found = flat(groups).filter(({ name }) => name.toLowerCase().includes(wanted))
      return [...found, ...people, ...accounts].slice(0, most)
    },
  }
}

export function toPerson(user: UserRepresentation): PrincipalName {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  const username = user.username ?? ''
  return { type: 'user', id: user.id ?? '', name: name || username, detail: name ? username : null }
}

function flat(groups: readonly GroupRepresentation[]): PrincipalName[] {
  return groups.flatMap(({ id, name, path, subGroups }) => [
    { type: 'group', id: id ?? '', name: name ?? '', detail: path ?? null } as const,
    ...flat(subGroups ?? []),
  ])
}
