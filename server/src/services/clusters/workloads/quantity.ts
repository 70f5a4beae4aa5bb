const scales: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** A Kubernetes quantity such as 250m, 2, 1.5Gi or 1e3 as a number; 0 for what is none. */
export function quantityOf(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const found = /^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:[eE]([+-]?\d{1,3})|([KMGTPE]i|[numkMGTPE]))?$/.exec(text)
  if (!found) return 0
  const [, digits = '0', exponent, suffix = ''] = found
  const amount = Number(digits) * (exponent === undefined ? (scales[suffix] ?? 0) : 10 ** Number(exponent))
  return Number.isFinite(amount) ? amount : 0
}

export const cpuMillisOf = (value: unknown): number => Math.round(quantityOf(value) * 1000)
export const bytesOf = (value: unknown): number => Math.round(quantityOf(value))
