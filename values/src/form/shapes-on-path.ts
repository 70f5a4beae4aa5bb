import { coalesce, defaultAt } from '../merge/coalesce.ts'
import { matches } from '../schema/schema-fits.ts'
import type { ChosenBranch } from '../schema/schema-resolve.ts'
import { type Shape, shapeOf } from '../schema/schema-shape.ts'
import { valueAt } from '../yaml/plain-values.ts'
import type { Path } from '../yaml/slot.ts'
import { keyOfPath } from './form-memory.ts'

/** Inputs that decide the shape of a value besides its schema. */
export interface Setting {
  schema: unknown
  /** The chart's own values, which Helm lays below the given ones. */
  defaults: unknown
  /** The forms that were chosen, by path. */
  chosen: ReadonlyMap<string, number>
}

/** The shape of what stands at a path, as the chart would see it. */
export function shapeAt(setting: Setting, schema: unknown, path: Path, own: unknown): Shape | undefined {
  if (schema === undefined) return undefined
  return shapeOf(schema, setting.schema, effectiveAt(setting.defaults, path, own), preferred(setting, path))
}

/** The value that a chart gets at a path; what is taken away is not there. */
function effectiveAt(defaults: unknown, path: Path, own: unknown): unknown {
  if (own === null) return undefined
  return coalesce(defaultAt(defaults, path), own)
}

function preferred({ chosen }: Setting, path: Path): ChosenBranch {
  const choice = chosen.size === 0 ? undefined : chosen.get(keyOfPath(path))
  return choice === undefined ? undefined : { choice, isForced: false }
}

/** The schema of an entry of something of this shape. */
export function schemaOfEntry(shape: Shape | undefined, part: string | number): unknown {
  if (typeof part === 'number' || shape?.type === 'array') return shape?.items
  if (shape === undefined) return undefined
  if (Object.hasOwn(shape.properties, part)) return shape.properties[part]
  return shape.entries?.named.find(([pattern]) => matches(pattern, part))?.[1] ?? shape.entries?.schema
}

/** The shapes on the way to a path, the schema of what is there, and which way conditions went. */
export function shapesOn(setting: Setting, value: unknown, path: Path) {
  let schema: unknown = setting.schema
  let shape = shapeAt(setting, schema, [], value ?? {})
  let variant = shape?.variant ?? ''
  const choices: (Shape | undefined)[] = [shape]
  for (const [depth, part] of path.entries()) {
    const here = path.slice(0, depth + 1)
    schema = schemaOfEntry(shape, part)
    shape = shapeAt(setting, schema, here, valueAt(value, here))
    variant += `/${shape?.variant ?? ''}`
    choices.push(shape)
  }
  return { schema, shape, variant, choices }
}
