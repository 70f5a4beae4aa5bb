import { createAttempts } from '../../adapters/keycloak/attempts.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Permissions } from '../permissions/index.ts'
import { type ActionMail, createActionMail } from './action-mail.ts'
import { createUserAdministration, type UserAdministration } from './administration.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { createUsers, type Users } from './index.ts'
import { createLockouts, type Lockouts } from './lockouts.ts'
import { createMemberships, type Memberships } from './memberships.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { createUserSessions, type UserSessions } from './sessions.ts'

interface Parts {
  db: Db
  keycloak: Keycloak
  permissions: Permissions
  users: {
    users: Users
    administration: UserAdministration
    memberships: Memberships
    credentials: Credentials
    actionMail: ActionMail
    sessions: UserSessions
    lockouts: Lockouts
  }
}

export const users = {
  name: 'users',
  migrations: steps,
  create({ db, keycloak, permissions: { people } }) {
    const users = createUsers(keycloak)
    return {
      users,
      administration: createUserAdministration(keycloak, users, people),
      memberships: createMemberships(keycloak, users, people),
      credentials: createCredentials(keycloak, users, people),
      actionMail: createActionMail(keycloak, users, people),
      sessions: createUserSessions(keycloak, users, people),
      lockouts: createLockouts(db, createAttempts(keycloak), users, people),
    }
  },
  routes: (http, { users }) => routes(http, users),
} satisfies Manifest<Parts>
