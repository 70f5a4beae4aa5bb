import type { Logger } from '../logging/logger.ts'

/** Renews a lease five times before it ends, until stopped. Calls `onLost` once, when it was taken over or could not be renewed for too long. */
export function keepLease(
  leaseSeconds: number,
  renew: () => Promise<boolean>,
  onLost: (why: string) => void,
  log: Logger,
): () => void {
  const everyMs = (leaseSeconds * 1000) / 5
  const retryMs = everyMs / 3
  // Less than the lease: whoever cannot reach the database stops before somebody else starts.
  const giveUpAfterMs = (leaseSeconds * 2000) / 3
  let timer: NodeJS.Timeout
  let stopped = false
  let lastGood = performance.now()
  const stop = () => {
    stopped = true
    clearTimeout(timer)
    clearInterval(watchdog)
  }
  const lose = (why: string) => {
    if (stopped) return
    stop()
    onLost(why)
  }
  const beat = async () => {
    try {
      const asked = performance.now()
      if (!(await renew())) return lose('somebody else has taken it over')
      lastGood = asked
      if (!stopped) timer = setTimeout(beat, everyMs)
    } catch (error) {
      log.warn({ err: error }, 'a lease could not be renewed')
      if (!stopped) timer = setTimeout(beat, retryMs)
    }
  }
  // A renewal that hangs must not hide that time runs out.
  const watchdog = setInterval(() => {
    if (performance.now() - lastGood > giveUpAfterMs) lose('the database could not be reached for too long')
  }, everyMs / 6)
  timer = setTimeout(beat, everyMs)
  return stop
}
