import type { HeldRoles } from './standing.ts'

/** Roles as tokens and answers about tokens carry them. */
export interface RoleClaims {
  realm_access?: { roles?: string[] }
  resource_access?: Record<string, { roles?: string[] }>
}

/** Roles as tokens name them, in one set each. */
export function rolesSaid({ realm_access, resource_access }: RoleClaims): HeldRoles {
  const resourceRoles = new Set<string>()
  for (const [client, access] of Object.entries(resource_access ?? {}))
    for (const name of access.roles ?? []) resourceRoles.add(`${client}:${name}`)
  return { realmRoles: new Set(realm_access?.roles ?? []), resourceRoles }
}
