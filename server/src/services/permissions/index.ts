import type { PlaceKind } from '@quayside/contract/http/place'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Actor, Holder } from '../../platform/auth/actor.ts'
import type { PlaceQuery } from '../../platform/auth/places.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Holders, RoleWays, Standing } from '../directory/index.ts'
import { type ActivePrincipalsDeps, createActivePrincipals } from './members/active-principals.ts'
import { createEntries } from './members/entries.ts'
import { accessChannel, sweepEntries, tellAccess } from './members/entry-store.ts'
import { findHistory } from './members/history-store.ts'
import { createHoldsForGood } from './members/holding-now.ts'
import { createMembers } from './members/members.ts'
import { createNames, type Directory, type Names } from './members/names.ts'
import { spaceName } from './members/space-store.ts'
import { forgetRequests } from './requests/request-store.ts'
import { createRequests } from './requests/requests.ts'
import { createRoleGrants, type RoleGrantsDeps } from './requests/role-grants.ts'
import { createRoleRequests } from './requests/role-requests.ts'
import { createExplain } from './rights/explain.ts'
import { createGrantors } from './rights/grantors.ts'
import { createPeople } from './rights/people.ts'
import { createRights, type RightsMemory } from './rights/rights.ts'
import { createRightsStore } from './rights/rights-store.ts'
import { createSpaceRoles } from './roles/space-roles.ts'
import type { Tables } from './tables.ts'

export type { Entries } from './members/entries.ts'
export type { Judged, People } from './rights/people.ts'

/** People and spaces whose rights may have changed; with neither set, all of the tenant. */
interface AccessChange {
  tenantId: string
  spaceId?: string
  userId?: string
}

interface PermissionsDeps {
  db: Db
  changed: Live['changed']
  /** How the services find their things, to know in which space they lie. */
  places: Record<PlaceKind, PlaceQuery>
  directory: Directory &
    ActivePrincipalsDeps &
    Pick<RoleWays, 'standingOfGroup' | 'rolesOfGroups' | 'ofDefaultGroups'> & {
      standing(realm: string, userId: string): Promise<Standing | undefined>
      holdersOfAll(realm: string, roles: readonly string[]): Promise<Holders>
    }
  /** Tells whether the list of a cluster trusts what this account uploads. */
  isTrustedPublisher(tenantId: string, userId: string): Promise<boolean>
  /** How roles of the tenant are given at the identity server. */
  roleGranting: Omit<RoleGrantsDeps, 'db' | 'onChanged' | 'grantorNow'> & {
    /** The caller as the identity server knows them at this moment. */
    actorNow(token: string): Promise<Actor>
    /** Forgets what is remembered of a person. */
    forget(userId: string): void
  }
}

const sweepEveryMs = 2000
/** With the four seconds for which an answer of the identity server is remembered, a role ends within five. */
const roleSweepEveryMs = 1000

