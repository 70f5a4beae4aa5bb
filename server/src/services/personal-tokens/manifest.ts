import type { Auth } from '../../platform/auth/auth.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Permissions } from '../permissions/index.ts'
import type { SpaceRecord } from '../spaces/index.ts'
import type { Users } from '../users/index.ts'
import type { TokensInUse } from './in-use.ts'
import { createPersonalTokens, type PersonalTokenService } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { createTokenStore } from './store.ts'

interface Parts {
  db: Db
  jobs: Jobs
  auth: Auth
  tokensInUse: TokensInUse
  permissions: Permissions
  spaces: { record(tenantId: string, id: string): Promise<SpaceRecord | undefined> }
  users: { users: Pick<Users, 'represented'> }
  'personal-tokens': PersonalTokenService
}

export const personalTokens = {
  name: 'personal-tokens',
  migrations: steps,
  create: (parts) =>
    createPersonalTokens({
      store: createTokenStore(parts.db),
      inUse: parts.tokensInUse,
      rights: parts.permissions.rights,
      auth: parts.auth,
      people: parts.permissions.people,
      spaceName: async (tenantId, id) => (await parts.spaces.record(tenantId, id))?.displayName,
      mustBeUser: (realm, id) => parts.users.users.represented(realm, id),
    }),
  routes: (http, parts) => routes(http, parts['personal-tokens']),
  start: (parts) => parts['personal-tokens'].start(parts.jobs),
} satisfies Manifest<Parts>
