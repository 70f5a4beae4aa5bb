import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'

/** Roles of a realm, by their names. */
export function createRoles({ list }: Pick<RealmRoles, 'list'>) {
  return { list }
}
export type Roles = ReturnType<typeof createRoles>
