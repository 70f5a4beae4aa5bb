import { clientOf } from '@quayside/contract/permissions/roles'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { holdsContent, lastingRoles } from '../../platform/auth/escalation.ts'
import type { Standing, StandingOf } from '../../platform/auth/standing.ts'
import { AccessFailed, type AccessTarget } from './outcome.ts'

/** Somebody without a token at hand: a deployment goes on after the call that started it. */
type Person = Standing & { userId: string }

export interface StarterDeps {
  readNow: StandingOf['readNow']
  /** Tells whether the person may deploy this app, and so hand out its roles. */
  mayDeploy(person: Person, target: AccessTarget): Promise<boolean>
  roles: Pick<RealmRoles, 'contentOf'>
  /** Roles that somebody holds for a while: those whom they are handed out to would keep them. */
  endingRoles(person: { realm: string; tenantId: string; userId: string }): Promise<ReadonlyMap<string, Date>>
}

export interface Starter {
  person: Person
  mayMakeGroups: boolean
}

interface AppRole {
  id?: string
  name?: string
  composite?: boolean
}

/** Judges whoever started a deployment by what the identity server says of them at this moment. */
export function createStarterCheck({ readNow, mayDeploy, roles, endingRoles }: StarterDeps) {
  return {
    /** Throws when they may not hand out the app's roles any more. */
    async look(target: AccessTarget, userId: string): Promise<Starter> {
      const found = await readNow(target.realm, userId)
      if (!found) throw new AccessFailed('RolesFailed', 'Whoever started this is no user of the tenant any more')
      const person = { ...found, userId }
      if (!(await mayDeploy(person, target)))
        throw new AccessFailed('RolesFailed', `${found.username} may not deploy ${target.appName} any more`)
      return { person, mayMakeGroups: person.resourceRoles.has(`${clientOf('iam-groups')}:groups.create`) }
    },

    /** A role of an app that somebody has put other roles into hands these out as well. */
    async mustHoldContent({ person }: Starter, target: AccessTarget, role: AppRole): Promise<void> {
      if (!role.composite) return
      const content = await roles.contentOf(target.realm, role)
      const ends = await endingRoles({ ...target, userId: person.userId })
      const realmRoles = lastingRoles(person.realmRoles, ends)
      const resourceRoles = lastingRoles(person.resourceRoles, ends)
      if (!holdsContent({ realmRoles, resourceRoles }, content))
        throw new AccessFailed('RolesFailed', `${role.name} contains roles that ${person.username} does not hold`)
    },
  }
}
export type StarterCheck = ReturnType<typeof createStarterCheck>
