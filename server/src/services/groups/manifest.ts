import type { Manifest } from '../../platform/capability.ts'
import type { Groups } from './index.ts'
import { routes } from './routes.ts'

export const groups = {
  name: 'groups',
  routes,
} satisfies Manifest<Groups>
