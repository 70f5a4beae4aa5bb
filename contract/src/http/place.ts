import type { Scope } from '../permissions/scopes.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Kinds of things that are in a space, or are one: a scope is asked for in the space of the thing. Each capability adds
 * its own in its `places.ts`, so no list of all of them is kept here.
 */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it.
export interface PlaceKinds {}
export type PlaceKind = keyof PlaceKinds

/** Rules of a kind of things that calls and topics name by id. */
export interface PlaceRule {
  /** The scope without which the thing does not exist for the caller. */
  visibleBy: Scope
  /** Told about a thing that does not exist; the same about one that the caller cannot see. */
  unknown: ErrorCode
}

/** Places of a capability by their kinds. */
export type Places = Readonly<Partial<Record<PlaceKind, PlaceRule>>>
