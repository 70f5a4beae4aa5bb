import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import { allPages } from '../../adapters/keycloak/all-pages.ts'
import type { ApiClients } from '../../adapters/keycloak/api-client.ts'
import { ignoreGone, isGone } from '../../adapters/keycloak/gone.ts'
import { introspect } from '../../adapters/keycloak/introspection.ts'
import { isPassing, type Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { scriptMark } from '../../adapters/keycloak/realm/portal-clients.ts'
import { serviceAccountOf } from '../../adapters/keycloak/representations.ts'
import { rolesSaid } from '../../platform/auth/role-claims.ts'
import type { DirectoryReads, HeldRoles } from '../../platform/auth/standing.ts'
import { fail } from '../../platform/http/errors.ts'

type Runner = Pick<Keycloak, 'run'>

/** Asks the identity server what somebody is and holds at this moment. */
export function createDirectoryReads(
  { run: ask }: Runner,
  apiClients: ApiClients,
  keycloakUrl: string,
): DirectoryReads {
  const keycloak = sayingUnreachable(ask)

  /** The identity server works out what a token of our client, which carries everything, would say of the person. */
  async function rolesNow(realm: string, userId: string): Promise<HeldRoles> {
    const { id } = await apiClients.of(realm)
    const asked = { realm, id, userId, scope: 'openid', audience: '' }
    return rolesSaid(await keycloak.run((kc) => kc.clients.evaluateGenerateAccessToken(asked)))
  }

  /** Our client may have been made anew since its id was looked up; that says nothing about the person. */
  async function rolesOrGone(realm: string, userId: string): Promise<HeldRoles | undefined> {
    try {
      return await rolesNow(realm, userId)
    } catch (error) {
      if (!isGone(error)) throw error
      apiClients.forget(realm)
      return (await rolesNow(realm, userId).catch(ignoreGone)) ?? undefined
    }
  }

  return {
    async person(realm, userId) {
      const [user, roles] = await Promise.all([
        keycloak.run((kc) => kc.users.findOne({ realm, id: userId })),
        rolesOrGone(realm, userId),
      ])
      const username = user?.username ?? ''
      if (!user?.enabled || !roles || (await isAbandoned(keycloak, realm, username))) return undefined
      return { username, ...roles }
    },

    async token(realm, token) {
      const realmUrl = `${keycloakUrl}/realms/${encodeURIComponent(realm)}`
      const said = await introspect(realmUrl, await apiClients.of(realm), token)
      if (said !== 'refused') return said
      apiClients.forget(realm)
      const again = await introspect(realmUrl, await apiClients.of(realm), token)
      if (again === 'refused') throw fail('iam.unreachable', { message: 'The identity server refuses our own client.' })
      return again
    },

    async groups(realm, userId) {
      const ask = (page: object) => keycloak.run((kc) => kc.users.listGroups({ realm, id: userId, ...page }))
      const found = await allPages(ask).catch(ignoreGone)
      return (found ?? []).map(({ id = '', parentId }) => ({ id, parentId: parentId ?? undefined }))
    },

    async parentOfGroup(realm, id) {
      const group = await keycloak.run((kc) => kc.groups.findOne({ realm, id }))
      return group?.parentId ?? undefined
    },

    async client(realm, clientId) {
      const client = await clientNamed(keycloak, realm, clientId)
      return (
        client && {
          isScript: client.attributes?.[scriptMark] === 'true',
          hasFullScope: client.fullScopeAllowed ?? false,
        }
      )
    },
  }
}

/** An answer that says nothing about anybody fails as such: asked again it may be another. */
const sayingUnreachable = (ask: Runner['run']): Runner => ({
  run: (work) =>
    ask(work).catch((error: unknown) => {
      throw isPassing(error) ? fail('iam.unreachable', { cause: error }) : error
    }),
})

async function clientNamed(
  keycloak: Runner,
  realm: string,
  clientId: string,
): Promise<ClientRepresentation | undefined> {
  const [client] = await keycloak.run((kc) => kc.clients.find({ realm, clientId }))
  return client?.enabled ? client : undefined
}

/** A service account stays enabled when its client is disabled; it stands and falls with its client all the same. */
async function isAbandoned(keycloak: Runner, realm: string, username: string): Promise<boolean> {
  const client = serviceAccountOf({ username })
  return client !== null && (await clientNamed(keycloak, realm, client)) === undefined
}
