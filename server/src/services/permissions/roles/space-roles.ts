import { mostSpaceRoles, type SpaceRole, type SpaceRoleInput } from '@quayside/contract/permissions/endpoints'
import { missingScope, type Scope, scopes, scopesEverywhere, spaceRoles } from '@quayside/contract/permissions/scopes'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import { type Grantor, lastingRoles } from '../../../platform/auth/escalation.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { fail } from '../../../platform/http/errors.ts'
import { sweepEntries, tellAccess } from '../members/entry-store.ts'
import type { Grantors } from '../rights/grantors.ts'
import type { SpaceRoleRow, Tables } from '../tables.ts'
import {
  addRoleEvents,
  deleteRole,
  findRoles,
  insertRole,
  isNameTaken,
  lockRole,
  spacesWithRole,
  updateRole,
} from './role-store.ts'

const builtIn: SpaceRole[] = Object.entries(spaceRoles).map(([id, role]) => ({
  ...{ id, name: role.name, description: role.description },
  scopes: [...role.scopes],
  builtIn: true,
}))

/** The roles that can be given in spaces: the built-in ones and those that the tenant has defined from scopes. */
export function createSpaceRoles(db: Db, { grantorNow }: Pick<Grantors, 'grantorNow'>) {
  /**
   * A role reaches every space where it is given, and lasts: nobody puts into one what they do not hold in all of them
   * without an end.
   */
  function mustHoldAll({ actor, ends }: Grantor, wanted: readonly string[]): void {
    if (!holds(actor, 'spaces', 'spaces.manage')) throw forbidden([{ section: 'spaces', role: 'spaces.manage' }])
    const held = scopesEverywhere(lastingRoles(actor.resourceRoles, ends))
    const scope = wanted.find((each) => !held.has(each as Scope))
    if (scope === undefined) return
    const message = 'You can only define roles from scopes that you hold in every space, without an end.'
    throw fail('permission.escalation', { field: 'scopes', message, details: { scope } })
  }

  function checked(grantor: Grantor, input: SpaceRoleInput): SpaceRoleInput {
    const wanted = scopes.filter((scope) => input.scopes.includes(scope))
    const missing = missingScope(wanted)
    if (missing) {
      const message = `scopes: ${missing.scope} is of no use without ${missing.needs}`
      throw fail('request.invalid', { field: 'scopes', message })
    }
    if (builtIn.some(({ name, id }) => [name.toLowerCase(), id].includes(input.name.normalize('NFKC').toLowerCase())))
      throw fail('space-role.name-taken', { field: 'name' })
    mustHoldAll(grantor, wanted)
    return { ...input, scopes: wanted }
  }

  return {
    async list(tenantId: string): Promise<SpaceRole[]> {
      return [...builtIn, ...(await findRoles(db, tenantId)).map(toRole)]
    },

    async create(actor: Actor, input: SpaceRoleInput): Promise<SpaceRole> {
      const wanted = checked(await grantorNow(actor), input)
      const made = await db.tenant<Tables, SpaceRoleRow | 'too-many' | 'taken'>(actor.tenantId, (trx) =>
        insertRole(trx, actor.tenantId, wanted, mostSpaceRoles),
      )
      if (made === 'too-many') throw fail('space-role.too-many')
      if (made === 'taken') throw fail('space-role.name-taken', { field: 'name' })
      return toRole(made)
    },

    async update(actor: Actor, id: string, input: SpaceRoleInput): Promise<SpaceRole> {
      const grantor = await grantorNow(actor)
      const wanted = checked(grantor, input)
      return db.tenant<Tables, SpaceRole>(actor.tenantId, async (trx) => {
        const before = await lockRole(trx, id)
        if (!before) throw fail('space-role.not-found')
        mustHoldAll(grantor, before.scopes)
        if (await isNameTaken(trx, wanted.name, id)) throw fail('space-role.name-taken', { field: 'name' })
        const after = await updateRole(trx, id, wanted)
        const note = `The role is now: ${after.scopes.join(', ')}`
        await addRoleEvents(trx, id, { name: actor.username, id: actor.userId }, note)
        await tellAccess(trx, actor.tenantId)
        return toRole(after)
      })
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const grantor = await grantorNow(actor)
      return db.tenant<Tables, void>(actor.tenantId, async (trx) => {
        const role = await lockRole(trx, id)
        if (!role) throw fail('space-role.not-found')
        mustHoldAll(grantor, role.scopes)
        const count = await spacesWithRole(trx, id)
        if (count > 0) throw fail('space-role.in-use', { details: { spaces: count } })
        // Expired entries would still refer to the deleted role.
        await sweepEntries(trx)
        await deleteRole(trx, id)
      })
    },
  }
}
export type SpaceRoles = ReturnType<typeof createSpaceRoles>

function toRole({ id, name, description, scopes: defined }: SpaceRoleRow): SpaceRole {
  return { id, name, description, scopes: scopes.filter((scope) => defined.includes(scope)), builtIn: false }
}
