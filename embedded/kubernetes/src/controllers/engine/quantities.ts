const FACTORS: Record<string, number> = {
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

/** The number a Kubernetes quantity stands for; 0 for what is none. */
export function quantity(value: string | number | undefined): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(value.trim())
  return match ? Number(match[1]) * (FACTORS[match[2] ?? ''] ?? 0) : 0
}

/** A count or a percentage of `total`, as in maxSurge; percentages round up or down. */
export function portion(
  value: number | string | undefined,
  total: number,
  fallback: number | string,
  up: boolean,
): number {
  const given = value ?? fallback
  if (typeof given === 'number') return given
  if (!given.endsWith('%')) return Number(given) || 0
  const share = (Number(given.slice(0, -1)) * total) / 100
  return up ? Math.ceil(share) : Math.floor(share)
}
