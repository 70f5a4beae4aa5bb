import type { ApiClients } from '../../adapters/keycloak/api-client.ts'
import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { createCommonRoles } from './common-roles.ts'
import { createHolders } from './holders.ts'
import { createPrincipals } from './principals.ts'
import { createDirectoryReads } from './reads.ts'
import { createRoleWays } from './role-ways.ts'
import { createTickets } from './tickets.ts'

export type { Holders } from './holders.ts'
export type { PrincipalMember, RoleWays, Standing } from './role-ways.ts'

interface DirectoryDeps {
  keycloak: Keycloak
  apiClients: ApiClients
  keycloakUrl: string
}

/** Facts about people, groups, roles and tokens for those who decide by them: sign-in and permissions. */
export function createDirectory({ keycloak, apiClients, keycloakUrl }: DirectoryDeps) {
  const realmRoles = createRealmRoles(keycloak)
  const roleWays = createRoleWays(keycloak, realmRoles, createGroupTree(keycloak))
  return {
    /** Current facts about people and tokens. */
    reads: createDirectoryReads(keycloak, apiClients, keycloakUrl),
    principals: createPrincipals(keycloak),
    roleWays,
    commonRoles: createCommonRoles(keycloak, realmRoles),
    holdersOfAll: createHolders(realmRoles, roleWays),
    tickets: createTickets(apiClients, keycloakUrl),
  }
}
export type Directory = ReturnType<typeof createDirectory>
