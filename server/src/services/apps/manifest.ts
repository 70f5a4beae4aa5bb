import { appTopics } from '@quayside/contract/apps/topics'
import type { Manifest } from '../../platform/capability.ts'
import { appPlaces } from './index.ts'
import { type AppRoutes, routes } from './routes.ts'

export const apps = {
  name: 'apps',
  topics: appTopics,
  places: { app: appPlaces },
  routes,
} satisfies Manifest<AppRoutes>
