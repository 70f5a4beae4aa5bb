/** Most sign-ins that start within the window before the page stops redirecting. */
const most = 4
const windowMs = 30_000
const key = 'quayside.sign-ins'

/** The starts that still count, with one more; undefined when that one would be too many. */
export function withOneMore(starts: readonly number[], now: number): number[] | undefined {
  const recent = starts.filter((at) => now - at < windowMs)
  return recent.length >= most ? undefined : [...recent, now]
}

/** Notes the start of a sign-in; false when sign-ins come back so fast that another would only be one more round. */
export function noteSignIn(now: number): boolean {
  const stored = sessionStorage.getItem(key) ?? ''
  const next = withOneMore(stored.split(',').filter(Boolean).map(Number), now)
  if (next !== undefined) sessionStorage.setItem(key, next.join(','))
  return next !== undefined
}
