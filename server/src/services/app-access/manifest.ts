import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { StandingOf } from '../../platform/auth/standing.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Permissions } from '../permissions/index.ts'
import { createAppAccess } from './index.ts'
import { createStarterCheck, type StarterDeps } from './starter.ts'

interface Parts {
  keycloak: Keycloak
  config: Config
  log: Logger
  exclusive: Exclusive
  standing: StandingOf
  permissions: Permissions
  apps: Apps
}

export const appAccess = {
  name: 'app-access',
  create({ keycloak, config, log, exclusive, standing, permissions, apps }) {
    /** By the roles of the tenant and the list of the app's space, as both are now. */
    const mayDeploy: StarterDeps['mayDeploy'] = async (person, { tenantId, appId }) => {
      const app = await apps.record(tenantId, appId)
      const found = app && (await permissions.rights.at({ ...person, tenantId }, 'space', [app.spaceId]))
      const held = found?.get(app?.spaceId ?? '')
      return held?.has('space.deploy') === true || held?.has('app.manage') === true
    }
    const roles = createRealmRoles(keycloak)
    const { endingRoles } = permissions
    const check = createStarterCheck({ readNow: standing.readNow, mayDeploy, roles, endingRoles })
    return createAppAccess({ keycloak, portalUrl: config.url, log, exclusive, check })
  },
} satisfies Manifest<Parts>
