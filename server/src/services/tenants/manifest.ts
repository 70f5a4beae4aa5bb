import type { Manifest } from '../../platform/capability.ts'
import { steps } from './migrations.ts'
import { routes, type TenantRoutes } from './routes.ts'

export const tenants = {
  name: 'tenants',
  migrations: steps,
  routes,
} satisfies Manifest<TenantRoutes>
