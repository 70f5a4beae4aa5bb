import { catalogTopics } from '@quayside/contract/catalog/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Catalog } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

export const catalog = {
  name: 'catalog',
  migrations: steps,
  topics: catalogTopics,
  routes,
} satisfies Manifest<Catalog>
