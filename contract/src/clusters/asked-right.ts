import type { Scope } from '../permissions/scopes.ts'

/**
 * The right that deploying asks for in a space where an app holds rights on the whole cluster: a scope there, or a role
 * of the tenant (`role` of the realm, or `client:role`).
 */
export type AskedRight = { type: 'scope'; id: AskedScope } | { type: 'role'; id: string }

/** Scopes that an approval may name, the usual one first; each is held by fewer than those who may deploy. */
export const askedScopes = [
  'space.deploy.elevated',
  'space.members',
  'space.delete',
] as const satisfies readonly Scope[]
type AskedScope = (typeof askedScopes)[number]

/** Asked for where no approval names another right. */
export const usualRight: AskedRight = { type: 'scope', id: 'space.deploy.elevated' }

export const rightInWords = ({ type, id }: AskedRight): string => (type === 'scope' ? id : `the role ${id}`)

/** Each right once; all of them are needed. */
export function withoutRepeats(rights: readonly AskedRight[]): AskedRight[] {
  return [...new Map(rights.map((right) => [`${right.type} ${right.id}`, right])).values()]
}
