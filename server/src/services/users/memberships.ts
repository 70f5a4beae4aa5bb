import { role } from '@quayside/contract/http/policy'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'

const right = role('iam-users', 'users.groups.manage')

/** A user and a group, by their ids. */
interface Membership {
  id: string
  gid: string
}

/** Putting users into groups and taking them out. */
export function createMemberships(keycloak: Keycloak, users: Pick<Users, 'represented'>, people: People) {
  return {
    async join(actor: Actor, { id, gid }: Membership): Promise<void> {
      const { realm } = actor
      await users.represented(realm, id)
      await people.change(actor, { right, kind: 'gives', about: id }, async (judged) => {
        await judged.mayGiveGroup(gid, 'gid')
        await keycloak.run((kc) => kc.users.addToGroup({ realm, id, groupId: gid })).catch(refuse)
      })
    },

    async leave(actor: Actor, { id, gid }: Membership): Promise<void> {
      const { realm } = actor
      await users.represented(realm, id)
      await people.change(actor, { right, kind: 'takes', about: id }, async (judged) => {
        await judged.mayGiveGroup(gid, 'gid')
        await judged.mustLeaveAnAdministrator(
          ({ person, through }) => person.id === id && through.some((step) => step.id === gid),
        )
        await keycloak.run((kc) => kc.users.delFromGroup({ realm, id, groupId: gid })).catch(refuse)
      })
    },
  }
}
export type Memberships = ReturnType<typeof createMemberships>

function refuse(error: unknown): never {
  throw refusalOf(error)
}
