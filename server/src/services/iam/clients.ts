import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { Client, ServiceAccountClient, ServiceAccountClientInput } from '@quayside/contract/iam'
import type { z } from 'zod'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'
import type { Exclusive } from '../../kernel/exclusive.ts'
import { forbidden } from '../../kernel/rights.ts'
import { mapAtOnce } from './at-once.ts'
import { mayGrant } from './escalation.ts'
import { mappers, scriptMark } from './portal-clients.ts'
import { internalClients, isReserved } from './reserved-names.ts'
import type { Roles } from './roles.ts'
import { orNotFound } from './users.ts'

const atOnce = 6

const isScript = (client: ClientRepresentation) => client.attributes?.[scriptMark] === 'true'
const ownRoles = (roles: readonly RoleRepresentation[]) =>
  roles
    .map((role) => role.name ?? '')
    .filter((name) => !/^(default-roles-|offline_access$|uma_authorization$)/.test(name))

export interface GrantDeps {
  /** The caller as the identity server knows them at this moment. */
  actorNow(token: string): Promise<Actor>
  exclusive: Exclusive
}

/** Rights of a realm are handed out one after the other, of all replicas. */
export const grantsOf = (realm: string) => `grants:${realm}`

export function createClients(keycloak: Keycloak, roles: Roles, publicUrl: string, { actorNow, exclusive }: GrantDeps) {
  async function accountOf(realm: string, id: string): Promise<string> {
    const account = await keycloak.run((kc) => kc.clients.getServiceAccountUser({ realm, id }))
    return account.id ?? ''
  }

  const accountRoles = async (realm: string, id: string) => {
    const account = await accountOf(realm, id)
    return keycloak.run((kc) => kc.users.listRealmRoleMappings({ realm, id: account }))
  }

  /** With the roles that a script's account holds, or those that an application defines. */
  async function toClient(realm: string, client: ClientRepresentation): Promise<Client> {
    const id = client.id ?? ''
    const found = client.serviceAccountsEnabled
      ? await accountRoles(realm, id)
      : await keycloak.run((kc) => kc.clients.listRoles({ realm, id }))
    return {
      id,
      clientId: client.clientId ?? '',
      name: client.name ?? client.clientId ?? '',
      description: client.description ?? '',
      enabled: client.enabled ?? false,
      serviceAccount: client.serviceAccountsEnabled ?? false,
      roles: ownRoles(found).sort(),
    }
  }

  const find = (realm: string, id: string) =>
    orNotFound(
      'iam.client-not-found',
      keycloak.run((kc) => kc.clients.findOne({ realm, id })),
    )

  /** The roles, when the caller may hand all of them out at this moment: by the directory, not by their token. */
  async function grantable({ token }: Actor, right: 'users.create' | 'users.delete', names: readonly string[]) {
    const actor = await actorNow(token)
    if (!holds(actor, 'iam-users', right)) throw forbidden([{ section: 'iam-users', role: right }])
    const found = await mapAtOnce(atOnce, [...new Set(names)], async (name) => {
      const role = await roles.find(actor.realm, name)
      if (!role) throw fail('request.invalid', { field: 'realmRoles', message: `realmRoles: there is no role ${name}` })
      if (!mayGrant(actor, await roles.contentOf(actor.realm, role))) {
        throw fail('auth.escalation', { field: 'realmRoles', details: { role: name } })
      }
      return role
    })
    return found.map((role) => ({ id: role.id ?? '', name: role.name ?? '' }))
  }

  async function make(realm: string, input: z.output<typeof ServiceAccountClientInput>): Promise<string> {
    const wanted: ClientRepresentation = {
      clientId: input.clientId,
      name: input.clientId,
      description: input.description,
      protocol: 'openid-connect',
      publicClient: false,
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      directAccessGrantsEnabled: false,
      fullScopeAllowed: true,
      // Nobody can use it before it is certain that its maker still may hand out what it holds.
      enabled: false,
      attributes: { [scriptMark]: 'true' },
      protocolMappers: [...mappers],
    }
    try {
      return (await keycloak.run((kc) => kc.clients.create({ ...wanted, realm }))).id
    } catch (error) {
      if (error instanceof KeycloakRefused && error.status === 409) {
        throw fail('iam.client-exists', { field: 'clientId', cause: error })
      }
      throw error
    }
  }

  /** Lets a client that was made be used; its secret is shown this once. */
  async function opened(realm: string, id: string): Promise<z.output<typeof ServiceAccountClient>> {
    const made = await find(realm, id)
    await keycloak.run((kc) => kc.clients.update({ realm, id }, { ...made, enabled: true }))
    const { value } = await keycloak.run((kc) => kc.clients.getClientSecret({ realm, id }))
    const client = await toClient(realm, { ...made, enabled: true })
    const tokenUrl = `${publicUrl}/realms/${realm}/protocol/openid-connect/token`
    return { ...client, secret: value ?? '', tokenUrl }
  }

  return {
    async list(realm: string): Promise<Client[]> {
      const clients = await keycloak.run((kc) => kc.clients.find({ realm }))
      const shown = clients.filter((client) => !internalClients.includes(client.clientId ?? ''))
      return mapAtOnce(atOnce, shown, (client) => toClient(realm, client))
    },

    get: async (realm: string, id: string): Promise<Client> => toClient(realm, await find(realm, id)),

    /** Makes a client for a script with the given roles. When a later part fails, nothing is left behind. */
    async createForScript(
      actor: Actor,
      input: z.output<typeof ServiceAccountClientInput>,
    ): Promise<z.output<typeof ServiceAccountClient>> {
      const { realm } = actor
      if (isReserved(input.clientId)) {
        throw fail('request.invalid', {
          field: 'clientId',
          message: 'clientId: this name is kept for the portal itself',
        })
      }
      return exclusive(grantsOf(realm), async (mustBeAlone) => {
        const granted = await grantable(actor, 'users.create', input.realmRoles)
        const id = await make(realm, input)
        try {
          const account = await accountOf(realm, id)
          await keycloak.run((kc) => kc.users.addRealmRoleMappings({ realm, id: account, roles: granted }))
          await grantable(actor, 'users.create', input.realmRoles)
          await mustBeAlone()
          return await opened(realm, id)
        } catch (error) {
          // One that cannot be taken back now stays closed: it was never enabled.
          await keycloak.run((kc) => kc.clients.del({ realm, id })).catch(() => undefined)
          throw error
        }
      })
    },

    /** Only clients that were made for scripts, and only by somebody who could have made them. */
    async removeForScript(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      await exclusive(grantsOf(realm), async () => {
        const client = await find(realm, id)
        if (!isScript(client)) {
          throw fail('auth.forbidden', { message: 'Only clients that were made for scripts can be deleted here.' })
        }
        const held = await accountRoles(realm, id)
        await grantable(actor, 'users.delete', ownRoles(held))
        await keycloak.run((kc) => kc.clients.del({ realm, id }))
      })
    },
  }
}
