import type { Actor } from '../auth/actor.ts'
import { fail } from './errors.ts'

/** A realm in a path can only be that of the tenant; any other one does not exist. */
export function mustBeOwnRealm(actor: Pick<Actor, 'realm'>, realm: string | undefined): void {
  if (realm !== undefined && realm !== actor.realm) throw fail('tenant.not-found', { field: 'realm' })
}
