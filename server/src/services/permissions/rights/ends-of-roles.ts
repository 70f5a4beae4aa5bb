import type { Standing } from '../../directory/index.ts'

/**
 * Ends of the roles that somebody holds by nothing but roles which they were given for a while. It is worked out when it is
 * asked for: a role may get others into it, and another way to it may go, while somebody holds it.
 * @param roles every role of the person with the groups and roles between; roles of clients as `client:role`
 * @param given the roles that they were given for a while, each with its end
 */
export function endsOfRoles(roles: Standing['roles'], given: ReadonlyMap<string, Date>): Map<string, Date> {
  const ends = new Map<string, Date | null>()
  for (const { id, through } of roles) {
    const [first] = through
    const source = first === undefined ? id : first.kind === 'role' ? first.id : ''
    const end = given.get(source) ?? null
    const known = ends.get(id)
    ends.set(id, known === undefined ? end : later(known, end))
  }
  return new Map([...ends].flatMap(([id, end]) => (end === null ? [] : [[id, end] as const])))
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null
  return one > other ? one : other
}
