import type { MergeConflict, ValuesMerge } from '@quayside/contract/deployments/upgrade'
import type { ConflictChoice } from '@quayside/values/merge/resolve-conflict'
import { sameValue, valueAt } from '@quayside/values/yaml/plain-values'
import { readYamlValue, YamlRefused } from '@quayside/values/yaml/yaml-document'
import { texts } from '../../texts.ts'

/** The sides that were chosen, by the conflict's path as JSON (`keyOf`). */
export type Choices = Readonly<Record<string, ConflictChoice>>

export const keyOf = ({ path }: Pick<MergeConflict, 'path'>) => JSON.stringify(path)

/** The side that a conflict's value is on, or 'other' for a value that somebody typed; undefined while it is undecided. */
export function decisionOf(
  conflict: MergeConflict,
  choices: Choices,
  yaml: string,
): ConflictChoice | 'other' | undefined {
  const value = readable(yaml)
  if (value === undefined) return choices[keyOf(conflict)]
  const now = valueAt(value, conflict.path)
  const chosen = choices[keyOf(conflict)]
  if (chosen !== undefined && sameValue(now, conflict[chosen])) return chosen
  if (sameValue(now, conflict.yours)) return undefined
  if (sameValue(now, conflict.theirs)) return 'theirs'
  return conflict.before !== undefined && sameValue(now, conflict.before) ? 'before' : 'other'
}

export function openConflicts(merge: ValuesMerge | null, choices: Choices, yaml: string): number {
  return (merge?.conflicts ?? []).filter((conflict) => decisionOf(conflict, choices, yaml) === undefined).length
}

function readable(yaml: string): unknown {
  try {
    return readYamlValue(yaml) ?? {}
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

/** The outcome of a merge: a short text for each kind of change, with the dotted paths it affects. */
export function reportOf(merge: ValuesMerge): { words: string; paths: string[] }[] {
  const parts = [
    [texts.merge.report.kept, merge.kept],
    [texts.merge.report.conflicts, merge.conflicts.map(({ path }) => path)],
    [texts.merge.report.taken, merge.taken],
    [texts.merge.report.added, merge.added],
    [texts.merge.report.removed, merge.removed],
  ] as const
  return parts
    .filter(([, paths]) => paths.length > 0)
    .map(([[one, many], paths]) => ({
      words: paths.length === 1 ? one : many.replace('{n}', String(paths.length)),
      paths: paths.map((path) => path.join('.')),
    }))
}
