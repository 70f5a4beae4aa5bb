import type { PlaceKind } from '@quayside/contract/http/place'
import { permissionTopics } from '@quayside/contract/permissions/topics'
import { createClientRoles } from '../../adapters/keycloak/client-roles.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import type { PlaceQuery } from '../../platform/auth/places.ts'
import type { StandingOf } from '../../platform/auth/standing.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Directory } from '../directory/index.ts'
import type { Tenants } from '../tenants/index.ts'
import { createPermissions, type Permissions } from './index.ts'
import { steps } from './migrations.ts'
import { requestPlaces } from './requests/request-store.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  log: Logger
  jobs: Jobs
  live: Live
  places: Readonly<Record<PlaceKind, PlaceQuery>>
  directory: Directory
  exclusive: Exclusive
  keycloak: Keycloak
  auth: Auth
  standing: StandingOf
  tenants: Tenants
  permissions: Permissions
  clusters: Clusters
}

export const permissions = {
  name: 'permissions',
  migrations: steps,
  topics: permissionTopics,
  places: { request: requestPlaces },
  create: (parts) =>
    createPermissions({
      db: parts.db,
      changed: (...note) => parts.live.changed(...note),
      places: parts.places,
      isTrustedPublisher: (...about) => parts.clusters.outside.rules.trusts(...about),
      directory: {
        ...parts.directory.principals,
        ...parts.directory.roleWays,
        holdersOfAll: parts.directory.holdersOfAll,
        person: parts.directory.reads.person,
      },
      roleGranting: {
        log: parts.log,
        exclusive: parts.exclusive,
        clientRoles: createClientRoles(parts.keycloak, createRealmRoles(parts.keycloak)),
        actorNow: parts.auth.actorNow,
        isActive: async (realm, userId) => (await parts.standing.readNow(realm, userId)) !== undefined,
        realmOf: (tenantId) => parts.tenants.realmOf(tenantId),
        forget: parts.auth.forget,
      },
    }),
  routes: (http, { permissions }) => routes(http, permissions),
  start({ permissions, live, jobs }) {
    permissions.onAccessChanged(({ tenantId }) => void live.accessChanged(tenantId))
    permissions.start(jobs)
  },
  close: ({ permissions }) => permissions.close(),
} satisfies Manifest<Parts>
