import { permissionTopics } from '@quayside/contract/permissions/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Permissions } from './index.ts'
import { steps } from './migrations.ts'
import { requestPlaces } from './requests/request-store.ts'
import { routes } from './routes.ts'

export const permissions = {
  name: 'permissions',
  migrations: steps,
  topics: permissionTopics,
  places: { request: requestPlaces },
  routes,
} satisfies Manifest<Permissions>
