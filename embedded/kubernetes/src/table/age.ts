const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** A stretch of time in as few signs as tell it: 45s, 3m12s, 5h, 2d3h, 300d. */
export function shortDuration(ms: number): string {
  if (ms < 0) return ms > -2 * SECOND ? '0s' : '<invalid>'
  const whole = (unit: number) => Math.floor(ms / unit)
  const pair = (unit: number, name: string, small: number, smallName: string) => {
    const rest = Math.floor((ms % unit) / small)
    return rest === 0 ? `${whole(unit)}${name}` : `${whole(unit)}${name}${rest}${smallName}`
  }
  if (ms < 2 * MINUTE) return `${whole(SECOND)}s`
  if (ms < 10 * MINUTE) return pair(MINUTE, 'm', SECOND, 's')
  if (ms < 3 * HOUR) return `${whole(MINUTE)}m`
  if (ms < 8 * HOUR) return pair(HOUR, 'h', MINUTE, 'm')
  if (ms < 2 * DAY) return `${whole(HOUR)}h`
  if (ms < 8 * DAY) return pair(DAY, 'd', HOUR, 'h')
  if (ms < 2 * YEAR) return `${whole(DAY)}d`
  return ms < 8 * YEAR ? pair(YEAR, 'y', DAY, 'd') : `${whole(YEAR)}y`
}

/** How long ago a moment was. */
export function age(timestamp: unknown, now: number): string {
  if (typeof timestamp !== 'string') return '<unknown>'
  const at = Date.parse(timestamp)
  return Number.isNaN(at) ? '<unknown>' : shortDuration(now - at)
}
