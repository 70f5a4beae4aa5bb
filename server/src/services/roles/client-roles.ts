import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { Role, RoleChange, RoleInput } from '@quayside/contract/roles/endpoints'
import type { User } from '@quayside/contract/users/endpoints'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { withOwnAttributes } from '../../adapters/keycloak/own-attributes.ts'
import { pageOfPeople } from '../../adapters/keycloak/page-of-people.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toRole } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { People } from '../permissions/index.ts'
import type { PartReads } from './parts.ts'

type Found = RoleRepresentation & { id: string; name: string }

const right = <R extends Parameters<typeof role<'iam-roles'>>[1]>(name: R) => role('iam-roles', name)
const attributesToo = (attributes: RoleChange['attributes']) =>
  Object.keys(attributes ?? {}).length > 0 ? [right('roles.attributes.manage')] : []

function mustNotBeKept(clientId: string): void {
  if (/^(?:quayside-portal-ui.*|quayside-api|realm-management|broker|account|account-console)$/.test(clientId))
    throw fail('iam.role-kept', {
      message: 'The roles of this client are those that the portal and the realm need.',
    })
}

/** Roles of one client: made, changed, deleted, and who holds them. */
export function createClientRoles(keycloak: Keycloak, parts: PartReads, people: People) {
  const client = (realm: string, id: string) =>
    orNotFound(
      'iam.client-not-found',
      keycloak.run((kc) => kc.clients.findOne({ realm, id })),
    )

  async function mustFind(realm: string, cid: string, rid: string): Promise<Found> {
    const found = await keycloak.run((kc) => kc.roles.findOneById({ realm, id: rid })).catch(ignoreGone)
    if (!found?.name || found.containerId !== cid) throw fail('iam.role-not-found', { field: 'rid' })
    return { ...found, id: rid, name: found.name }
  }

  return {
    /** A new role of a client is empty, and held by nobody. */
    async create(actor: Actor, cid: string, input: RoleInput): Promise<Role> {
      const { realm } = actor
      const { clientId = '' } = await client(realm, cid)
      mustNotBeKept(clientId)
      const wanted = { right: right('roles.create'), also: attributesToo(input.attributes), kind: 'gives' } as const
      await people.change(actor, { ...wanted, client: clientId }, async (judged) => {
        judged.mustHold([`${clientId}:${input.name}`], 'name')
        const attributes = withOwnAttributes(input.attributes)
        await keycloak.run((kc) => kc.clients.createRole({ realm, id: cid, ...input, attributes })).catch(refuse)
      })
      const asked = { realm, id: cid, roleName: input.name }
      const made = await keycloak.run((kc) => kc.clients.findRole(asked)).catch(ignoreGone)
      if (!made) throw fail('iam.role-not-found')
      return toRole(made)
    },

    async update(actor: Actor, { id: cid, rid }: { id: string; rid: string }, change: RoleChange): Promise<Role> {
      const { realm } = actor
      const { clientId = '' } = await client(realm, cid)
      const before = await mustFind(realm, cid, rid)
      mustNotBeKept(clientId)
      const { name = before.name } = change
      const kind = name === before.name && !change.attributes ? 'takes' : 'gives'
      const also = change.attributes ? [right('roles.attributes.manage')] : []
      await people.change(actor, { right: right('roles.edit'), also, kind, client: clientId }, async (judged) => {
        // By another name its holders are let in wherever a list has that one.
        judged.mustHold([...(await parts.namesIn(realm, [before])), `${clientId}:${name}`], 'name')
        await keycloak.run((kc) => kc.roles.updateById({ realm, id: rid }, changed(before, change))).catch(refuse)
      })
      return toRole(await mustFind(realm, cid, rid))
    },

    async remove(actor: Actor, { id: cid, rid }: { id: string; rid: string }): Promise<void> {
      const { realm } = actor
      const { clientId = '' } = await client(realm, cid)
      const found = await mustFind(realm, cid, rid)
      mustNotBeKept(clientId)
      await people.change(actor, { right: right('roles.delete'), kind: 'takes', client: clientId }, async (judged) => {
        const names = await parts.namesIn(realm, [found])
        judged.mustHold(names, 'rid')
        if (names.includes('quayside-admin'))
          await judged.mustLeaveAnAdministrator(({ through }) =>
            through.some((step) => step.kind === 'role' && step.name === found.name),
          )
        await keycloak.run((kc) => kc.roles.delById({ realm, id: rid })).catch(refuse)
      })
    },

    async findUsers(
      realm: string,
      { id: cid, rid }: { id: string; rid: string },
      query: ListQuery,
      path: string,
    ): Promise<ListReply<User>> {
      await client(realm, cid)
      const asked = { realm, id: cid, roleName: (await mustFind(realm, cid, rid)).name }
      return pageOfPeople(
        (page) => keycloak.run((kc) => kc.clients.findUsersWithRole({ ...asked, ...page, briefRepresentation: true })),
        query,
        path,
      )
    },
  }
}
export type ClientRoles = ReturnType<typeof createClientRoles>

function changed(before: Found, change: RoleChange): RoleRepresentation {
  const attributes = change.attributes && withOwnAttributes(change.attributes, before.attributes)
  const given = Object.entries({ ...change, attributes }).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

function refuse(error: unknown): never {
  throw refusalOf(error)
}
