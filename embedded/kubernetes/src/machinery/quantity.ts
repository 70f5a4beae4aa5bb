/** A quantity such as 250m, 1.5Gi or 2e3, exact to a billionth. */
interface Quantity {
  /** In billionths of the unit. */
  nano: bigint
  format: 'binary' | 'decimal' | 'exponent'
}

const NANO = 1_000_000_000n
const PATTERN = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const DECIMAL: readonly (readonly [suffix: string, power: number])[] = [
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]

export const QUANTITY_RULE =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** Amounts below a billionth are rounded up, like in Kubernetes. */
const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by

/** The quantity a text or number stands for; undefined when it stands for none. */
export function parseQuantity(source: unknown): Quantity | undefined {
  const match = PATTERN.exec(typeof source === 'number' ? String(source) : typeof source === 'string' ? source : '')
  if (!match) return undefined
  const [, sign, digits = '', suffix = ''] = match
  const [whole = '', fraction = ''] = digits.split('.')
  const mantissa = BigInt(whole + fraction)
  const binary = BINARY.indexOf(suffix as (typeof BINARY)[number])
  const decimal = DECIMAL.find(([name]) => name === suffix)
  const power = decimal ? decimal[1] : binary > 0 ? 0 : Number(suffix.slice(1))
  if (Math.abs(power) > 30) return undefined
  const scale = BigInt(10) ** BigInt(fraction.length + Math.max(0, -power))
  const factor = NANO * (binary > 0 ? 1024n ** BigInt(binary) : 1n) * 10n ** BigInt(Math.max(0, power))
  const nano = divideUp(mantissa * factor, scale)
  const format = binary > 0 ? 'binary' : decimal ? 'decimal' : 'exponent'
  return { nano: sign === '-' ? -nano : nano, format }
}

function decimalText(nano: bigint): string {
  const size = nano < 0n ? -nano : nano
  for (const [suffix, power] of DECIMAL.toReversed()) {
    const unit = 10n ** BigInt(power + 9)
    if (size >= unit && size % unit === 0n) return `${nano / unit}${suffix}`
  }
  return `${nano}n`
}

/** The canonical text: no fraction, the largest suffix that leaves none. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0'
  if (format === 'binary' && nano % NANO === 0n) {
    let value = nano / NANO
    if (value >= 1024n || value <= -1024n) {
      let step = 0
      while (value % 1024n === 0n && step < BINARY.length - 1) {
        value /= 1024n
        step += 1
      }
      return `${value}${BINARY[step]}`
    }
  }
  if (format === 'exponent') {
    const text = decimalText(nano)
    const found = DECIMAL.find(([suffix, power]) => power !== 0 && text.endsWith(suffix))
    return found ? `${text.slice(0, -1)}e${found[1]}` : text
  }
  return decimalText(nano)
}

/** A quantity's canonical text; undefined when it is none. */
export function canonicalQuantity(source: unknown): string | undefined {
  const quantity = parseQuantity(source)
  return quantity && formatQuantity(quantity)
}

/** A quantity as a plain number, for arithmetic that need not be exact; 0 when it is none. */
export const quantityNumber = (source: unknown): number => Number(parseQuantity(source)?.nano ?? 0n) / 1e9
