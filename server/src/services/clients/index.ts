import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { Client, ServiceAccountClient, ServiceAccountClientInput } from '@quayside/contract/clients/endpoints'
import { role } from '@quayside/contract/http/policy'
import { roleName } from '@quayside/contract/permissions/roles'
import type { z } from 'zod'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { mappers, scriptMark } from '../../adapters/keycloak/realm/portal-clients.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { type Grantor, grantsOf, lastingRoles, mayGrant } from '../../platform/auth/escalation.ts'
import { forbidden } from '../../platform/auth/rights.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import { fail } from '../../platform/http/errors.ts'
import type { People } from '../permissions/index.ts'
import { internalClients, isReserved } from './reserved-names.ts'

const atOnce = 6

const isScript = (client: ClientRepresentation) => client.attributes?.[scriptMark] === 'true'
const ownRoles = (roles: readonly RoleRepresentation[]) =>
  roles
    .map((role) => role.name ?? '')
    .filter((name) => !/^(default-roles-|offline_access$|uma_authorization$)/.test(name))

interface GrantDeps {
  /** The caller as the identity server knows them at this moment. */
  grantorNow(actor: Actor): Promise<Grantor>
  exclusive: Exclusive
  people: People
}

/** Clients of a realm, and those that people make for their scripts. */
export function createClients(
  keycloak: Keycloak,
  roles: RealmRoles,
  publicUrl: string,
  { grantorNow, exclusive, people }: GrantDeps,
) {
  const { accountOf, accountRoles, toClient, find } = createReads(keycloak)

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
      return mapLimit(atOnce, shown, (client) => toClient(realm, client))
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
      const making = async (mustBeAlone: () => Promise<void>) => {
        const granted = await grantable({ grantorNow, roles }, actor, 'users.create', input.realmRoles)
        const id = await make(keycloak, realm, input)
        try {
          const account = await accountOf(realm, id)
          await leaveGroups(keycloak, realm, account)
          await keycloak.run((kc) => kc.users.addRealmRoleMappings({ realm, id: account, roles: granted }))
          await grantable({ grantorNow, roles }, actor, 'users.create', input.realmRoles)
          await mustBeAlone()
          return await opened(realm, id)
        } catch (error) {
          // One that cannot be taken back now stays closed: it was never enabled.
          await keycloak.run((kc) => kc.clients.del({ realm, id })).catch(() => undefined)
          throw error
        }
      }
      return exclusive(grantsOf(realm), (mustBeAlone) => actingFor(actor, () => making(mustBeAlone)))
    },

    /** Only clients that were made for scripts, and only by somebody who could have made them. */
    async removeForScript(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const { clientId = '' } = await find(realm, id)
      const right = role('iam-users', 'users.delete')
      await people.change(actor, { right, kind: 'takes', client: clientId }, async (judged) => {
        const client = await find(realm, id)
        if (!isScript(client)) {
          throw fail('auth.forbidden', { message: 'Only clients that were made for scripts can be deleted here.' })
        }
        const held = await accountRoles(realm, id)
        await grantable({ grantorNow, roles }, actor, 'users.delete', ownRoles(held))
        // Its account may hold more by groups and by roles of other clients.
        await judged.mustNotBeBelow(await accountOf(realm, id))
        judged.mustHold(await rolesDefinedBy(keycloak, realm, client), 'id')
        await keycloak.run((kc) => kc.clients.del({ realm, id }))
      })
    },
  }
}
export type Clients = ReturnType<typeof createClients>

/** The roles, when the caller may hand all of them out at this moment: by the directory, not by their token. */
async function grantable(
  { grantorNow, roles }: Pick<GrantDeps, 'grantorNow'> & { roles: RealmRoles },
  caller: Actor,
  right: 'users.create' | 'users.delete',
  names: readonly string[],
) {
  const { actor, ends } = await grantorNow(caller)
  if (!holds(actor, 'iam-users', right)) throw forbidden([{ section: 'iam-users', role: right }])
  // A script would keep what somebody holds for a while, and lasts itself.
  if (right === 'users.create' && ends.has(roleName({ section: 'iam-users', role: right })))
    throw fail('auth.escalation', { message: 'You may make clients for a while only, and a client has no end.' })
  const lasting = {
    realmRoles: lastingRoles(actor.realmRoles, ends),
    resourceRoles: lastingRoles(actor.resourceRoles, ends),
  }
  const found = await mapLimit(atOnce, [...new Set(names)], async (name) => {
    const role = await roles.find(actor.realm, name)
    if (!role) throw fail('request.invalid', { field: 'realmRoles', message: `realmRoles: there is no role ${name}` })
    if (!mayGrant(lasting, await roles.contentOf(actor.realm, role))) {
      throw fail('auth.escalation', { field: 'realmRoles', details: { role: name } })
    }
    return role
  })
  return found.map((role) => ({ id: role.id ?? '', name: role.name ?? '' }))
}

/** Roles of the client itself, which go with it, whoever holds them. */
async function rolesDefinedBy(keycloak: Keycloak, realm: string, { id = '', clientId }: ClientRepresentation) {
  const defined = await keycloak.run((kc) => kc.clients.listRoles({ realm, id }))
  return defined.map(({ name }) => `${clientId}:${name}`)
}

/** Keycloak puts new accounts into the default groups of the realm, those of scripts too: they are given nothing by these. */
async function leaveGroups(keycloak: Keycloak, realm: string, id: string): Promise<void> {
  const groups = await keycloak.run((kc) => kc.users.listGroups({ realm, id }))
  for (const { id: groupId = '' } of groups) await keycloak.run((kc) => kc.users.delFromGroup({ realm, id, groupId }))
}

async function make(
  keycloak: Keycloak,
  realm: string,
  input: z.output<typeof ServiceAccountClientInput>,
): Promise<string> {
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

/** Clients and the accounts of those that are scripts, as the identity server has them. */
function createReads(keycloak: Keycloak) {
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

  return { accountOf, accountRoles, toClient, find }
}
