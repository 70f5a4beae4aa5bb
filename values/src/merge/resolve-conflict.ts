import { writeField } from '../yaml/write-field.ts'

export type ConflictChoice = 'before' | 'yours' | 'theirs'

/** A place where two sides say something else; a side that is missing has nothing there. */
interface Sides {
  path: readonly string[]
  before?: unknown
  yours?: unknown
  theirs?: unknown
}

/** Writes the chosen side of a conflict; a side that is not there takes the value out, so that the chart's own holds. */
export function resolveConflict(yamlText: string, conflict: Sides, choice: ConflictChoice): string {
  return writeField(yamlText, conflict.path, conflict[choice])
}
