import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import type { Manifest } from '../../platform/capability.ts'
import { createAccount, type PersonalAccount } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  auth: Auth
  account: PersonalAccount
}

export const account = {
  name: 'account',
  create: ({ keycloak, auth }) => createAccount(keycloak, auth.forget),
  routes: (http, { account }) => routes(http, account),
} satisfies Manifest<Parts>
