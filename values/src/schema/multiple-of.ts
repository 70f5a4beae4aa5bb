/**
 * Tells whether a number is a multiple of another one as they are written: of 0.05 is 0.3, and 0.31 is not. With the
 * numbers that computers have instead no such step would do.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (!(step > 0) || !Number.isFinite(value)) return true
  const [number, unit] = [decimalOf(value), decimalOf(step)]
  const exponent = Math.min(number.exponent, unit.exponent)
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  return scaled(number) % scaled(unit) === 0n
}

interface Decimal {
  digits: bigint
  exponent: number
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
