import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { type Change, writeFields } from '../yaml/write-field.ts'
import { readYamlValue, YamlRefused } from '../yaml/yaml-document.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { changeOfYaml } from './field-edit.ts'

/**
 * Writes what a form holds into its document: only the values that differ, each where it stands. Throws YamlRefused
 * when the document, or the text of a `yaml` field, is not YAML.
 */
export function applyConfig(yamlText: string, config: readonly FieldConfiguration[]): string {
  const current = readYamlValue(yamlText)
  return writeFields(yamlText, changesOf(current, config, []))
}

function changesOf(current: unknown, fields: readonly FieldConfiguration[], path: Path): Change[] {
  return fields.flatMap((field) => changesOfField(current, field, field.name === null ? path : [...path, field.name]))
}

function changesOfField(current: unknown, field: FieldConfiguration, path: Path): Change[] {
  if (field.type === 'object') return [...changesOf(current, field.objects, path), ...removedOf(current, field, path)]
  if (field.type === 'array') return changesOfArray(current, field, path)
  if (field.value === undefined || field.type === 'button') return []
  const before = valueAt(current, path)
  if (field.type === 'yaml') return changesOfYaml(before, field, path)
  const value = typed(field, before)
  return value === undefined || sameValue(before, value) ? [] : [{ path, value }]
}

/** Entries of a map under names of one's own that the form holds no longer. */
function removedOf(current: unknown, field: FieldConfiguration, path: Path): Change[] {
  const before = field.map ? valueAt(current, path) : undefined
  const names = new Set([...field.objects.map(({ name }) => name), ...(field.map?.known ?? [])])
  const gone = isRecord(before) ? Object.keys(before).filter((name) => !names.has(name)) : []
  return gone.map((name) => ({ path: [...path, name], value: undefined }))
}

function changesOfArray(current: unknown, field: FieldConfiguration, path: Path): Change[] {
  const before = valueAt(current, path)
  const length = Array.isArray(before) ? before.length : 0
  if ((before === undefined || before === null) && field.collections.length === 0) return []
  if (!Array.isArray(before) || field.collections.length !== length) {
    const value = field.collections.map((entry, index) => valueOfField(entry, valueAt(before, [index])))
    return sameValue(before, value) ? [] : [{ path, value }]
  }
  return field.collections.flatMap((entry, index) =>
    changesOfField(current, { ...entry, name: null }, [...path, index]),
  )
}

function changesOfYaml(before: unknown, field: FieldConfiguration, path: Path): Change[] {
  const change = saying(field, () => changeOfYaml(path, String(field.value ?? '')))
  return sameValue(before ?? null, change.value) ? [] : [change]
}

function fragment(field: FieldConfiguration, text: string): unknown {
  return saying(field, () => readYamlValue(text))
}

/** A text that cannot be read is refused by the name of its field. */
function saying<T>(field: FieldConfiguration, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
    throw new YamlRefused({
      ...error.problem,
      message: `${field.label ?? field.name ?? 'value'}: ${error.problem.message}`,
    })
  }
}

/** The value a field stands for, children and all. */
function valueOfField(field: FieldConfiguration, before?: unknown): unknown {
  if (field.type === 'array') return field.collections.map((entry) => valueOfField(entry))
  if (field.type !== 'object')
    return field.type === 'yaml' ? fragment(field, String(field.value ?? '')) : (typed(field, before) ?? null)
  const entries = field.objects
    .filter(
      (inner) =>
        inner.name !== null && (inner.value !== undefined || inner.type === 'object' || inner.type === 'array'),
    )
    .map((inner) => [inner.name as string, valueOfField(inner, valueAt(before, [inner.name as string]))] as const)
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

/** A form gives texts; the value has the type of its field. */
function typed(field: FieldConfiguration, before: unknown): unknown {
  const { value } = field
  if (value === null) return before === undefined ? undefined : null
  if (field.type === 'number') return asNumber(value, before)
  if (field.type === 'boolean') return typeof value === 'boolean' ? value : String(value) === 'true'
  if (field.type === 'select' || field.type === 'radiobutton') {
    const own = field.options?.find((one) => one.value === value)
    const option = own ?? field.options?.find((one) => String(one.value) === String(value))
    return option ? option.value : value
  }
  if (value === '' && (before === null || before === undefined)) return before
  return typeof value === 'string' ? value : typeof value === typeof before ? value : String(value)
}

function asNumber(value: unknown, before: unknown): unknown {
  if (typeof value === 'number') return value
  const text = String(value).trim()
  if (text === '') return before === undefined ? undefined : null
  return Number.isFinite(Number(text)) ? Number(text) : text
}
