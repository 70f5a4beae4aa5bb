import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import { createTenants } from './index.ts'
import { steps } from './migrations.ts'
import { routes, type TenantRoutes } from './routes.ts'

interface Parts extends TenantRoutes {
  db: Db
}

export const tenants = {
  name: 'tenants',
  migrations: steps,
  create: ({ db }) => createTenants(db),
  routes,
} satisfies Manifest<Parts>
