/** Reads of foreign objects, whose fields may be missing or of any shape. */
export type Fields = Record<string, unknown>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Tells whether nothing is lost by reading it as texts; what is missing is none. */
export function areTexts(value: unknown): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

/** Tells whether nothing is lost by reading it as a list of objects; what is missing is none. */
export function areObjects(value: unknown): boolean {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
  return (value ?? null) === null || (Array.isArray(value) && value.every(isObject))
}

export function countOf(value: unknown, fallback = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback
}

/** A point in time as ISO text; the beginning of time for what is none. */
export function timeOf(value: unknown): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return new Date(Number.isNaN(time) ? 0 : time).toISOString()
}

interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

export function conditionsOf(status: Fields): Condition[] {
  return listOf(status.conditions).map((one) => ({
    type: textOf(one.type),
    status: textOf(one.status),
    reason: textOf(one.reason),
    message: textOf(one.message),
  }))
}
