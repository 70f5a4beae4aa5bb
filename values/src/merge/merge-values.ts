import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { type Change, writeFields } from '../yaml/write-field.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'

/**
 * Lays values over a document and keeps the document's comments and order: maps are merged, everything else gives way.
 * `over` is YAML too, or a plain value.
 */
export function mergeValues(yamlText: string, over: unknown): string {
  const values = typeof over === 'string' ? readYamlValue(over) : over
  if (!isRecord(values)) return yamlText
  return writeFields(yamlText, differences(readYamlValue(yamlText), values, []))
}

function differences(base: unknown, over: Record<string, unknown>, path: Path): Change[] {
  return Object.entries(over).flatMap(([key, value]) => {
    const inner = [...path, key]
    const before = valueAt(base, [key])
    if (isRecord(before) && isRecord(value)) return differences(before, value, inner)
    return before !== undefined && sameValue(before, value) ? [] : [{ path: inner, value }]
  })
}
