import { durationSeconds } from '@quayside/contract/http/durations'

const longestSeconds = 90 * 86_400

/** A duration such as 30s, 1h or 7d in seconds, at most 90 days; the second one for what is none. */
export const secondsOf = (duration: string | undefined, otherwise: number): number =>
  Math.min(durationSeconds(duration ?? '') ?? otherwise, longestSeconds)

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

/** The options, with one more for a value that none of them has. */
export const withShown = (options: readonly { value: string; label: string }[], value: string) =>
  options.some((one) => one.value === value) ? options : [...options, { value, label: value }]
