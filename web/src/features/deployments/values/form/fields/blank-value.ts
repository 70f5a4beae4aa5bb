import type { FieldConfiguration } from '@quayside/values/form/field-configuration'

/** The value that a new entry begins with: what its schema says, or the emptiest of its type. */
export function blankOf(field: FieldConfiguration | undefined): unknown {
  if (field === undefined) return ''
  if (field.defaultValue !== undefined) return field.defaultValue
  const start = field.choices?.[field.choice ?? 0]?.value
  if (start !== undefined) return start
  switch (field.type) {
    case 'object':
      return Object.fromEntries(wanted(field.objects).map((child) => [child.name ?? '', blankOf(child)]))
    case 'array':
      return []
    case 'number':
      return firstNumber(field)
    case 'boolean':
      return false
    case 'yaml':
      return null
    default:
      return field.options?.[0]?.value ?? ''
  }
}

/** The number next to 0 that its rules allow, as far as they say. */
function firstNumber({ validations = [] }: FieldConfiguration): number {
  const limit = (name: string): number | undefined => {
    const validator = validations.find((one) => one.name === name)?.validator
    return typeof validator === 'number' ? validator : undefined
  }
  const step = limit('multipleOf') ?? 1
  const [least, over] = [limit('minimum') ?? 0, limit('exclusiveMinimum') ?? -1]
  const [most, under] = [limit('maximum') ?? 0, limit('exclusiveMaximum') ?? 1]
  if (over >= 0 || least > 0) return Math.max(Math.ceil(least / step), Math.floor(over / step) + 1) * step
  if (under <= 0 || most < 0) return Math.min(Math.floor(most / step), Math.ceil(under / step) - 1) * step
  return 0
}

/** Where a schema says what is required, only that is made; without one all that the other entries have. */
function wanted(children: readonly FieldConfiguration[]): FieldConfiguration[] {
  const required = children.filter((child) => child.required === true)
  return required.length > 0 ? required : children.filter(({ type }) => type !== 'yaml')
}
