import type { SpaceMember, Way } from '@quayside/contract/permissions/endpoints'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { PrincipalMember } from '../../directory/index.ts'
import { everywhereByName, type ListedGrant, scopesOfWays, waysEverywhere, wayThrough } from '../rights/ways.ts'
import type { SpaceRoles } from '../roles/space-roles.ts'
import type { Tables } from '../tables.ts'
import { type EntryRow, entriesOf } from './entry-store.ts'
import { principalOf } from './principals.ts'

interface MembersDeps {
  db: Db
  roles: SpaceRoles
  person(realm: string, id: string): Promise<PrincipalMember['person'] | undefined>
  membersOf(
    realm: string,
    wanted: { groups: readonly string[]; roles: readonly string[] },
  ): Promise<Map<string, PrincipalMember[]>>
}

const mostMembers = 1000

/** Everybody who may do something in a space: by its list, also through groups and roles, and by roles of the tenant. */
export function createMembers({ db, roles, person, membersOf }: MembersDeps) {
  return {
    async list(actor: Actor, spaceId: string): Promise<{ data: SpaceMember[]; isCut: boolean }> {
      const [rows, all] = await Promise.all([
        db.tenant<Tables, EntryRow[]>(actor.tenantId, (trx) => entriesOf(trx, spaceId)),
        roles.list(actor.tenantId),
      ])
      const grants = rows.map(
        ({ id, principal, role, scopes, owner, expires_at }): ListedGrant => ({
          ...{ id, principal, role, scopes, owner, expiresAt: expires_at },
          roleName: all.find((each) => each.id === role)?.name ?? role,
        }),
      )
      const named = (type: 'user' | 'group' | 'role') =>
        grants.map(({ principal }) => principalOf(principal)).flatMap((each) => (each.type === type ? [each.id] : []))
      const [people, found] = await Promise.all([
        Promise.all([...new Set(named('user'))].map((id) => person(actor.realm, id))),
        membersOf(actor.realm, { groups: named('group'), roles: [...named('role'), ...everywhereByName.keys()] }),
      ])
      const members = gather(
        grants,
        people.flatMap((one) => one ?? []),
        found,
      )
      return { data: members.slice(0, mostMembers), isCut: members.length > mostMembers }
    },
  }
}
type Person = PrincipalMember['person']

/** Puts the ways of each person together, those who may do the most first. */
function gather(
  grants: readonly ListedGrant[],
  people: readonly Person[],
  byPrincipal: ReadonlyMap<string, readonly PrincipalMember[]>,
): SpaceMember[] {
  const found = new Map<string, { person: Person; ways: Way[] }>()
  const add = (person: Person, ways: Way[]) => {
    const known = found.get(person.id) ?? { person, ways: [] }
    known.ways.push(...ways)
    found.set(person.id, known)
  }
  const start = ({ id, name }: Person) => ({ kind: 'user', id, name }) as const
  for (const grant of grants) {
    const { type, id } = principalOf(grant.principal)
    const direct = type === 'user' ? people.find((one) => one.id === id) : undefined
    if (direct) add(direct, [wayThrough(grant, [start(direct)])])
    if (type === 'user') continue
    const last = type === 'role' ? [{ kind: 'role', id, name: id.slice(id.indexOf(':') + 1) } as const] : []
    for (const { person, through } of byPrincipal.get(id) ?? [])
      add(person, [wayThrough(grant, [start(person), ...through, ...last])])
  }
  for (const id of everywhereByName.keys())
    for (const { person, through } of byPrincipal.get(id) ?? [])
      add(person, waysEverywhere(start(person), [{ id, through }]))
  return [...found.values()]
    .map(({ person: { id, username, name }, ways }) => ({
      person: { id, username, name },
      scopes: scopesOfWays(ways),
      owner: ways.some(({ steps }) => steps.some(({ kind }) => kind === 'owner')),
      ways,
    }))
    .sort((a, b) => b.scopes.length - a.scopes.length || a.person.name.localeCompare(b.person.name))
}
