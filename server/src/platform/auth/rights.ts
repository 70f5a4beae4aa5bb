import type { PlaceKind } from '@quayside/contract/http/place'
import type { RoleRef } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { RawBuilder, SqlBool } from 'kysely'
import { type Failure, fail } from '../http/errors.ts'
import type { Holder } from './actor.ts'

/** Keeps the rows whose space the caller holds a scope in; it is given the column with the id of the space. */
export type SpaceCondition = (column: string) => RawBuilder<SqlBool>

/** Rights in spaces: from roles of the tenant, which hold in every space, and from each space's own permission list. */
export interface Rights {
  /** The scopes that the caller holds in every space. */
  everywhere(actor: Holder): ReadonlySet<Scope>
  /**
   * The caller's scopes where each of these things is, by its id. What they cannot see is left out, as is what is not
   * there.
   */
  at(actor: Holder, kind: PlaceKind, ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<Scope>>>
  /** Where a thing lies that the caller sees, and what they hold there. */
  find(
    actor: Holder,
    kind: PlaceKind,
    id: string,
  ): Promise<{ spaceId: string | null; scopes: ReadonlySet<Scope> } | undefined>
  /** Tells whether the caller holds any of these scopes in at least one space. */
  isSomewhere(actor: Holder, anyOf: readonly Scope[]): Promise<boolean>
  /** For rows of spaces in which the caller holds the scope; undefined: they hold it in every space. */
  condition(actor: Holder, scope: Scope): SpaceCondition | undefined
  /** The permissions that the space's list gives the caller, as SQL; `column` holds the id of the space. */
  granted(actor: Holder, column: string): RawBuilder<unknown>
  /** The caller's scopes in a space, from what `granted` has read. */
  scopesFrom(actor: Holder, granted: unknown): Scope[]
  /**
   * Tells whether the caller holds a scope in a space, from memory, a few seconds old at most: for what is sent rather
   * than asked for.
   */
  mayHear(actor: Holder, spaceId: string | null, scope: Scope): Promise<boolean>
  /** `isSomewhere`, from memory as well. */
  hearsSomewhere(actor: Holder, anyOf: readonly Scope[]): Promise<boolean>
  /** Changes when anything does that the caller may do in spaces. */
  fingerprint(actor: Holder): Promise<string>
}

/** The rights of one call, worked out once. */
export interface Access {
  /** The caller's scopes where the thing is that the call names; where it names none, those in every space. */
  scopes: ReadonlySet<Scope>
  /** The same for each id of a call that names several. */
  at(id: string): ReadonlySet<Scope>
  /** For rows of spaces in which the caller holds the scope; undefined: they hold it in every space. */
  spacesWith(scope: Scope): SpaceCondition | undefined
}

/** For what only the thing that is asked for decides: refused unless the caller holds the scope there. */
export function mustHold({ scopes }: Pick<Access, 'scopes'>, scope: Scope): void {
  if (!scopes.has(scope)) throw forbidden([{ scope }])
}

/** The same where any of several scopes will do. */
export function mustHoldAny({ scopes }: Pick<Access, 'scopes'>, anyOf: readonly Scope[] = []): void {
  if (!anyOf.some((scope) => scopes.has(scope))) throw forbidden(anyOf.map((scope) => ({ scope })))
}

export function forbidden(needs: readonly (RoleRef | { scope: Scope })[], field?: string): Failure {
  return fail('auth.forbidden', { field, details: { needs } })
}
