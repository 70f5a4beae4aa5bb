import type { Manifest } from '../../platform/capability.ts'
import type { Users } from './index.ts'
import type { Lockouts } from './lockouts.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

export const users = {
  name: 'users',
  migrations: steps,
  routes,
} satisfies Manifest<{ users: Users; lockouts: Lockouts }>
