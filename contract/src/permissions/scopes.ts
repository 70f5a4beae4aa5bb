import { allRoles, type RoleOf, type RoleRef, roleName, type Section } from './roles.ts'

/** Scopes of a space, each with the words that screens use for it. */
export const scopeTexts = {
  'space.view': 'See the space, its clusters and its members',
  'space.edit': 'Change the name, the description and the clusters of the space, and freeze deployments in it',
  'space.delete': 'Delete the space',
  'space.members': 'Change who may do what in the space, and answer requests for access',
  'space.deploy': 'Assign and deploy apps',
  'space.deploy.elevated': 'Deploy where an app holds rights on the whole cluster',
  'app.view': 'See apps, what runs of them, their logs and revisions',
  'app.manage': 'Upgrade, roll back, repair and delete apps, change their texts and tags, delete pods',
  'app.secrets': 'See manifests of Secrets and the environment of pods',
} as const
export type Scope = keyof typeof scopeTexts
export const scopes = Object.keys(scopeTexts) as Scope[]

/** Nobody does something where they see nothing: what a scope is of no use without. */
const needed: Partial<Record<Scope, readonly Scope[]>> = {
  'space.edit': ['space.view'],
  'space.delete': ['space.view'],
  'space.members': ['space.view'],
  'space.deploy': ['space.view', 'app.view'],
  'space.deploy.elevated': ['space.view', 'app.view', 'space.deploy'],
  'app.view': ['space.view'],
  'app.manage': ['space.view', 'app.view'],
  'app.secrets': ['space.view', 'app.view'],
}

/** The first scope that these are of no use without, and which of them needs it; undefined when none is missing. */
export function missingScope(held: readonly Scope[]): { scope: Scope; needs: Scope } | undefined {
  for (const scope of held) for (const needs of needed[scope] ?? []) if (!held.includes(needs)) return { scope, needs }
  return undefined
}

const viewer = ['space.view', 'app.view'] as const satisfies readonly Scope[]
const deployer = [...viewer, 'space.deploy', 'app.manage', 'app.secrets'] as const satisfies readonly Scope[]

/** The roles that every tenant has in its spaces; a tenant may define more. `space.deploy.elevated` is in none of them. */
export const spaceRoles = {
  viewer: { name: 'Viewer', description: 'Sees the space and its apps', scopes: viewer },
  deployer: { name: 'Deployer', description: 'Deploys and operates the apps of the space', scopes: deployer },
  manager: {
    name: 'Manager',
    description: 'Deploys, changes the space, and decides who may do what in it',
    scopes: [...deployer, 'space.edit', 'space.members'],
  },
} as const satisfies Record<string, { name: string; description: string; scopes: readonly Scope[] }>
export type BuiltInRole = keyof typeof spaceRoles
/** Scopes that an owner holds besides the role, so that a space always has somebody who can manage it. */
export const ownerScopes: readonly Scope[] = ['space.view', 'space.edit', 'space.members', 'space.delete']

/** Scopes that roles of the tenant give in every space. A role that is not named here gives none. */
const tenantRoleScopes: { readonly [S in Section]?: { readonly [R in RoleOf<S>]?: readonly Scope[] } } = {
  'catalog-apps': {
    'catalog.deployments.view': ['space.view', 'app.view'],
    'catalog.deploy': ['space.view', 'app.view', 'space.deploy'],
    'catalog.deployments.manage': ['space.view', 'app.view', 'app.manage', 'app.secrets'],
  },
  spaces: { 'spaces.manage': ['space.view', 'space.edit', 'space.members', 'space.delete'] },
  clusters: { 'clusters.edit': ['space.deploy.elevated'] },
}

export function scopesOfTenantRole({ section, role }: RoleRef): readonly Scope[] {
  const ofSection = tenantRoleScopes[section] as Record<string, readonly Scope[]> | undefined
  return ofSection?.[role] ?? []
}

/** The roles of the tenant that give scopes in every space. */
export const rolesEverywhere: readonly RoleRef[] = allRoles.filter((ref) => scopesOfTenantRole(ref).length > 0)

const byName = new Map(rolesEverywhere.map((ref) => [roleName(ref), scopesOfTenantRole(ref)]))

/** Scopes that resource roles, named as `client:role`, give in every space. */
export function scopesEverywhere(resourceRoles: Iterable<string>): Set<Scope> {
  const held = new Set<Scope>()
  for (const name of resourceRoles) for (const scope of byName.get(name) ?? []) held.add(scope)
  return held
}
