import type { Manifest } from '../../platform/capability.ts'
import type { Clients } from './index.ts'
import { routes } from './routes.ts'

export const clients = {
  name: 'clients',
  routes,
} satisfies Manifest<Clients>
