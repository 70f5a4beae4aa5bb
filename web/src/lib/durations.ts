const seconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** A duration such as 30s, 1h or 7d in seconds; the second one for what is none. */
export function secondsOf(duration: string | undefined, otherwise: number): number {
  const found = /^(\d{1,4})([smhdw])$/.exec(duration ?? '')
  if (!found) return otherwise
  const all = Number(found[1]) * seconds[found[2] as keyof typeof seconds]
  return Math.min(all, 90 * seconds.d)
}

export const ranges = [
  { value: '1h', label: 'Last hour' },
  { value: '6h', label: 'Last 6 hours' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

export const refreshes = [
  { value: '0s', label: 'Off' },
  { value: '10s', label: '10 s' },
  { value: '30s', label: '30 s' },
  { value: '5m', label: '5 min' },
]
