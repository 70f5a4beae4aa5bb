import type { FieldConfiguration } from '@quayside/contract/deployment'

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
      return 0
    case 'boolean':
      return false
    case 'yaml':
      return null
    default:
      return field.options?.[0]?.value ?? ''
  }
}

/** Where a schema says what is required, only that is made; without one all that the other entries have. */
function wanted(children: readonly FieldConfiguration[]): FieldConfiguration[] {
  const required = children.filter((child) => child.required === true)
  return required.length > 0 ? required : children.filter(({ type }) => type !== 'yaml')
}
