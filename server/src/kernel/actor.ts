import { clientOf, type Section } from '@quayside/contract/roles'

/** Who is calling: who they are is in their token, what they hold is what the identity server says now. */
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
}

export function holds(actor: Pick<Actor, 'resourceRoles'>, section: Section, role: string): boolean {
  return actor.resourceRoles.has(`${clientOf(section)}:${role}`)
}
