import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { isUnchanged } from '@quayside/values/secrets/kept-values'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { readYamlValue, YamlRefused } from '@quayside/values/yaml/yaml-document'

/**
 * Tells whether a field's value is another one than before, which is known as JSON. A secret that stays here is none.
 */
export function isChangedFrom({ type }: Pick<FieldConfiguration, 'type'>, value: unknown, before: string | undefined) {
  const json = JSON.stringify(value)
  if (json === before) return false
  if (json === undefined || !json.includes(secretMark)) return true
  if (before === undefined) return value !== secretMark
  const was: unknown = JSON.parse(before)
  return type === 'yaml' ? !isUnchanged(read(value), read(was)) : !isUnchanged(value, was)
}

/** The value of a sub-tree that is shown as text; the text itself while it is no YAML. */
function read(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return readYamlValue(text)
  } catch (error) {
    if (error instanceof YamlRefused) return text
    throw error
  }
}
