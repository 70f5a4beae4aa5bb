import { sameValue } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { mergedByName, placesIn } from './named-lists.ts'

type ValuePath = readonly string[]

/** Why a value cannot be carried over without asking: the person and the chart both touched it. */
type ConflictReason = 'changed' | 'removed' | 'retyped' | 'added'

interface MergeConflict {
  path: ValuePath
  reason: ConflictReason
  /** The chart's value then, the person's, and the chart's now; undefined where there is none. */
  before: unknown
  yours: unknown
  theirs: unknown
  /** For lists: the entries that each side changed, in words that show no values. */
  places?: { yours: string[]; theirs: string[] }
}

/** Result of merging the values of a document into other defaults. */
export interface ValueMerge {
  value: Record<string, unknown>
  conflicts: MergeConflict[]
  /** Paths of the settings that the person had changed and keeps. */
  kept: ValuePath[]
  /** Defaults that the person had not touched and the chart has changed. */
  taken: ValuePath[]
  /** Settings that only the new chart has. */
  added: ValuePath[]
  /** Untouched settings that the new chart no longer has. */
  removed: ValuePath[]
}

type Values = Record<string, unknown>

/**
 * Carries a person's values from a chart's old defaults to its new ones. Maps are merged key by key, lists entry by
 * entry where each has a name and no two changes meet, everything else as a whole. A conflict keeps the person's value
 * until somebody chooses. Settings that the person's document does not mention stay out of it, because the chart's
 * defaults hold for them anyway.
 */
export function mergeThreeWays(before: unknown, yours: unknown, theirs: unknown): ValueMerge {
  const merge: ValueMerge = { value: {}, conflicts: [], kept: [], taken: [], added: [], removed: [] }
  merge.value = mergeMaps(merge, asMap(before), asMap(yours), asMap(theirs), [])
  return merge
}

function mergeMaps(merge: ValueMerge, before: Values, yours: Values, theirs: Values, path: ValuePath): Values {
  const result: Values = {}
  for (const [key, own] of Object.entries(yours)) {
    const value = mergeEntry(merge, at(before, key), own, at(theirs, key), [...path, key])
    if (value !== undefined) result[key] = value
  }
  if (!isComplete(before, yours)) return result
  for (const key of Object.keys(theirs)) {
    if (Object.hasOwn(yours, key) || Object.hasOwn(before, key)) continue
    result[key] = theirs[key]
    merge.added.push([...path, key])
  }
  return result
}

function mergeEntry(merge: ValueMerge, before: unknown, yours: unknown, theirs: unknown, path: ValuePath): unknown {
  if (isGivenUp(before, yours, theirs)) {
    const rest = mergeMaps(merge, asMap(before), asMap(yours), {}, path)
    return Object.keys(rest).length > 0 ? rest : undefined
  }
  if (isRecord(yours) && isRecord(theirs) && (isRecord(before) || before === undefined)) {
    return mergeMaps(merge, asMap(before), yours, theirs, path)
  }
  if (before !== undefined && sameValue(before, yours)) {
    if (theirs === undefined) merge.removed.push(path)
    else if (!sameValue(before, theirs)) merge.taken.push(path)
    return theirs
  }
  if (sameValue(yours, theirs)) return yours
  // The person removed the setting with null, and the new chart does not have it: there the null would be a value.
  if (yours === null && theirs === undefined && before !== undefined) return undefined
  if (before === undefined ? theirs === undefined : sameValue(before, theirs)) {
    merge.kept.push(path)
    return yours
  }
  const both = mergedByName(before, yours, theirs)
  if (both) {
    merge.kept.push(path)
    merge.taken.push(path)
    return both
  }
  merge.conflicts.push({
    path,
    reason: reasonOf(before, theirs),
    before,
    yours,
    theirs,
    ...placesOf(before, yours, theirs),
  })
  return yours
}

function placesOf(before: unknown, yours: unknown, theirs: unknown): Pick<MergeConflict, 'places'> {
  if (!Array.isArray(yours) && !Array.isArray(theirs)) return {}
  return { places: { yours: placesIn(before, yours), theirs: placesIn(before, theirs) } }
}

/** A map that the chart gave up while only some of it is the person's: each part is looked at alone. */
function isGivenUp(before: unknown, yours: unknown, theirs: unknown): boolean {
  if (theirs !== undefined || !isRecord(before) || !isRecord(yours) || sameValue(before, yours)) return false
  return Object.keys(before).some((key) => Object.hasOwn(yours, key))
}

function reasonOf(before: unknown, theirs: unknown): ConflictReason {
  if (before === undefined) return 'added'
  if (theirs === undefined) return 'removed'
  const isRetyped = before !== null && theirs !== null && kindOf(before) !== kindOf(theirs)
  return isRetyped ? 'retyped' : 'changed'
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

/** People who write only their own settings are not given all the others: less than half of a map is no copy of it. */
function isComplete(before: Values, yours: Values): boolean {
  const keys = Object.keys(before)
  return keys.filter((key) => Object.hasOwn(yours, key)).length * 2 >= keys.length
}

function at(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined
}

function asMap(value: unknown): Values {
  return isRecord(value) ? value : {}
}
