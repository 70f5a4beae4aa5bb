import { deploymentTopics } from '@quayside/contract/deployments/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { AppAccess } from '../app-access/index.ts'
import type { Permissions } from '../permissions/index.ts'
import type { Tenants } from '../tenants/index.ts'
import { inputPlace, preparedPlace } from './commands/command-input.ts'
import type { DeploymentDeps } from './deps.ts'
import { createDeployments, type Deployments } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { actionPlaces } from './store.ts'
import { presetPlaces } from './values/preset-store.ts'

interface Parts extends Omit<DeploymentDeps, 'access' | 'rights' | 'mayStill' | 'hasRole' | 'areTenantsSeveral'> {
  tenants: Tenants
  permissions: Permissions
  'app-access': AppAccess
  deployments: Deployments
}

export const deployments = {
  name: 'deployments',
  migrations: steps,
  sealed: [
    { table: 'action', column: 'input', place: inputPlace },
    { table: 'action', column: 'prepared', place: preparedPlace },
  ],
  topics: deploymentTopics,
  places: { action: actionPlaces, preset: presetPlaces },
  create(parts) {
    const { tenants, permissions, 'app-access': access } = parts
    const { db, config, log, encryption, jobs, live, helm, catalog, spaces, apps, sidebar, clusters } = parts
    return createDeployments({
      ...{ db, config, log, encryption, jobs, live, helm, catalog, spaces, apps, sidebar, clusters, access },
      rights: permissions.rights,
      async mayStill(who, anyOf) {
        const realm = await tenants.realmOf(who.tenantId)
        return realm !== undefined && permissions.holdsNow(realm, who, anyOf)
      },
      areTenantsSeveral: tenants.areSeveral,
      async hasRole({ tenantId, userId }, role) {
        const realm = await tenants.realmOf(tenantId)
        return realm !== undefined && permissions.hasRoleNow(realm, userId, role)
      },
    })
  },
  routes: (http, { deployments }) => routes(http, deployments),
  start: ({ deployments }) => deployments.start(),
  drain: ({ deployments }, maxWaitMs) => deployments.drain(maxWaitMs),
  close: ({ deployments }) => deployments.close(),
} satisfies Manifest<Parts>
