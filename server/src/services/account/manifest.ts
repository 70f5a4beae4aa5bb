import type { Manifest } from '../../platform/capability.ts'
import type { PersonalAccount } from './index.ts'
import { routes } from './routes.ts'

export const account = {
  name: 'account',
  routes,
} satisfies Manifest<PersonalAccount>
