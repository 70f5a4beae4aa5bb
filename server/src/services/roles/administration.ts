import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import { realmRoles } from '@quayside/contract/permissions/roles'
import type { RoleChange, RoleDetail, RoleInput } from '@quayside/contract/roles/endpoints'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { withOwnAttributes } from '../../adapters/keycloak/own-attributes.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toRole } from '../../adapters/keycloak/representations.ts'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Judged, People } from '../permissions/index.ts'
import { createPartReads, type PartReads } from './parts.ts'

const right = <R extends Parameters<typeof role<'iam-roles'>>[1]>(name: R) => role('iam-roles', name)

/** The portal makes these anew at each start, and the identity server gives the others to everybody. */
function isBuiltIn(name: string): boolean {
  return Object.hasOwn(realmRoles, name) || /^(?:default-roles-.*|offline_access|uma_authorization)$/.test(name)
}

/** A role of the realm by its id; roles of clients are changed with their client. */
async function mustFind(keycloak: Keycloak, realm: string, id: string): Promise<RoleRepresentation & { name: string }> {
  const found = await keycloak.run((kc) => kc.roles.findOneById({ realm, id })).catch(ignoreGone)
  if (!found?.name || found.clientRole) throw fail('iam.role-not-found', { field: 'id' })
  return { ...found, name: found.name }
}

/** Creating, changing and deleting roles of the realm. */
export function createRoleAdministration(keycloak: Keycloak, roles: RealmRoles, people: People) {
  const parts = createPartReads(keycloak, roles)

  async function get(actor: Actor, id: string): Promise<RoleDetail> {
    const { realm } = actor
    const found = await mustFind(keycloak, realm, id)
    return {
      ...toRole(found),
      parts: await parts.inside(realm, id),
      builtIn: isBuiltIn(found.name),
      attributes: holds(actor, 'iam-roles', 'roles.attributes.view')
        ? ((found.attributes ?? {}) as Record<string, string[]>)
        : null,
    }
  }

  return {
    get,
    ...createPartChanges(keycloak, parts, people),

    async create(actor: Actor, input: RoleInput): Promise<RoleDetail> {
      const { realm } = actor
      mustNotBeReserved(input.name)
      const also = Object.keys(input.attributes).length > 0 ? [right('roles.attributes.manage')] : []
      await people.change(actor, { right: right('roles.create'), also, kind: 'gives' }, async (judged) => {
        // A list of a space may name a role that was deleted: it would count again.
        judged.mustHold([input.name], 'name')
        const attributes = withOwnAttributes(input.attributes)
        await keycloak.run((kc) => kc.roles.create({ realm, ...input, attributes })).catch(refuse)
      })
      const made = await roles.find(realm, input.name)
      return get(actor, made?.id ?? '')
    },

    async update(actor: Actor, id: string, change: RoleChange): Promise<RoleDetail> {
      const { realm } = actor
      const before = await mustFind(keycloak, realm, id)
      const { name = before.name } = change
      if (isBuiltIn(before.name)) throw fail('iam.role-kept')
      if (name !== before.name) mustNotBeReserved(name)
      const also = change.attributes ? [right('roles.attributes.manage')] : []
      const kind = name === before.name && !change.attributes ? 'takes' : 'gives'
      await people.change(actor, { right: right('roles.edit'), also, kind }, async (judged) => {
        // By another name its holders are let in wherever a list has that one.
        judged.mustHold([...(await parts.namesIn(realm, [before])), name], 'name')
        const attributes = change.attributes && withOwnAttributes(change.attributes, before.attributes)
        const given = Object.entries({ ...change, attributes }).filter(([, value]) => value !== undefined)
        try {
          await keycloak.run((kc) => kc.roles.updateById({ realm, id }, { ...before, ...Object.fromEntries(given) }))
        } catch (error) {
          throw refusalOf(error)
        }
      })
      return get(actor, id)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const found = await mustFind(keycloak, realm, id)
      if (isBuiltIn(found.name)) throw fail('iam.role-kept')
      await people.change(actor, { right: right('roles.delete'), kind: 'takes' }, async (judged) => {
        const names = await parts.namesIn(realm, [found])
        judged.mustHold(names, 'id')
        await mustKeepAdministrators(judged, names, found.name)
        await keycloak.run((kc) => kc.roles.delById({ realm, id })).catch(refuse)
      })
    },
  }
}
export type RoleAdministration = ReturnType<typeof createRoleAdministration>

/** Putting roles into a role, and taking them out. */
function createPartChanges(keycloak: Keycloak, parts: PartReads, people: People) {
  return {
    async addParts(actor: Actor, id: string, ids: readonly string[]): Promise<void> {
      const { realm } = actor
      const found = await mustFind(keycloak, realm, id)
      if (isBuiltIn(found.name)) throw fail('iam.role-kept')
      await people.change(actor, { right: right('roles.edit'), kind: 'gives' }, async (judged) => {
        const chosen = await parts.find(realm, ids)
        if (chosen.some((one) => one.id === id)) throw selfInside()
        const names = await parts.namesIn(realm, chosen)
        judged.mustHold([found.name, ...names], 'id')
        if (names.includes(found.name)) throw selfInside()
        await keycloak.run((kc) => kc.roles.createComposite({ realm, roleId: id }, chosen)).catch(refuse)
      })
    },

    async removeParts(actor: Actor, id: string, ids: readonly string[]): Promise<void> {
      const { realm } = actor
      const found = await mustFind(keycloak, realm, id)
      if (isBuiltIn(found.name)) throw fail('iam.role-kept')
      await people.change(actor, { right: right('roles.edit'), kind: 'takes' }, async (judged) => {
        const chosen = await parts.find(realm, ids)
        const names = await parts.namesIn(realm, chosen)
        judged.mustHold(names, 'id')
        await mustKeepAdministrators(judged, names, found.name)
        await keycloak.run((kc) => kc.roles.delCompositeRoles({ realm, id }, chosen)).catch(refuse)
      })
    },
  }
}

const selfInside = () => fail('request.invalid', { field: 'id', message: 'id: a role cannot be inside of itself' })

/** Administrators by this role alone may be none afterwards. */
async function mustKeepAdministrators(judged: Judged, names: readonly string[], name: string): Promise<void> {
  if (!names.includes('quayside-admin')) return
  await judged.mustLeaveAnAdministrator(({ through }) =>
    through.some((step) => step.kind === 'role' && step.name === name),
  )
}

function mustNotBeReserved(name: string): void {
  // Names that look like ours in a list are kept, too.
  const plain = name.normalize('NFKC').toLowerCase()
  if (isBuiltIn(plain) || plain.startsWith('quayside-'))
    throw fail('request.invalid', { field: 'name', message: 'name: this name is kept for the portal itself' })
}

function refuse(error: unknown): never {
  throw refusalOf(error)
}
