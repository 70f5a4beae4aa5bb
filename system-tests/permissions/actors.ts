import { allRoles, type RoleRef, realmRoles, roleName } from '@quayside/contract/permissions/roles'
import { ownerScopes, type Scope, scopesOfTenantRole, spaceRoles } from '@quayside/contract/permissions/scopes'
import { portalAudience } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import type { World } from '@quayside/embedded/world'
import type { Holds } from './expected.ts'
import type { Person, Tenant } from './two-teams.ts'

/** Somebody with a token that is worth something here. */
export interface Actor {
  name: string
  token: string
  holds: Holds
}

type Realm = keyof typeof realmRoles

/** Roles and scopes that a realm role and scopes of a list give, by the tables of the contract. */
export function holdsOf(
  realmRole: Realm,
  here: readonly Scope[] = [],
  elsewhere: readonly Scope[] = [],
  more: { section: string; roles: readonly string[] } = { section: '', roles: [] },
): Holds {
  const isMore = ({ section, role }: RoleRef) => section === more.section && more.roles.includes(role)
  const refs = allRoles.filter((ref) => realmRoles[realmRole].holds(ref) || isMore(ref))
  const everywhere = refs.flatMap((ref) => [...scopesOfTenantRole(ref)])
  return {
    roles: new Set(refs.map(roleName)),
    here: new Set([...everywhere, ...here]),
    anywhere: new Set([...everywhere, ...here, ...elsewhere]),
  }
}

/** Roles on the client of a section, and nothing else: a role that a tenant has made for whoever looks after clusters. */
export const looksAtClusters = {
  section: 'clusters',
  roles: ['access', 'clusters.view', 'clusters.events.view'],
} as const

export const managing: readonly Scope[] = [...spaceRoles.manager.scopes, ...ownerScopes]

/** Tokens that open nothing, by what is wrong with them. */
export async function worthlessTokens(world: World, expiring: string): Promise<Record<string, string | undefined>> {
  const directory = await world.directory()
  const redirectUri = 'http://elsewhere.example/back'
  const shop = { clientId: 'shop', publicClient: true, redirectUris: [redirectUri], protocolMappers: [portalAudience] }
  await directory.post('/clients', shop)
  const boss = await world.personWith({ realmRoles: ['quayside-admin'] })
  const [own, foreign] = await Promise.all([
    signInAsPerson(world, boss),
    signInAsPerson(world, boss, { clientId: 'shop', redirectUri }),
  ])
  return {
    'no token': undefined,
    'an expired token': await refusedAtLast(world, expiring),
    'a revoked token': await revoked(world),
    'an identity token': own.id_token,
    "a foreign client's token": foreign.access_token,
  }
}

/** A token of an administrator that is valid for one second. Other tokens issued meanwhile are so too. */
export async function shortLived(world: World): Promise<string> {
  const directory = await world.directory()
  const realm = await directory.get<object>('')
  await directory.put('', { ...realm, accessTokenLifespan: 1 })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  await directory.put('', realm)
  return token
}

/** A token of an administrator's script that was deleted. */
async function revoked(world: World): Promise<string> {
  const directory = await world.directory()
  const before = new Set((await directory.get<{ id: string }[]>('/clients')).map(({ id }) => id))
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const made = (await directory.get<{ id: string }[]>('/clients')).filter(({ id }) => !before.has(id))
  for (const { id } of made) await directory.remove(`/clients/${id}`)
  return refusedAtLast(world, token)
}

async function refusedAtLast(world: World, token: string): Promise<string> {
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    if ((await world.api('/iam/v2/account', { token })).status === 401) return token
    await new Promise((next) => setTimeout(next, 200))
  }
  throw new Error('the token is still taken')
}

/** The administrator of another tenant, which another portal process has made. */
export async function foreignAdmin(world: World): Promise<string> {
  const replica = await world.addReplica({ realm: 'abroad' })
  await replica.close()
  return world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] })
}

/** Somebody in a team with a role that the tenant has made of these scopes. */
export async function roleOf(tenant: Tenant, name: string, scopes: readonly Scope[]): Promise<string> {
  const made = await tenant.admin.good<{ id: string }>('/portal-api/v3/space-roles', { body: { name, scopes } })
  return made.id
}

export const entryFor = ({ id }: Person, role: string) => ({ principal: { type: 'user', id } as const, role })
