import { missingScope, type Scope, scopes } from '@quayside/contract/permissions/scopes'

const ordered = (held: ReadonlySet<Scope>) => scopes.filter((scope) => held.has(scope))

/** The scopes with one more, and with all that it is of no use without. */
export function withScope(chosen: readonly Scope[], scope: Scope): Scope[] {
  const held = new Set<Scope>([...chosen, scope])
  for (let missing = missingScope([...held]); missing !== undefined; missing = missingScope([...held]))
    held.add(missing.needs)
  return ordered(held)
}

/** The scopes without one, and without all that is of no use without it. */
export function withoutScope(chosen: readonly Scope[], scope: Scope): Scope[] {
  const held = new Set(chosen)
  held.delete(scope)
  for (let missing = missingScope([...held]); missing !== undefined; missing = missingScope([...held]))
    held.delete(missing.scope)
  return ordered(held)
}
