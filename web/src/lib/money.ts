/** An amount of money in the words of its currency, such as '€1,234.50'. */
export function formatMoney(amount: number, currency: string, more: Intl.NumberFormatOptions = {}): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...more })
  const smallest = 10 ** -(format.resolvedOptions().maximumFractionDigits ?? 2)
  if (amount !== 0 && Math.abs(amount) < smallest / 2) return `less than ${format.format(smallest)}`
  return format.format(amount)
}

/** The same with its sign, for a difference. */
export const formatChange = (amount: number, currency: string): string =>
  formatMoney(amount, currency, { signDisplay: 'exceptZero' })

/** A price of one unit, with the digits that it has. */
export const formatPrice = (price: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 6 }).format(price)
