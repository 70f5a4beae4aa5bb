import type { Manifest } from '../../platform/capability.ts'
import type { Roles } from './index.ts'
import { routes } from './routes.ts'

export const roles = {
  name: 'roles',
  routes,
} satisfies Manifest<Roles>
