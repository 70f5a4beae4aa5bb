import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { AccessGroup } from '../ports.ts'
import { accessOfRevision, isSameAccess } from '../releases/revision-access.ts'

interface AccessChange {
  groups?: readonly AccessGroup[]
  /** Revision of a rollback, which brings back the groups that it let in. */
  revision?: number
}

/** Refuses a command by a personal token that changes which groups hold roles of an app: these outlive the token. */
export async function mustLeaveAccess(
  deps: DeploymentDeps,
  { tenantId, personalToken }: Pick<Actor, 'tenantId' | 'personalToken'>,
  appId: string,
  { groups = [], revision }: AccessChange,
  field?: string,
): Promise<void> {
  if (!personalToken) return
  const isChange = groups.length > 0 || (revision !== undefined && (await bringsBack(deps, tenantId, appId, revision)))
  if (!isChange) return
  const message = 'A personal token cannot change which groups may use an app. Sign in to the portal instead.'
  throw fail('auth.token-limits', { field, message })
}

async function bringsBack({ db }: DeploymentDeps, tenantId: string, appId: string, revision: number): Promise<boolean> {
  const then = await accessOfRevision(db, tenantId, appId, revision)
  const now = await accessOfRevision(db, tenantId, appId, 'newest')
  return then !== undefined && !(now && isSameAccess(then, now))
}
