import { role } from '@quayside/contract/http/policy'
import { type RoleOf, roleName, type Section } from '@quayside/contract/permissions/roles'
import type { PartyScopes } from './party.ts'
import type { TokenScope, Within } from './personal-tokens/personal-token.ts'

/** The caller: the token says who they are, the identity server's current answer which roles and groups they have. */
export interface Actor {
  userId: string
  username: string
  email: string | null
  tenantId: string
  tenantIdentifier: string
  realm: string
  /** The client that the token was made for. */
  clientId: string
  realmRoles: ReadonlySet<string>
  /** Resource roles as `client:role`. */
  resourceRoles: ReadonlySet<string>
  /** Ids of the groups that the person is a member of, and of every group above them. */
  groupIds: ReadonlySet<string>
  /** Scopes of the token, as OAuth means them. */
  scopes: ReadonlySet<string>
  /** Seconds since 1970. */
  expiresAt: number
  token: string
  /** Scopes in spaces that the identity server has granted for this call alone. */
  partyScopes?: PartyScopes
  /** The personal token by which the call came. */
  personalToken?: TokenScope
  within?: Within
}

/** Somebody whose rights are looked up: the caller, or a person whom the caller asks about. */
export type Holder = Pick<
  Actor,
  'tenantId' | 'userId' | 'groupIds' | 'realmRoles' | 'resourceRoles' | 'partyScopes' | 'within'
>

type HeldRights = Pick<Actor, 'realmRoles' | 'resourceRoles' | 'groupIds'>

/** Tells whether roles and groups are what they were. */
export function hasSameRights(one: HeldRights, other: HeldRights): boolean {
  const isSame = (before: ReadonlySet<string>, after: ReadonlySet<string>) =>
    before === after || (before.size === after.size && [...before].every((name) => after.has(name)))
  return (
    isSame(one.realmRoles, other.realmRoles) &&
    isSame(one.resourceRoles, other.resourceRoles) &&
    isSame(one.groupIds, other.groupIds)
  )
}

export function holds<S extends Section>(actor: Pick<Actor, 'resourceRoles'>, section: S, name: RoleOf<S>): boolean {
  return actor.resourceRoles.has(roleName(role(section, name)))
}
