import { appTopics } from '@quayside/contract/apps/topics'
import type { Manifest } from '../../platform/capability.ts'
import { type AppRoutes, routes } from './routes.ts'
import { appPlaces } from './store.ts'

export const apps = {
  name: 'apps',
  topics: appTopics,
  places: { app: appPlaces },
  routes,
} satisfies Manifest<AppRoutes>
