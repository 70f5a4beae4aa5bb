import { stringify } from 'yaml'
import { isUnchanged } from '../secrets/kept-values.ts'
import { maskValue } from '../secrets/masking.ts'
import { changedSecretMark, secretMark } from '../secrets/secret-mark.ts'
import { secretPathsOf } from '../secrets/secret-paths.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { entriesByName } from './named-lists.ts'

/** A setting that is not the same on both sides, in a few words; undefined where it is not set. Secrets are masked. */
export interface ChangedSetting {
  path: string
  before: string | undefined
  after: string | undefined
}

export interface ChangedSettings {
  count: number
  /** Not more than are worth reading. */
  shown: ChangedSetting[]
}

export interface ComparedValues {
  before: string
  after: string
  /** The chart's own values and its schema, which say what is secret. */
  defaults: string
  schema: unknown
  /** Both come masked, with marks that differ where their secrets do. */
  isMasked?: boolean
}

const mostShown = 50
const longestValue = 80
const longestPath = 160

/**
 * Settings of a text that differ from those of another one: maps setting by setting, lists as a whole. The mark of a
 * secret that stays is no difference. Throws YamlRefused when a text is not YAML.
 */
export function changedSettings({ before, after, defaults, schema, isMasked }: ComparedValues): ChangedSettings {
  const [old, now] = [readYamlValue(before), readYamlValue(after)]
  const paths = differing(isMasked ? sameValue : isUnchanged, old, now, [])
  const secrets = [secretPathsOf(defaults, schema ?? undefined), secretPathsOf(before), secretPathsOf(after)].flat()
  const shownOld = maskValue(old, secrets)
  const shownNow = withMarks(maskValue(now, secrets), now, old)
  const shown = paths.slice(0, mostShown).map((path) => {
    const [before, after] = [valueAt(old, path), valueAt(now, path)]
    const isOther = (one: unknown, list: unknown) => !hasEntry(isMasked ? sameValue : isUnchanged, one, list)
    return {
      path: cut(path.join('.'), longestPath),
      before: inWords(onlyOthers(valueAt(shownOld, path), before, (one) => isOther(one, after))),
      after: inWords(onlyOthers(valueAt(shownNow, path), after, (one) => isOther(one, before))),
    }
  })
  return { count: paths.length, shown }
}

/** Masked secrets that are others than before say so, as far as anybody here knows. */
function withMarks(shown: unknown, now: unknown, old: unknown): unknown {
  if (shown === secretMark) {
    if (now === changedSecretMark) return now
    return old === undefined || old === null || old === '' || sameValue(now, old) ? shown : changedSecretMark
  }
  if (Array.isArray(shown)) {
    const [names, before] = [entriesByName(now), entriesByName(old)]
    const oldOf = (at: number) =>
      names && before ? before.get(valueAt(now, [at, 'name'])) : Array.isArray(old) ? old[at] : undefined
    return shown.map((item, at) => withMarks(item, valueAt(now, [at]), oldOf(at)))
  }
  if (!isRecord(shown)) return shown
  return Object.fromEntries(
    Object.entries(shown).map(([key, inner]) => [key, withMarks(inner, valueAt(now, [key]), valueAt(old, [key]))]),
  )
}

/** Entries of a list of maps that the other side does not have, behind an ellipsis; any other list in full. */
function onlyOthers(shown: unknown, list: unknown, isOther: (entry: unknown) => boolean): unknown {
  if (!Array.isArray(shown) || !Array.isArray(list) || !list.every(isRecord)) return shown
  const others = shown.filter((_, at) => isOther(list[at]))
  return others.length === 0 || others.length === shown.length ? shown : ['…', ...others]
}

function hasEntry(isSame: typeof sameValue, entry: unknown, list: unknown): boolean {
  if (!Array.isArray(list)) return false
  const name = isRecord(entry) ? entry.name : undefined
  return list.some((one) => (isSame(entry, one) || isSame(one, entry)) && (!isRecord(one) || sameValue(one.name, name)))
}

type Names = readonly string[]

function differing(isSame: typeof sameValue, before: unknown, after: unknown, path: Names): Names[] {
  if (!isMap(before) && !isMap(after)) return isSame(after, before) || isNothing(before, after) ? [] : [path]
  // A setting that became a map is one, and so is a map that became a setting.
  if ((!isMap(before) && !isEmpty(before)) || (!isMap(after) && !isEmpty(after))) return [path]
  const [old, now] = [asMap(before), asMap(after)]
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])]
  return names.flatMap((name) => differing(isSame, own(old, name), own(now, name), [...path, name]))
}

const isMap = (value: unknown): value is Record<string, unknown> => isRecord(value) && Object.keys(value).length > 0
const isEmpty = (value: unknown) => value === undefined || value === null || isRecord(value)
const isNothing = (before: unknown, after: unknown) => sameValue(before ?? null, after ?? null)
const asMap = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const own = (map: Record<string, unknown>, name: string) => (Object.hasOwn(map, name) ? map[name] : undefined)

function inWords(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !value.includes('\n')) return cut(value, longestValue)
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false })
  return cut(text.replace(/\s*\n\s*/g, ' ').trim(), longestValue)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
