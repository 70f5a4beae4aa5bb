import type { ApiClients } from '../../adapters/keycloak/api-client.ts'
import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { createPrincipals } from './principals.ts'
import { createDirectoryReads } from './reads.ts'
import { createRoleWays } from './role-ways.ts'
import { createTickets } from './tickets.ts'

export type { PrincipalMember, Standing } from './role-ways.ts'

interface DirectoryDeps {
  keycloak: Keycloak
  apiClients: ApiClients
  keycloakUrl: string
}

/** Facts about people, groups, roles and tokens for those who decide by them: sign-in and permissions. */
export function createDirectory({ keycloak, apiClients, keycloakUrl }: DirectoryDeps) {
  return {
    /** Current facts about people and tokens. */
    reads: createDirectoryReads(keycloak, apiClients, keycloakUrl),
    principals: createPrincipals(keycloak),
    roleWays: createRoleWays(keycloak, createRealmRoles(keycloak), createGroupTree(keycloak)),
    tickets: createTickets(apiClients, keycloakUrl),
  }
}
export type Directory = ReturnType<typeof createDirectory>