/** Permissions in spaces: lists of entries, roles, requests, and explanations of a person's rights. */
export async function createPermissions(deps: PermissionsDeps) {
  const { db, changed, directory } = deps
  const rights = createRights(createRightsStore(db), deps.places)
  const names = createNames(directory)
  const { actorNow, forget, ...granting } = deps.roleGranting
  const { grantorNow, endingRoles } = createGrantors({ db, actorNow, standing: directory.standing })
  const roles = createSpaceRoles(db, { grantorNow })
  const entries = createEntries({ db, grantorNow, names, active: createActivePrincipals(directory) })
  const listeners = new Set<(change: AccessChange) => void>()

  const tell = (change: AccessChange) => {
    rights.forget(change.tenantId)
    for (const listener of listeners) listener(change)
  }
  const rolesChanged = (change: AccessChange) => {
    if (change.userId !== undefined) forget(change.userId)
    tell(change)
  }
  const roleGrants = createRoleGrants({
    ...{ db, grantorNow, ...granting },
    onChanged: (tenantId, userId) => rolesChanged({ tenantId, userId }),
  })
  const stopListening = await db.listen(
    accessChannel,
    (note) => {
      const [tenantId = '', spaceId = ''] = note.split('|')
      tell({ tenantId, ...(spaceId ? { spaceId } : {}) })
    },
    () => rights.forget(),
  )

  return {
    rights,
    entries,
    roles,
    names,
    requests: createRequests({ db, entries, roles, names, changed }),
    roleRequests: createRoleRequests({ db, names, changed, grants: roleGrants }),
    members: createMembers({
      ...{ db, roles },
      person: async (realm, id) => (await directory.standing(realm, id))?.person,
      membersOf: directory.membersOf,
    }),
    people: createPeople({ ...deps, ...granting, grantorNow, rights, onChanged: rolesChanged }),
    explain: createExplain({ db, rights, roles, names, directory }).explain,
    history: (...args: Parameters<typeof findHistory> extends [Db, Names, ...infer Rest] ? Rest : never) =>
      findHistory(db, names, ...args),

    /** A caller with every scope everywhere passes the policy without a look-up, so the space may not exist. */
    async mustExist(tenantId: string, spaceId: string): Promise<void> {
      if ((await spaceName(db, tenantId, spaceId)) === undefined) throw fail('space.not-found')
    },

    /**
     * Called on every replica when rights may have changed: an entry was made, changed or taken away, has ended, a role
     * means something else now. Whatever hangs on rights is looked at then.
     */
    onAccessChanged(listener: (change: AccessChange) => void): void {
      listeners.add(listener)
    },
    grantorNow,
    endingRoles,
    holdsForGood: createHoldsForGood(db, grantorNow),
    /** For who knows that a person's roles or groups have changed. */
    accessChanged: tell,
    /** In the transaction that deletes a space: its list goes with it, and who was on it is told. */
    tellAccess,

    ...createQuestions(rights, directory),

    /** Takes what has ended off the lists, on one replica at a time. */
    start(jobs: Pick<Jobs, 'every'>): void {
      jobs.every(sweepEveryMs, () => db.platformOne<Tables, void>((trx) => sweepEntries(trx), accessChannel))
      jobs.every(roleSweepEveryMs, () => roleGrants.sweep())
      jobs.every(3_600_000, () => db.platformOne<Tables, void>((trx) => forgetRequests(trx)))
    },
    close: stopListening,
  }
}
export type Permissions = Awaited<ReturnType<typeof createPermissions>>

/** Questions of other services about one person in one space. */
function createQuestions(rights: RightsMemory, directory: Pick<PermissionsDeps['directory'], 'standing'>) {
  return {
    /** Tells whether somebody holds any of these scopes in a space, as the identity server and the list say now. */
    async holdsNow(
      realm: string,
      { tenantId, userId, spaceId }: { tenantId: string; userId: string; spaceId: string },
      anyOf: readonly Scope[],
    ): Promise<boolean> {
      const standing = await directory.standing(realm, userId)
      if (!standing?.isEnabled) return false
      const somebody: Holder = { tenantId, userId, ...rightsOf(standing) }
      const held = (await rights.at(somebody, 'space', [spaceId])).get(spaceId)
      return anyOf.some((scope) => held?.has(scope))
    },

    /** Tells whether somebody holds a role of the realm, or `client:role`, as the identity server says now. */
    async hasRoleNow(realm: string, userId: string, role: string): Promise<boolean> {
      const standing = await directory.standing(realm, userId)
      return standing?.isEnabled === true && standing.roles.some(({ id }) => id === role)
    },
  }
}

function rightsOf(standing: Standing) {
  const named = standing.roles.map(({ id }) => id)
  return {
    groupIds: new Set(standing.groups.map(({ id }) => id)),
    realmRoles: new Set(named.filter((name) => !name.includes(':'))),
    resourceRoles: new Set(named.filter((name) => name.includes(':'))),
  }
}
