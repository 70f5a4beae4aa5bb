import type { Keycloak } from '../../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../../adapters/keycloak/realm-roles.ts'
import type { Standing } from '../../../platform/auth/standing.ts'
import { createLogger } from '../../../platform/logging/logger.ts'
import { createAppAccess } from '../index.ts'
import { createStarterCheck } from '../starter.ts'

/** The access of deployed apps at an identity server; nobody else hands out rights there. */
export function appAccessFor(
  keycloak: Keycloak,
  { portalUrl = 'http://portal.example', standing }: { portalUrl?: string; standing?: () => Standing | undefined } = {},
) {
  const roles = createRealmRoles(keycloak)
  const readNow = async () => standing?.()
  return createAppAccess({
    keycloak,
    portalUrl,
    log: createLogger('silent'),
    exclusive: (_, work) => work(async () => undefined),
    check: createStarterCheck({
      endingRoles: async () => new Map(),
      readNow,
      mayDeploy: async ({ resourceRoles }) => resourceRoles.has('deploy'),
      roles,
    }),
  })
}
