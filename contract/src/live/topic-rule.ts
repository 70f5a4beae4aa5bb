import type { PlaceKind } from '../http/place.ts'
import type { Policy } from '../http/policy.ts'
import type { RoleRef } from '../permissions/roles.ts'

/** Rules of a topic: who hears its notes on the live connection, and who may watch it. */
export interface TopicRule {
  /** Condition for hearing of a change; it is asked again for each note. */
  policy: Policy
  /** Meaning of a note's id where it decides who hears: the space itself, or the one person whose thing it is. */
  idIs?: 'space' | 'person'
  /** Roles of the tenant without which a note comes without its id. */
  idFor?: readonly RoleRef[]
  /** Kind of the thing that an id names; only somebody who sees the thing may watch it. */
  place?: PlaceKind
  /** The list of a page holds rows of the spaces that the person sees: it is read again when their rights change. */
  listsSpaces?: boolean
}

/** Topics of a capability by their names. */
export type Topics = Readonly<Record<string, TopicRule>>
