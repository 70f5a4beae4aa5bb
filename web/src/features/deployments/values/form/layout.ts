import type { FieldConfiguration } from '@quayside/values/form/field-configuration'

/** Where the fields of a form stood when they were first seen: nothing moves under the hands of whoever edits. */
export interface Layout {
  names: string[]
  /** Tells whether a field is a group of its own, by name. */
  groups: Map<string, boolean>
}

export function emptyLayout(): Layout {
  return { names: [], groups: new Map() }
}

/** The fields in the order of the layout; what is new comes behind what it follows. */
export function inLayout(
  layout: Layout,
  fields: readonly FieldConfiguration[],
  isGroup: (field: FieldConfiguration) => boolean,
): readonly FieldConfiguration[] {
  if (fields.some(({ name }) => !layout.groups.has(name ?? ''))) takeIn(layout, fields, isGroup)
  const places = new Map(layout.names.map((name, at) => [name, at]))
  return fields.toSorted((a, b) => (places.get(a.name ?? '') ?? 0) - (places.get(b.name ?? '') ?? 0))
}

function takeIn(
  layout: Layout,
  fields: readonly FieldConfiguration[],
  isGroup: (field: FieldConfiguration) => boolean,
): void {
  let last = -1
  for (const field of fields) {
    const name = field.name ?? ''
    if (layout.groups.has(name)) last = layout.names.indexOf(name)
    else {
      last += 1
      layout.names.splice(last, 0, name)
      layout.groups.set(name, isGroup(field))
    }
  }
}
