import { mergeValues } from '../merge/merge-values.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { outsidePaths } from './outside-form.ts'

/**
 * Lays values of somebody else over a document, but for what its form does not offer: who has only the form could
 * neither see nor take back that. `left` names what was not taken over.
 */
export function mergeWithinForm(
  yamlText: string,
  over: string,
  { defaults, schema }: { defaults: string; schema: unknown },
): { yaml: string; left: string[] } {
  const given = readYamlValue(over)
  const merged = mergeValues(yamlText, given)
  if (merged === yamlText) return { yaml: yamlText, left: [] }
  const [before, after] = [readYamlValue(yamlText), readYamlValue(merged)]
  const left = outsidePaths(after, defaults, schema).filter(
    (path) => !sameValue(valueAt(before, path), valueAt(after, path)),
  )
  if (left.length === 0) return { yaml: merged, left: [] }
  const rest = left.reduce((value, path) => without(value, path), given)
  return { yaml: mergeValues(yamlText, rest), left: [...new Set(left.map((path) => path.join('.')))] }
}

/** The value without what stands at a path; what is empty then is left out as well. */
function without(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return undefined
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === part ? without(item, rest) : item))
  if (!isRecord(value) || !Object.hasOwn(value, part)) return value
  const { [part]: inner, ...others } = value
  const kept = without(inner, rest)
  const isGone = kept === undefined || (isRecord(kept) && Object.keys(kept).length === 0)
  return isGone ? others : { ...others, [part]: kept }
}
