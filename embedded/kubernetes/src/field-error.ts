import { KubeError, type StatusCause } from './api-error.ts'

/** One thing wrong with one field, worded as the API server words it. */
export interface FieldError {
  field: string
  reason: string
  message: string
}

const shown = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value))

export const required = (field: string, detail = ''): FieldError => ({
  field,
  reason: 'FieldValueRequired',
  message: detail ? `Required value: ${detail}` : 'Required value',
})

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${shown(value)}: ${detail}`,
})

export const forbiddenField = (field: string, detail: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
})

export const unsupported = (field: string, value: unknown, allowed: readonly string[]): FieldError => ({
  field,
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${shown(value)}: supported values: ${allowed.map((item) => JSON.stringify(item)).join(', ')}`,
})

export const duplicate = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${shown(value)}`,
})

export const missingReference = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueNotFound',
  message: `Not found: ${shown(value)}`,
})

export const tooLong = (field: string, limit: number): FieldError => ({
  field,
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${limit} bytes`,
})

/** The 422 that carries all of an object's field errors. */
export function invalidObject(group: string, kind: string, name: string, errors: readonly FieldError[]): KubeError {
  const lines = errors.map((error) => `${error.field}: ${error.message}`)
  const causes: StatusCause[] = errors.map(({ reason, message, field }) => ({ reason, message, field }))
  const what = group ? `${kind}.${group}` : kind
  const why = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
  return new KubeError(422, 'Invalid', `${what} ${JSON.stringify(name)} is invalid: ${why}`, {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    kind,
    causes,
  })
}
