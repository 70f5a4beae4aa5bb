import type { Section } from '@quayside/contract/roles'
import { type Actor, holds } from './actor.ts'
import { fail } from './errors.ts'

/** Who may make a call. Every endpoint has one, or the build fails. */
export type Policy =
  | { kind: 'public' }
  | { kind: 'signed-in' }
  | { kind: 'role'; anyOf: readonly { section: Section; role: string }[] }

export const anyone: Policy = { kind: 'public' }
export const signedIn: Policy = { kind: 'signed-in' }

/** The caller holds the role on the section's client; more pairs mean any of them. */
export function role(section: Section, name: string, ...more: { section: Section; role: string }[]): Policy {
  return { kind: 'role', anyOf: [{ section, role: name }, ...more] }
}

export function allows(policy: Policy, actor: Actor): boolean {
  return policy.kind !== 'role' || policy.anyOf.some(({ section, role: name }) => holds(actor, section, name))
}

/** For what only the thing that is asked for decides: refused unless the caller holds the role. */
export function mustHold(actor: Actor, section: Section, name: string): void {
  if (!holds(actor, section, name)) throw fail('auth.forbidden', { details: { needs: [name] } })
}

/** A policy for each key of a contract table: a missing key does not compile. */
export type Policies<E> = { readonly [K in keyof E]: Policy }
