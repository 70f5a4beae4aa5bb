import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Config } from '../../kernel/config.ts'
import { Failure } from '../../kernel/errors.ts'
import type { Logger } from '../../kernel/logger.ts'
import { createAccount } from './account.ts'
import { createApiClients } from './api-client.ts'
import { createAppAccess } from './app-access.ts'
import { createClients, type GrantDeps } from './clients.ts'
import { createDirectoryReads } from './directory-reads.ts'
import { createGroups } from './groups.ts'
import { createPrincipals } from './principals.ts'
import { provision } from './provision.ts'
import { createRoleWays } from './role-ways.ts'
import { createRoles } from './roles.ts'
import { createStarterCheck, type StarterDeps } from './starter.ts'
import { createTickets } from './tickets.ts'
import { createUsers } from './users.ts'

export type { AccessGroup } from './access-groups.ts'
export type { AccessTarget } from './access-outcome.ts'
export type { Called } from './principals.ts'
export type { Meant, RoleWays, Standing, WayTo } from './role-ways.ts'

export interface IamDeps {
  keycloak: Keycloak
  config: Pick<Config, 'url' | 'admin' | 'keycloak'>
  log: Logger
  /** Drops what is remembered of a user's tokens. */
  forget: (userId: string) => void
  grants: GrantDeps
  starter: Omit<StarterDeps, 'roles'>
}

const againAfterMs = 5000

/** People, groups, roles and clients of a tenant's realm, and who may enter a deployed app. */
export function createIam(deps: IamDeps) {
  const { keycloak, config, log } = deps
  const roles = createRoles(keycloak)
  const apiClients = createApiClients(keycloak)
  const groups = createGroups(keycloak)
  let retry: NodeJS.Timeout | undefined

  async function prepare(realm: string, displayName: string): Promise<void> {
    try {
      await provision(deps, realm, displayName)
      apiClients.forget(realm)
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'iam.unreachable')) throw error
      log.warn({ err: error, realm }, 'the identity server cannot be reached; its realm is set up as soon as it can')
      retry = setTimeout(() => {
        prepare(realm, displayName).catch((problem: unknown) =>
          log.error({ err: problem, realm }, 'the realm cannot be set up'),
        )
      }, againAfterMs)
    }
  }

  return {
    account: createAccount(keycloak, deps.forget),
    users: createUsers(keycloak),
    groups,
    principals: createPrincipals(keycloak),
    roleWays: createRoleWays(keycloak, roles, groups),
    roles,
    clients: createClients(keycloak, roles, config.keycloak.publicUrl, deps.grants),
    /** Current facts about people and tokens from the identity server. */
    reads: createDirectoryReads(keycloak, apiClients, config.keycloak.url),
    tickets: createTickets(apiClients, config.keycloak.url),
    access: createAppAccess({
      keycloak,
      portalUrl: config.url,
      log,
      exclusive: deps.grants.exclusive,
      check: createStarterCheck({ ...deps.starter, roles }),
    }),
    /** Brings the realm of a tenant to what the portal needs; an identity server that is away is tried again. */
    prepare,
    close: () => clearTimeout(retry),
  }
}
export type Iam = ReturnType<typeof createIam>
