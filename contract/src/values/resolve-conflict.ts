import type { MergeConflict } from './three-way-values.ts'
import { writeField } from './write-field.ts'

export type ConflictChoice = 'before' | 'yours' | 'theirs'

/** Writes the chosen side of a conflict; a side that is not there takes the value out, so that the chart's own holds. */
export function resolveConflict(yamlText: string, conflict: MergeConflict, choice: ConflictChoice): string {
  return writeField(yamlText, conflict.path, conflict[choice])
}
