import { role } from '@quayside/contract/http/policy'
import { type RoleRef, roleName } from '@quayside/contract/permissions/roles'
import { scopesEverywhere } from '@quayside/contract/permissions/scopes'
import { serviceAccountOf } from '../../../adapters/keycloak/representations.ts'
import { actingFor } from '../../../platform/auth/acting-for.ts'
import { type Actor, type Holder, holds } from '../../../platform/auth/actor.ts'
import { type Grantor, grantsOf, lastingRoles } from '../../../platform/auth/escalation.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import type { Exclusive } from '../../../platform/db/exclusive.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { PrincipalMember, RoleWays, Standing } from '../../directory/index.ts'
import { firstBeyond } from './beyond.ts'
import type { RightsMemory } from './rights.ts'

interface PeopleDeps {
  grantorNow(actor: Actor): Promise<Grantor>
  directory: Pick<RoleWays, 'standing' | 'standingOfGroup' | 'rolesOfGroups' | 'ofDefaultGroups' | 'membersOf'>
  rights: Pick<RightsMemory, 'listed'>
  exclusive: Exclusive
  log: Pick<Logger, 'info'>
  /** Tells whether the list of a cluster trusts what this account uploads. */
  isTrustedPublisher(tenantId: string, userId: string): Promise<boolean>
  /** Rights of a person of the tenant, or of anybody, have changed. */
  onChanged(change: { tenantId: string; userId?: string }): void
}

interface Wanted {
  /** The role of the tenant by which the caller does it. */
  right: RoleRef
  /** Roles that it needs as well. */
  also?: readonly RoleRef[]
  /** `gives`: somebody has more afterwards, for good. `takes`: nobody has more. */
  kind: 'gives' | 'takes'
  /** The person whose rights change; left out: those of several people may. */
  about?: string | undefined
  /** Client id of the client that is changed. */
  client?: string
}

const administrators = 'quayside-admin'

type Asked = Pick<PeopleDeps, 'directory' | 'rights' | 'isTrustedPublisher'>
export type Judged = ReturnType<typeof judge>

/**
 * Changes of people, groups and roles by an administrator. Nobody hands out what they do not hold, and nobody gets at the
 * account of a person who holds more: a password, an address or an attribute of somebody is the way to all they have.
 */
export function createPeople(deps: PeopleDeps) {
  const { grantorNow, exclusive, log, onChanged } = deps
  return {
    /**
     * Runs a change, one after the other with all others that hand out rights of the realm. Who holds the right for a
     * while takes away and gives nothing: what is given lasts.
     */
    async change<T>(caller: Actor, wanted: Wanted, work: (judged: Judged) => Promise<T>): Promise<T> {
      const result = await exclusive(grantsOf(caller.realm), async () => {
        const grantor = await grantorNow(caller)
        for (const right of [wanted.right, ...(wanted.also ?? [])]) {
          if (!holds(grantor.actor, right.section, right.role)) throw forbidden([right])
          if (wanted.kind === 'gives' && grantor.ends.has(roleName(right)))
            throw fail('auth.escalation', {
              message: `You hold ${right.role} for a while only, and this would last.`,
              details: { role: roleName(right) },
            })
        }
        return actingFor(caller, () => work(judge(deps, grantor, wanted.kind)))
      })
      // The identity server only knows that the portal did it.
      const by = { username: caller.username, userId: caller.userId }
      log.info(
        { by, tenantId: caller.tenantId, right: roleName(wanted.right), about: wanted.about, client: wanted.client },
        'people were changed',
      )
      onChanged({ tenantId: caller.tenantId, ...(wanted.about === undefined ? {} : { userId: wanted.about }) })
      return result
    },
  }
}
export type People = ReturnType<typeof createPeople>

const lasting = ({ realmRoles, resourceRoles }: Actor, ends: Grantor['ends']) => ({
  realmRoles: lastingRoles(realmRoles, ends),
  resourceRoles: lastingRoles(resourceRoles, ends),
})

interface GroupQuestion {
  actor: Actor
  kind: Wanted['kind']
  managesSpaces: boolean
  mustHold(names: readonly string[], field: string): void
  /** Tells whether the lists of spaces let these groups in further than the caller comes everywhere. */
  areInSpacesBeyond(groups: readonly string[]): Promise<boolean>
  directory: Pick<RoleWays, 'standingOfGroup' | 'rolesOfGroups' | 'ofDefaultGroups'>
}

