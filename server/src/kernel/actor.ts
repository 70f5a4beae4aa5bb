import { clientOf, type Section } from '@quayside/contract/roles'

/** Who is calling: always of exactly one tenant, and always from the token. */
export interface Actor {
  userId: string
  username: string
  email: string | null
  tenantId: string
  tenantIdentifier: string
  realm: string
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
}

/** Whoever may hold something: the caller, or somebody of whom is asked. */
export type Holder = Pick<Actor, 'tenantId' | 'userId' | 'groupIds' | 'realmRoles' | 'resourceRoles'>

export function holds(actor: Pick<Actor, 'resourceRoles'>, section: Section, role: string): boolean {
  return actor.resourceRoles.has(`${clientOf(section)}:${role}`)
}
