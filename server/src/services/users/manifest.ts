import type { Manifest } from '../../platform/capability.ts'
import type { Users } from './index.ts'
import { routes } from './routes.ts'

export const users = {
  name: 'users',
  routes,
} satisfies Manifest<Users>
