import { spaceTopics } from '@quayside/contract/spaces/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Permissions } from '../permissions/index.ts'
import { createSpaces } from './index.ts'
import { steps } from './migrations.ts'
import { routes, type SpaceRoutes } from './routes.ts'
import { clusterPlaces, spacePlaces } from './store.ts'

interface Parts extends SpaceRoutes {
  db: Db
  permissions: Permissions
  clusters: Clusters
}

export const spaces = {
  name: 'spaces',
  migrations: steps,
  topics: spaceTopics,
  places: { space: spacePlaces, cluster: clusterPlaces },
  create: (parts) =>
    createSpaces(parts.db, {
      rights: parts.permissions.rights,
      permissions: parts.permissions.entries,
      nameOf: async (realm, id) => (await parts.permissions.names.of(realm, { type: 'user', id }))?.name,
      clusterNames: (tenantId) => parts.clusters.names(tenantId),
      async onRemove(work, tenantId, spaceId) {
        await parts.deployments.forgetPresets(work, spaceId)
        await parts.clusters.endKubeconfigs(work, { spaceId })
        await parts.permissions.tellAccess(work, tenantId, spaceId)
      },
      async onLeave(work, place) {
        await parts.clusters.endKubeconfigs(work, place)
        await parts.clusters.endIsolation(work, place)
      },
      leaving: (work, spaceId) => parts.deployments.leaving(work, spaceId),
    }),
  routes,
} satisfies Manifest<Parts>
