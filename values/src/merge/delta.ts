import { stringify } from 'yaml'
import { hiddenIn } from '../secrets/masking.ts'
import { secretMark } from '../secrets/secret-mark.ts'
import { secretPathsOf } from '../secrets/secret-paths.ts'
import { secretLeaves } from '../secrets/secret-walk.ts'
import { sameValue } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'

/**
 * Changes that somebody made to a chart's own values, as YAML that others may see: secrets are left out, whether the
 * chart, the schema or the text marks them, and so are marks that stand for a secret. Throws YamlRefused when a text is
 * not YAML.
 */
export function shareableChanges(yamlText: string, valuesYaml: string, schema: unknown): string {
  const changed = changesAgainst(readYamlValue(yamlText), readYamlValue(valuesYaml))
  const paths = [...secretPathsOf(valuesYaml, schema), ...secretPathsOf(yamlText)]
  const isHidden = hiddenIn(secretLeaves(changed, paths))
  const open = without(changed, (path, value) => value === secretMark || isHidden(path, value))
  return isRecord(open) && Object.keys(open).length > 0
    ? stringify(open, { lineWidth: 0, aliasDuplicateObjects: false })
    : ''
}

/** The same tree with only the leaves that differ. */
function changesAgainst(values: unknown, defaults: unknown): Record<string, unknown> {
  const known = isRecord(defaults) ? defaults : {}
  const changed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(isRecord(values) ? values : {})) {
    const before = Object.hasOwn(known, key) ? known[key] : undefined
    if (isRecord(value) && isRecord(before)) {
      const inner = changesAgainst(value, before)
      if (Object.keys(inner).length > 0) changed[key] = inner
    } else if (!sameValue(value, before)) changed[key] = value
  }
  return changed
}

type Path = readonly (string | number)[]

/** A list that holds a secret goes as a whole: with a part left out it would say something else. */
function without(value: unknown, isOut: (path: Path, value: unknown) => boolean, path: Path = []): unknown {
  if (isOut(path, value)) return undefined
  if (Array.isArray(value)) {
    const kept = value.map((item, index) => without(item, isOut, [...path, index]))
    return kept.every((item, index) => sameValue(item, value[index])) ? value : undefined
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, without(inner, isOut, [...path, key])] as const)
  const kept = entries.filter(([, inner]) => inner !== undefined)
  return kept.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(kept)
}
