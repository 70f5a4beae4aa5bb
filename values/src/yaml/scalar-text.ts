/** How a new value is written: as people would, with every text in quotes, or on one line. */
export type Style = 'plain' | 'quoted' | 'flow'
export type Quote = 'plain' | 'single' | 'double'

const plainWord = /^[A-Za-z_/.][A-Za-z0-9_./@+-]*(?:[ :][A-Za-z0-9_./@+-]+)*$/
const looksOtherwise =
  /^(?:[.]+|~|null|y|yes|true|on|n|no|false|off|[-+]?[.]?(?:inf|nan)|[-+.]?[0-9][0-9_.]*(?:e[-+]?[0-9]+)?)$/i

/** A scalar on one line. A text is plain only where every reader of YAML takes it for that same text. */
export function scalarText(value: unknown, quote: Quote = 'plain'): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  if (quote === 'plain' && isPlainSafe(value)) return value
  const isPrintable = !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFEFF]/u.test(value)
  if (quote === 'single' && isPrintable) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped)
}

function isPlainSafe(text: string): boolean {
  return text.length <= 1000 && plainWord.test(text) && !looksOtherwise.test(text) && !/:(?:\s|$)/.test(text)
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  return Object.is(value, -0) ? '-0.0' : String(value)
}

/** Lines of a value in block form, without their margin. A collection that is empty is one line. */
export function blockLines(value: unknown, style: Style): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => itemLines(item, style))
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => entryLines(key, inner, style))
  }
  return [flowText(value, style === 'plain' ? 'plain' : 'double')]
}

/** `key: value` with what belongs to it on the lines below. */
export function entryLines(key: string, value: unknown, style: Style): string[] {
  const name = scalarText(key, style === 'plain' ? 'plain' : 'double')
  const literal = style === 'plain' ? literalLines(value) : undefined
  if (literal) return [`${name}: ${literal[0]}`, ...literal.slice(1)]
  const lines = blockLines(value, style)
  return isInline(value)
    ? [`${name}: ${lines[0]}`]
    : [`${name}:`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))]
}

export function itemLines(item: unknown, style: Style): string[] {
  const literal = style === 'plain' ? literalLines(item) : undefined
  const lines = literal ?? blockLines(item, style)
  return lines.map((line, index) => (index === 0 ? `- ${line}` : line === '' || literal ? line : `  ${line}`))
}

/** A text of several lines as a literal block whose lines are indented by two; undefined where that would not hold it. */
export function literalLines(value: unknown): string[] | undefined {
  if (typeof value !== 'string' || !/[^\n]\n+[^\n]/.test(value)) return undefined
  if (
    !/^[^\s]/.test(value) ||
    /\n\n$/.test(value) ||
    /[^\n\t\P{Cc}]|\r|[\p{Zl}\p{Zp}\p{Cs}\uFEFF]|[ \t]\n|[ \t]$/u.test(value)
  )
    return undefined
  const hasEnd = value.endsWith('\n')
  const lines = (hasEnd ? value.slice(0, -1) : value).split('\n')
  return [hasEnd ? '|' : '|-', ...lines.map((line) => (line === '' ? '' : `  ${line}`))]
}

export function isInline(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return !isRecord(value) || Object.keys(value).length === 0
}

const flowWord = /^[A-Za-z_][A-Za-z0-9_./-]*$/

/** A value on one line, fit to stand anywhere a value may. */
export function flowText(value: unknown, quote: Quote = 'double'): string {
  const inner = (one: unknown): string => {
    const isWord = quote === 'plain' && typeof one === 'string' && flowWord.test(one)
    return typeof one === 'object' && one !== null ? flowText(one, quote) : scalarText(one, isWord ? 'plain' : 'double')
  }
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, one]) => `${inner(key)}: ${inner(one)}`)
      .join(', ')}}`
  }
  return scalarText(value, quote)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
