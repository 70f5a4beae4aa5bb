import { clusterTopics } from '@quayside/contract/clusters/topics'
import type { Manifest } from '../../platform/capability.ts'
import { steps } from './migrations.ts'
import { type ClusterRoutes, routes } from './routes.ts'

export const clusters = {
  name: 'clusters',
  migrations: steps,
  topics: clusterTopics,
  routes,
} satisfies Manifest<ClusterRoutes>
