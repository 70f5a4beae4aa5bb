import { spaceTopics } from '@quayside/contract/spaces/topics'
import type { Manifest } from '../../platform/capability.ts'
import { clusterPlaces, spacePlaces } from './index.ts'
import { routes, type SpaceRoutes } from './routes.ts'

export const spaces = {
  name: 'spaces',
  topics: spaceTopics,
  places: { space: spacePlaces, cluster: clusterPlaces },
  routes,
} satisfies Manifest<SpaceRoutes>
