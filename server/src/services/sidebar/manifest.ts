import { sidebarTopics } from '@quayside/contract/sidebar/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Sidebar } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

export const sidebar = {
  name: 'sidebar',
  migrations: steps,
  topics: sidebarTopics,
  routes,
} satisfies Manifest<Sidebar>
