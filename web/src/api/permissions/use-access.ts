import { role } from '@quayside/contract/http/policy'
import { can } from '@quayside/contract/permissions/can'
import type { RoleOf, RoleRef, Section } from '@quayside/contract/permissions/roles'
import type { AccessToken } from '../../lib/access-token.ts'
import { usePortal } from '../../lib/portal.tsx'

type Token = Pick<AccessToken, 'resourceAccess'>

/** The roles of the tenant that a token names, as `client:role`. */
export function rolesOf({ resourceAccess }: Token): ReadonlySet<string> {
  return new Set(
    Object.entries(resourceAccess).flatMap(([client, held]) => held.map(({ name }) => `${client}:${name}`)),
  )
}

/** The role check of section 6, by the rule that the server decides calls by. */
export function holdsRole(token: Token, ref: RoleRef): boolean {
  return can({ anyRole: [ref] }, { roles: rolesOf(token), spaces: new Map() })
}

/** True when the person holds a role on a section's client: 'access' unless another is asked for. */
export function useAccess<S extends Section>(section: S, name: RoleOf<S> = 'access'): boolean {
  const { me } = usePortal()
  return holdsRole(me(), role(section, name))
}
