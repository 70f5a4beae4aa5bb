import { createAttempts } from '../../adapters/keycloak/attempts.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import { createUsers, type Users } from './index.ts'
import { createLockouts, type Lockouts } from './lockouts.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  keycloak: Keycloak
  users: { users: Users; lockouts: Lockouts }
}

export const users = {
  name: 'users',
  migrations: steps,
  create({ db, keycloak }) {
    const users = createUsers(keycloak)
    return { users, lockouts: createLockouts(db, createAttempts(keycloak), users) }
  },
  routes: (http, { users }) => routes(http, users),
} satisfies Manifest<Parts>
