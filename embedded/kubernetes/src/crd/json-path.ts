import { docOf, isDoc } from '../store/doc.ts'

type Step = { key: string } | { index: number } | { all: true } | { where: { path: string; value: string } }

const STEP =
  /\.([\w-]+(?:\\\.[\w-]+)*)|\['([^']+)'\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/g

function stepsOf(path: string): Step[] {
  const steps: Step[] = []
  for (const [, key, quoted, index, star, where, value] of path.replace(/^\{|\}$/g, '').matchAll(STEP)) {
    if (key !== undefined) steps.push({ key: key.replace(/\\\./g, '.') })
    else if (quoted !== undefined) steps.push({ key: quoted.replace(/\\\./g, '.') })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (star) steps.push({ all: true })
    else if (where !== undefined) steps.push({ where: { path: where, value: value ?? '' } })
  }
  return steps
}

const known = new Map<string, Step[]>()

function take(value: unknown, step: Step): unknown[] {
  if ('key' in step) return isDoc(value) && value[step.key] !== undefined ? [value[step.key]] : []
  if ('all' in step) return Array.isArray(value) ? value : isDoc(value) ? Object.values(value) : []
  if (!Array.isArray(value)) return []
  if ('index' in step) return value.at(step.index) === undefined ? [] : [value.at(step.index)]
  const keys = step.where.path.split('.')
  return value.filter((item) => {
    let found: unknown = item
    for (const key of keys) found = docOf(found)[key]
    return String(found) === step.where.value
  })
}

/** Values found by a JSON path: the subset that printer columns use (members, indexes, `[*]`, `[?(@.a=="b")]`). */
export function readPath(value: unknown, path: string): unknown[] {
  const steps = known.get(path) ?? stepsOf(path)
  known.set(path, steps)
  return steps.reduce<unknown[]>((found, step) => found.flatMap((item) => take(item, step)), [value])
}
