import { QueryError } from './expression.ts'

const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}
const DURATION = /^(?:\d+(?:ms|[smhdwy]))+$/

/** Seconds of `1h30m`, or the number that the text is: decimal, hexadecimal, with underscores, Inf or NaN. */
export function numberOf(text: string): number {
  const plain = text.replaceAll('_', '')
  if (DURATION.test(plain)) return durationMs(plain) / 1000
  if (/^[+-]?inf$/i.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(plain)) return Number.NaN
  const [, sign, digits = ''] = /^([+-]?)(.*)$/.exec(plain) ?? []
  const size = digits !== '' && /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
  if (digits === '' || Number.isNaN(size)) throw new QueryError(`bad number or duration syntax: "${text}"`)
  return sign === '-' ? -size : size
}

function durationMs(text: string): number {
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g))
    total += Number(count) * (UNIT_MS[unit ?? ''] ?? 0)
  return total
}

const SIMPLE: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
}
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs

/** The content of a string literal, with the escapes of Go. */
export function stringOf(literal: string): string {
  const quote = literal[0]
  if (literal.length < 2 || literal.at(-1) !== quote) throw new QueryError('unterminated quoted string')
  const inside = literal.slice(1, -1)
  if (quote === '`') return inside
  if (inside.includes('\n')) throw new QueryError('unterminated quoted string')
  return inside.replace(ESCAPE, (whole, x?: string, u?: string, long?: string, octal?: string, simple?: string) => {
    const code = x ?? u ?? long
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
    const found = SIMPLE[simple ?? '']
    if (found === undefined) throw new QueryError(`unknown escape sequence ${whole}`)
    return found
  })
}
