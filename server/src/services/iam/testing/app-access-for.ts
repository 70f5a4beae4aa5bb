import type { Keycloak } from '../../../adapters/keycloak/keycloak.ts'
import { createLogger } from '../../../kernel/logger.ts'
import type { Standing } from '../../../kernel/standing.ts'
import { createAppAccess } from '../app-access.ts'
import { createRoles } from '../roles.ts'
import { createStarterCheck } from '../starter.ts'

/** The access of deployed apps at an identity server; nobody else hands out rights there. */
export function appAccessFor(
  keycloak: Keycloak,
  { portalUrl = 'http://portal.example', standing }: { portalUrl?: string; standing?: () => Standing | undefined } = {},
) {
  const roles = createRoles(keycloak)
  const readNow = async () => standing?.()
  return createAppAccess({
    keycloak,
    portalUrl,
    log: createLogger('silent'),
    exclusive: (_, work) => work(async () => undefined),
    check: createStarterCheck({
      readNow,
      mayDeploy: async ({ resourceRoles }) => resourceRoles.has('deploy'),
      roles,
    }),
  })
}
