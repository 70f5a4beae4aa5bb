import type { PlaceKind } from '@quayside/contract/http/place'
import { permissionTopics } from '@quayside/contract/permissions/topics'
import type { PlaceQuery } from '../../platform/auth/places.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Directory } from '../directory/index.ts'
import { createPermissions, type Permissions } from './index.ts'
import { steps } from './migrations.ts'
import { requestPlaces } from './requests/request-store.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  jobs: Jobs
  live: Live
  places: Readonly<Record<PlaceKind, PlaceQuery>>
  directory: Directory
  permissions: Permissions
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
      directory: { ...parts.directory.principals, ...parts.directory.roleWays, person: parts.directory.reads.person },
    }),
  routes: (http, { permissions }) => routes(http, permissions),
  start({ permissions, live, jobs }) {
    permissions.onAccessChanged(({ tenantId }) => void live.accessChanged(tenantId))
    permissions.start(jobs)
  },
  close: ({ permissions }) => permissions.close(),
} satisfies Manifest<Parts>
