import type { Actor } from './actor.ts'
import type { SpaceCondition } from './rights.ts'

/** The reader of a list: they see what lies in the spaces of `within`, undefined for all, and their own ones. */
export interface Reader {
  tenantId: string
  /** Undefined: the reader is kept within spaces, and what lies in none is not theirs to see. */
  userId: string | undefined
  within: SpaceCondition | undefined
}

/** A caller as a reader, who sees what lies in these spaces. */
export function readerOf(
  { tenantId, userId, within: keptWithin }: Pick<Actor, 'tenantId' | 'userId' | 'within'>,
  within: SpaceCondition | undefined,
): Reader {
  return { tenantId, userId: keptWithin ? undefined : userId, within }
}
