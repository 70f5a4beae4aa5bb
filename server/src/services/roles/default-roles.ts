import { role } from '@quayside/contract/http/policy'
import type { Role } from '@quayside/contract/roles/endpoints'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toRole } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { People } from '../permissions/index.ts'
import type { PartReads } from './parts.ts'

const byName = (one: Role, other: Role) => one.name.localeCompare(other.name)

/** The default role of a realm, and the roles that can be in it. */
function createDefaultReads(keycloak: Keycloak) {
  async function defaultRoleId(realm: string): Promise<string> {
    const found = await keycloak.run((kc) => kc.realms.findOne({ realm }))
    const id = found?.defaultRole?.id
    if (!id) throw fail('iam.refused', { message: 'The realm has no default role.' })
    return id
  }

  const client = (realm: string, id: string) =>
    orNotFound(
      'iam.client-not-found',
      keycloak.run((kc) => kc.clients.findOne({ realm, id })),
    )

  async function allOf(realm: string, cid: string | undefined): Promise<Role[]> {
    if (cid === undefined)
      return (await keycloak.run((kc) => kc.roles.find({ realm, first: 0, max: 1000 }))).map(toRole).sort(byName)
    await client(realm, cid)
    return (await keycloak.run((kc) => kc.clients.listRoles({ realm, id: cid }))).map(toRole).sort(byName)
  }

  async function assignedOf(realm: string, cid: string | undefined): Promise<Role[]> {
    const inside = await keycloak.run(async (kc) =>
      kc.roles.getCompositeRoles({ realm, id: await defaultRoleId(realm) }),
    )
    if (cid !== undefined) await client(realm, cid)
    return inside
      .filter((one) => (cid === undefined ? !one.clientRole : one.containerId === cid))
      .map(toRole)
      .sort(byName)
  }

  return { defaultRoleId, allOf, assignedOf }
}

/** Roles that every user has, as parts of the realm's default role: of the realm, or of one client. */
export function createDefaultRoles(keycloak: Keycloak, parts: PartReads, people: People) {
  const { defaultRoleId, allOf, assignedOf } = createDefaultReads(keycloak)

  const change =
    (way: 'add' | 'remove') =>
    async (actor: Actor, cid: string | undefined, ids: readonly string[]): Promise<void> => {
      const { realm } = actor
      const right = role('iam-roles', 'roles.default_roles.manage')
      await people.change(actor, { right, kind: way === 'add' ? 'gives' : 'takes' }, async (judged) => {
        const [id, known] = [await defaultRoleId(realm), await allOf(realm, cid)]
        const chosen = await parts.find(realm, ids)
        const stranger = chosen.find((one) => one.id === id || !known.some((each) => each.id === one.id))
        if (stranger)
          throw fail('iam.role-not-found', { field: 'id', message: `There is no role ${stranger.id} here.` })
        const names = await parts.namesIn(realm, chosen)
        judged.mustHold(names, 'id')
        if (way === 'remove' && names.includes('quayside-admin'))
          await judged.mustLeaveAnAdministrator(({ through }) =>
            through.some((step) => /^default-roles-/.test(step.name)),
          )
        try {
          if (way === 'add') await keycloak.run((kc) => kc.roles.createComposite({ realm, roleId: id }, chosen))
          else await keycloak.run((kc) => kc.roles.delCompositeRoles({ realm, id }, chosen))
        } catch (error) {
          throw refusalOf(error)
        }
      })
    }

  return {
    assigned: ({ realm }: Actor, cid?: string) => assignedOf(realm, cid),
    async available({ realm }: Actor, cid?: string): Promise<Role[]> {
      const [all, given, own] = [await allOf(realm, cid), await assignedOf(realm, cid), await defaultRoleId(realm)]
      const taken = new Set([own, ...given.map(({ id }) => id)])
      return all.filter(({ id }) => !taken.has(id))
    },
    add: change('add'),
    remove: change('remove'),
    ofClient: ({ realm }: Actor, cid: string) => allOf(realm, cid),
  }
}
export type DefaultRoles = ReturnType<typeof createDefaultRoles>
