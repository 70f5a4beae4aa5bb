import { coalesce } from '../merge/coalesce.ts'
import { type Shape, shapeOf } from '../schema/schema-shape.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { directivesOf } from './directives.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { fieldsOf, isMapOfTexts } from './fields.ts'
import { noMemory } from './form-memory.ts'
import { type Setting, schemaOfEntry, shapesOn } from './shapes-on-path.ts'

/**
 * Dotted names of what was set although the form of these values does not offer it: keys that neither the chart's own
 * values nor its schema know, and changes of what is hidden. Below a field of free content everything is offered.
 */
export function outsideForm(given: unknown, valuesYaml: string, schema: unknown): string[] {
  return [...new Set(outsidePaths(given, valuesYaml, schema).map((path) => path.join('.')))]
}

/** The same as paths. */
export function outsidePaths(given: unknown, valuesYaml: string, schema: unknown): string[][] {
  const known = readYamlValue(valuesYaml)
  const found = unknownIn(given, known, shapeOf(schema, schema, coalesce(known, given ?? {})), schema, [])
  const setting: Setting = { schema, defaults: known, chosen: noMemory.chosen }
  const hidden = hiddenPaths(fieldsOf(valuesYaml, schema)).filter((path) => isTouched(setting, given, path))
  return [...found, ...hidden]
}

/** Set to something else, or taken away with what it stands in. */
function isTouched(setting: Setting, given: unknown, path: readonly string[]): boolean {
  for (let depth = 1; depth <= path.length; depth += 1) {
    const here = path.slice(0, depth)
    const set = valueAt(given, here)
    if (set === undefined) return false
    if (set === null && isRuledOut(setting, given, here)) return false
    if (!isRecord(set) || depth === path.length) return !sameValue(set, valueAt(setting.defaults, here))
  }
  return false
}

/** Taken away because the form that was chosen has no room for it. */
function isRuledOut(setting: Setting, given: unknown, path: readonly string[]): boolean {
  const { shape } = shapesOn(setting, given, path.slice(0, -1))
  return shape?.isForbidden(path.at(-1) ?? '') === true
}

function unknownIn(
  given: unknown,
  known: unknown,
  shape: Shape | undefined,
  schema: unknown,
  path: readonly string[],
): string[][] {
  if (Array.isArray(given)) {
    const items = shape?.items
    const like = entryLike(known)
    if (items === undefined && like === undefined) return []
    return given.flatMap((item, index) => {
      const one = items === undefined ? undefined : shapeOf(items, schema, item)
      return unknownIn(item, like, one, schema, [...path, String(index)])
    })
  }
  if (!isRecord(given) || isFree(known, shape, path)) return []
  return Object.entries(given).flatMap(([name, value]) => {
    const inner = [...path, name]
    const isOwn = isRecord(known) && Object.hasOwn(known, name)
    const isNamed = shape !== undefined && Object.hasOwn(shape.properties, name)
    if (!isOwn && !isNamed && !shape?.entries) return [inner]
    const part = schemaOfEntry(shape, name)
    const own = isOwn ? known[name] : undefined
    const next =
      part === undefined ? undefined : shapeOf(part, schema, value === null ? undefined : coalesce(own, value))
    return unknownIn(value, own, next, schema, inner)
  })
}

/** Names that entries of a list of objects may have although no schema knows them: those in the chart's own entries. */
function entryLike(known: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(known) || known.length === 0 || !known.every(isRecord)) return undefined
  const like = new Map<string, unknown>()
  for (const entry of known)
    for (const [name, value] of Object.entries(entry))
      like.set(name, like.has(name) ? wider(like.get(name), value) : value)
  return Object.fromEntries(like)
}

/** The value that allows more, of the two. */
function wider(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  if (isRecord(one) && isRecord(other) && !isEmpty(one) && !isEmpty(other)) return { ...one, ...other }
  return isEmpty(one) ? one : other
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** Tells whether anything may stand here: the form shows such a place as a map of free names, or as YAML. */
function isFree(known: unknown, shape: Shape | undefined, path: readonly string[]): boolean {
  if (path.length === 0 || Object.keys(shape?.properties ?? {}).length > 0) return false
  if (shape?.entries) return false
  return shape?.type === 'object' || isEmpty(known) || isMapOfTexts(path.at(-1) ?? '')
}

function hiddenPaths(fields: readonly FieldConfiguration[], above: readonly string[] = []): string[][] {
  return fields.flatMap((field) => {
    const path = field.name === null ? [...above] : [...above, field.name]
    return directivesOf(field.comments).hidden ? [path] : hiddenPaths(field.objects, path)
  })
}
