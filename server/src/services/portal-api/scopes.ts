import type { Section } from '@quayside/contract/roles'
import { type Actor, holds } from '../../kernel/actor.ts'

/** What a scope of a space stands on: the role that gives it. */
const grants = {
  'space.view': ['spaces', 'access'],
  'space.edit': ['apps', 'apps.create'],
  'space.deploy': ['catalog-apps', 'catalog.deploy'],
  'app.view': ['apps', 'access'],
  'app.manage': ['catalog-apps', 'catalog.deployments.manage'],
} as const satisfies Record<string, readonly [Section, string]>

export const allScopes = Object.keys(grants) as (keyof typeof grants)[]

export function scopesOf(actor: Actor): string[] {
  return allScopes.filter((scope) => {
    const [section, role] = grants[scope]
    return holds(actor, section, role)
  })
}
