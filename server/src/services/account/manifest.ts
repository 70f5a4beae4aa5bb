import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Auth } from '../../platform/auth/auth.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import { createAccount, type PersonalAccount } from './index.ts'
import { createLinkedIdentities, type LinkedIdentities } from './linked-identities.ts'
import { createOwnAccount, type OwnAccount } from './own-account.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  auth: Auth
  exclusive: Exclusive
  account: { account: PersonalAccount; own: OwnAccount; links: LinkedIdentities }
}

export const account = {
  name: 'account',
  create({ keycloak, auth, exclusive }) {
    const account = createAccount(keycloak, auth.forget)
    return {
      account,
      own: createOwnAccount(keycloak, account, exclusive),
      links: createLinkedIdentities(keycloak, exclusive),
    }
  },
  routes: (http, { account }) => routes(http, account),
} satisfies Manifest<Parts>
