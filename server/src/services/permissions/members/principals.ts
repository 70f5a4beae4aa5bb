import type { Holder } from '../../../platform/auth/actor.ts'

/** Every name by which an entry of a list can mean the caller: the person, their groups, their roles. */
export function principalsOf(actor: Omit<Holder, 'tenantId'>): string[] {
  // A role of the realm that is called as one of a client would be taken for it.
  const realmRoles = [...actor.realmRoles].filter((name) => !name.includes(':'))
  return [
    `user:${actor.userId}`,
    ...[...actor.groupIds].map((id) => `group:${id}`),
    ...[...realmRoles, ...actor.resourceRoles].map((name) => `role:${name}`),
  ].sort()
}

/** A principal as its list keeps it. */
export function keyOf({ type, id }: { type: 'user' | 'group' | 'role'; id: string }): string {
  return `${type}:${id}`
}

export function principalOf(key: string): { type: 'user' | 'group' | 'role'; id: string } {
  const at = key.indexOf(':')
  return { type: key.slice(0, at) as 'user', id: key.slice(at + 1) }
}
