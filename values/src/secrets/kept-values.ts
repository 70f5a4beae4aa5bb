import { isScalar } from 'yaml'
import { applyEdits } from '../yaml/edits.ts'
import { sameValue } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { openYaml, plainValue } from '../yaml/yaml-document.ts'
import { secretMark } from './secret-mark.ts'

/**
 * Tells whether a value is the one before, as far as anybody here can know: where the mark of a kept secret stands,
 * nobody has changed anything.
 */
export function isUnchanged(now: unknown, before: unknown): boolean {
  if (now === secretMark) return true
  if (Array.isArray(now) && Array.isArray(before))
    return now.length === before.length && now.every((item, at) => isUnchanged(item, before[at]))
  if (!isRecord(now) || !isRecord(before)) return sameValue(now, before)
  const keys = Object.keys(now)
  return (
    keys.length === Object.keys(before).length &&
    keys.every((key) => Object.hasOwn(before, key) && isUnchanged(now[key], before[key]))
  )
}

/** Where marks of kept secrets stand in a value. */
function keptPaths(value: unknown, at: Path = []): Path[] {
  if (value === secretMark) return [at]
  if (Array.isArray(value)) return value.flatMap((item, index) => keptPaths(item, [...at, index]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => keptPaths(inner, [...at, key]))
}

/**
 * Another text with the marks of this one in the same places, written as they are here: what stands there is no
 * difference between the two. Throws YamlRefused when one of them is not YAML.
 */
export function withMarksOf(yamlText: string, other: string): { text: string; paths: Path[] } {
  if (!yamlText.includes(secretMark)) return { text: other, paths: [] }
  const [ours, theirs] = [openYaml(yamlText), openYaml(other)]
  const paths = keptPaths(plainValue(ours))
  const edits = paths.flatMap((path) => {
    const [mark, value] = [ours.getIn(path, true), theirs.getIn(path, true)]
    if (!isScalar(mark) || !mark.range || !isScalar(value) || !value.range) return []
    const [from, end] = value.range
    const to = from + other.slice(from, end).trimEnd().length
    const space = from === to && !/\s/.test(other[from - 1] ?? ' ') ? ' ' : ''
    return [{ from, to, text: space + yamlText.slice(mark.range[0], mark.range[1]).trimEnd() }]
  })
  return { text: applyEdits(other, edits), paths }
}
