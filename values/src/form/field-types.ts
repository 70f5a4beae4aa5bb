import type { Shape } from '../schema/schema-shape.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import type { Directives } from './directives.ts'
import type { FieldConfiguration } from './field-configuration.ts'

/** A number that is written in another way than it is shown, as 0644 is. */
export type NumberField = FieldConfiguration & { notation?: string }

/** A list that is not written; an empty one is. */
export type ListField = FieldConfiguration & { isUnset?: true }

/** The field type for a value that is no collection; `yaml` where nothing says what it is. */
export function scalarType(
  value: unknown,
  name: string | null,
  shape: Shape | undefined,
  directives: Directives,
): string {
  if (directives.storageClass) return 'storageClass'
  if (directives.registrySecret) return 'registrySecret'
  if (directives.select) return 'select'
  if (shape?.options) return shape.isRadio ? 'radiobutton' : 'select'
  if (shape?.constant) return 'button'
  const isText = typeof value === 'string' || shape?.type === 'string'
  if (directives.masked || (isText && (shape?.isSecret || isSecretName(name ?? '')))) return 'password'
  if (isText && shape?.isDate) return 'date'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return schemaTypes[shape?.type ?? ''] ?? 'yaml'
}

const schemaTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

/** The choices of a field, where its type has any. */
export function optionsFor(
  type: string,
  value: unknown,
  shape: Shape | undefined,
  directives: Directives,
): FieldConfiguration['options'] {
  if (type === 'button') return [{ value: shape?.constant?.value, label: String(shape?.constant?.value) }]
  if (type !== 'select' && type !== 'radiobutton') return undefined
  if (!directives.select) return shape?.options
  const typed = (choice: string): unknown => {
    if (typeof value === 'number' && choice !== '' && Number.isFinite(Number(choice))) return Number(choice)
    return typeof value === 'boolean' && /^(?:true|false)$/.test(choice) ? choice === 'true' : choice
  }
  return directives.select.map((label) => ({ value: typed(label), label }))
}

/** Properties that fields of every type have. */
export function baseField(
  name: string | null,
  shape: Shape | undefined,
  comments: string[],
): Omit<FieldConfiguration, 'type'> {
  return {
    label: name === null ? null : (shape?.title ?? humanised(name)),
    name,
    objects: [],
    collections: [],
    comments,
    ...(shape?.default === undefined ? {} : { defaultValue: shape.default }),
    ...(shape && shape.validations.length > 0 ? { validations: shape.validations } : {}),
    ...(shape && shape.choices.length > 1 ? { choices: shape.choices, choice: shape.choice } : {}),
  }
}

export function markRequired(field: FieldConfiguration): void {
  field.required = true
  field.validations = [{ name: 'required', validator: true, message: 'Required' }, ...(field.validations ?? [])]
}

/** `storageClassName` becomes `Storage Class Name`, `nativeLBByDefault` `Native LB By Default`. */
function humanised(name: string): string {
  const words = name
    .replace(/(?<=.[a-z0-9])(?=[A-Z])/g, ' ')
    .replace(/(?<=[A-Z]{2})(?=[A-Z](?:[a-z]{2}|[a-rt-z](?![a-z0-9])))/g, ' ')
    .replace(/[_-]+/g, ' ')
  return words.trim().replace(/(^|\s)([a-z])/g, (_, space: string, letter: string) => space + letter.toUpperCase())
}
