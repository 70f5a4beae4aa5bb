import { spaceTopics } from '@quayside/contract/spaces/topics'
import type { Manifest } from '../../platform/capability.ts'
import { routes, type SpaceRoutes } from './routes.ts'
import { clusterPlaces, spacePlaces } from './store.ts'

export const spaces = {
  name: 'spaces',
  topics: spaceTopics,
  places: { space: spacePlaces, cluster: clusterPlaces },
  routes,
} satisfies Manifest<SpaceRoutes>
