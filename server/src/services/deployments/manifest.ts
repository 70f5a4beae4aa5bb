import { deploymentTopics } from '@quayside/contract/deployments/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Deployments } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { actionPlaces } from './store.ts'
import { presetPlaces } from './values/preset-store.ts'

export const deployments = {
  name: 'deployments',
  migrations: steps,
  topics: deploymentTopics,
  places: { action: actionPlaces, preset: presetPlaces },
  routes,
} satisfies Manifest<Deployments>