function judgeGroups({ actor, kind, managesSpaces, mustHold, areInSpacesBeyond, directory }: GroupQuestion) {
  /** Everything that the group gives is the caller's to take away. */
  async function mayTakeGroup(id: string, field: string): Promise<void> {
    const group = await directory.standingOfGroup(actor.realm, id)
    if (!group) throw fail('iam.group-not-found', { field })
    mustHold(
      group.roles.map((way) => way.id),
      field,
    )
  }

  return {
    mayTakeGroup,

    /**
     * Everything that the group and these below it give is the caller's to take away.
     * @returns names of all those roles
     */
    async mayTakeGroupsBelow(id: string, below: readonly string[], field: string): Promise<string[]> {
      const group = await directory.standingOfGroup(actor.realm, id)
      if (!group) throw fail('iam.group-not-found', { field })
      const names = [...group.roles.map((way) => way.id), ...(await directory.rolesOfGroups(actor.realm, below))]
      mustHold(names, field)
      return names
    },

    /** Somebody new is in the default groups, and wherever spaces let these in. */
    async mayGiveDefaultGroups(field: string): Promise<void> {
      const given = await directory.ofDefaultGroups(actor.realm)
      mustHold(given.roles, field)
      const groups = given.groups.filter((id) => !actor.groupIds.has(id))
      if (managesSpaces || !(await areInSpacesBeyond(groups))) return
      throw fail('auth.escalation', {
        field,
        message:
          'Spaces let in the groups that every new user is put into: only somebody in these, or who manages all spaces, can do this.',
      })
    },

    /** Members of the group have its roles and what lists of spaces give it. */
    async mayGiveGroup(id: string, field: string): Promise<void> {
      await mayTakeGroup(id, field)
      if (kind === 'takes' || managesSpaces || actor.groupIds.has(id)) return
      throw fail('auth.escalation', {
        field,
        message: 'Spaces may let this group in: only somebody in it, or who manages all spaces, can do this.',
      })
    },
  }
}

function isInSpacesBeyond(
  held: Pick<Actor, 'resourceRoles'>,
  listed: Awaited<ReturnType<RightsMemory['listed']>>,
): boolean {
  const mine = scopesEverywhere(held.resourceRoles)
  return listed.some(({ scopes }) => scopes.some((scope) => !mine.has(scope)))
}

function holderOf(tenantId: string, { person, groups, roles }: Standing): Holder {
  const names = roles.map(({ id }) => id)
  return {
    tenantId,
    userId: person.id,
    groupIds: new Set(groups.map(({ id }) => id)),
    realmRoles: new Set(names.filter((name) => !name.includes(':'))),
    resourceRoles: new Set(names.filter((name) => name.includes(':'))),
  }
}

const edits = role('clusters', 'clusters.edit')

const publisherAbove = () =>
  fail('iam.person-above', {
    message:
      'The list of a cluster trusts the charts that this person uploads: somebody who edits clusters has to do this.',
    details: { role: roleName(edits) },
  })

/** Questions about a change, answered by what the caller holds at this moment. */
function judge({ directory, rights, isTrustedPublisher }: Asked, { actor, ends }: Grantor, kind: Wanted['kind']) {
  const { realm, tenantId } = actor
  const held = kind === 'takes' ? actor : lasting(actor, ends)
  const managesSpaces = holds(held, 'spaces', 'spaces.manage')

  async function find(id: string): Promise<Standing> {
    const found = await directory.standing(realm, id)
    if (!found) throw fail('iam.user-not-found', { field: 'id' })
    return found
  }

  /** The person holds no role beyond the caller. */
  async function mustNotBeBelow(id: string): Promise<Standing> {
    const person = await find(id)
    if (id === actor.userId) return person
    const names = person.roles.map((way) => way.id)
    const beyond = firstBeyond(held, names)
    if (beyond !== undefined)
      throw fail('iam.person-above', {
        message: `This person holds ${beyond}, which you do not: somebody who holds it has to do this.`,
        details: { role: beyond },
      })
    return person
  }

  /** @param names roles with everything inside them; roles of clients as `client:role` */
  function mustHold(names: readonly string[], field: string): void {
    const beyond = firstBeyond(held, names)
    if (beyond === undefined) return
    throw fail('auth.escalation', {
      field,
      message: `You do not hold ${beyond}${kind === 'gives' ? ' for good' : ''}, so you can neither give nor take it.`,
      details: { role: beyond },
    })
  }

  async function areInSpacesBeyond(groups: readonly string[]): Promise<boolean> {
    const theirs = {
      userId: '',
      groupIds: new Set(groups),
      realmRoles: new Set<string>(),
      resourceRoles: new Set<string>(),
    }
    return isInSpacesBeyond(held, await rights.listed({ tenantId, ...theirs }))
  }

  return {
    actor,
    mustNotBeBelow,

    /** Everything that the person reaches is the caller's already: also what lists of spaces give them. */
    async mayTakeOver(id: string): Promise<Standing> {
      const person = await mustNotBeBelow(id)
      if (id === actor.userId) return person
      if (!holds(held, edits.section, edits.role) && (await isTrustedPublisher(tenantId, id))) throw publisherAbove()
      if (managesSpaces) return person
      const theirs = await rights.listed(holderOf(tenantId, person))
      if (isInSpacesBeyond(held, theirs))
        throw fail('iam.person-above', {
          message: 'This person has rights in spaces: somebody who manages all spaces has to do this.',
          details: { role: roleName({ section: 'spaces', role: 'spaces.manage' }) },
        })
      return person
    },

    mustHold,
    ...judgeGroups({ actor, kind, managesSpaces, mustHold, areInSpacesBeyond, directory }),

    /** @param isTouched tells whether somebody may be no administrator afterwards */
    async mustLeaveAnAdministrator(isTouched: (member: PrincipalMember) => boolean): Promise<void> {
      const found = await directory.membersOf(realm, { groups: [], roles: [administrators] })
      // A script is no way back into a tenant: nobody signs in as one.
      const all = (found.get(administrators) ?? []).filter(({ person }) => serviceAccountOf(person) === null)
      if (!all.some(isTouched) || all.some((one) => one.isEnabled && !isTouched(one))) return
      throw fail('iam.last-administrator')
    },
  }
}
