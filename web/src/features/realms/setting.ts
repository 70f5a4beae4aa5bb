/** Answer of a setting's table to a change: the sentence that somebody has to agree to, when there is one. */
type Warning<V> = (next: V, before: V) => string | undefined

interface Common<T, K extends keyof T> {
  key: K & string
  label: string
  /** The setting in plain words: what it does, and for whom. */
  means: string
  /** Undefined where it depends on the identity server; `safeWords` says on what. */
  safe?: T[K]
  safeWords?: string
  /** Left out while other settings make it mean nothing. */
  shown?: (values: T) => boolean
  warns?: Warning<T[K]>
}

interface Switch<T, K extends keyof T> extends Common<T, K> {
  kind: 'switch'
}
interface NumberField<T, K extends keyof T> extends Common<T, K> {
  kind: 'number'
  limits: { least: number; most: number }
  /** Unit of the number; times also stand below the field in readable words. */
  unit?: 'seconds' | 'milliseconds'
}
interface Choice<T, K extends keyof T> extends Common<T, K> {
  kind: 'choice'
  options: readonly { value: T[K]; label: string }[]
}
interface TextSetting<T, K extends keyof T> extends Common<T, K> {
  kind: 'text'
  /** Takes a line of its own. */
  long?: boolean
}

type KeysOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T]

/** A setting of one part of the realm, typed by the field that it sets. */
export type Setting<T> =
  | { [K in KeysOf<T, boolean>]: Switch<T, K> }[KeysOf<T, boolean>]
  | { [K in KeysOf<T, number>]: NumberField<T, K> }[KeysOf<T, number>]
  | { [K in KeysOf<T, string>]: TextSetting<T, K> }[KeysOf<T, string>]
  | { [K in KeysOf<T, string | number>]: Choice<T, K> }[KeysOf<T, string | number>]

/** The same without its types, for the form that draws any of them. */
export interface AnySetting {
  kind: 'switch' | 'number' | 'choice' | 'text'
  key: string
  label: string
  means: string
  safe?: Value
  safeWords?: string
  shown?: (values: Values) => boolean
  warns?: (next: Value, before: Value) => string | undefined
  limits?: { least: number; most: number }
  unit?: 'seconds' | 'milliseconds'
  options?: readonly { value: Value; label: string }[]
  long?: boolean
}
type Value = boolean | number | string
export type Values = Readonly<Record<string, Value>>

/** Everything that was typed, by setting; numbers as text until they are sent. */
export type Typed = Readonly<Record<string, boolean | string>>

const typedOf = (value: Value): boolean | string => (typeof value === 'boolean' ? value : String(value))

/** Each setting as the form shows it: what was typed over what counts now. */
export function shownTyped(settings: readonly AnySetting[], now: Values, typed: Typed): Typed {
  return Object.fromEntries(settings.map(({ key }) => [key, typed[key] ?? typedOf(now[key] ?? '')]))
}

const isNumber = ({ kind, safe, options }: AnySetting) =>
  kind === 'number' || (kind === 'choice' && typeof (options?.[0]?.value ?? safe) === 'number')

/** Values of the typed texts; a number that is none stays NaN. */
export function valuesOf(settings: readonly AnySetting[], typed: Typed): Values {
  return Object.fromEntries(
    settings.map((setting) => {
      const raw = typed[setting.key] ?? ''
      if (typeof raw === 'boolean') return [setting.key, raw]
      const text = raw.trim()
      return [setting.key, isNumber(setting) ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : text]
    }),
  )
}

/** The reason for which a number cannot be sent; undefined when it can. */
export function numberProblem({ kind, limits }: AnySetting, value: Value | undefined): string | undefined {
  if (kind !== 'number' || limits === undefined) return undefined
  const { least, most } = limits
  const isIn = typeof value === 'number' && value >= least && value <= most
  return isIn ? undefined : `Enter a whole number from ${least} to ${most}`
}

/** Sentences about what a change opens, in the order of the table; none when nothing needs agreement. */
export function warningsOf(settings: readonly AnySetting[], now: Values, next: Values): string[] {
  return settings.flatMap(({ key, warns, shown }) => {
    const [before, after] = [now[key], next[key]]
    if (before === undefined || after === undefined || before === after || shown?.(next) === false) return []
    const warning = warns?.(after, before)
    return warning === undefined ? [] : [warning]
  })
}

/** Words for the recommended value: 'on', '30', 'MULTIPLE' as its option says it; undefined where there is none. */
export function safeText({ safe, safeWords, options }: AnySetting): string | undefined {
  if (safeWords !== undefined) return safeWords
  if (safe === undefined) return undefined
  if (typeof safe === 'boolean') return safe ? 'on' : 'off'
  if (safe === '') return 'empty'
  return options?.find(({ value }) => value === safe)?.label ?? String(safe)
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** '1 hour 30 minutes'; the two largest units are enough to read. */
export function durationWords(seconds: number): string {
  const words: string[] = []
  let left = seconds
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return words.slice(0, 2).join(' ') || '0 seconds'
}
