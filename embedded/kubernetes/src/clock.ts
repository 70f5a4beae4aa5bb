/** Time as the sandbox sees it: `speed` 10 makes a second of simulated life pass in 100 ms of real time. */
export interface Clock {
  now(): number
  /** Milliseconds of simulated time; returns the function that cancels it. */
  after(ms: number, run: () => void): () => void
  close(): void
}

export function createClock(speed = 1): Clock {
  const startedAt = Date.now()
  const timers = new Set<NodeJS.Timeout>()
  return {
    now: () => startedAt + (Date.now() - startedAt) * speed,
    after(ms, run) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms / speed)
      timers.add(timer)
      return () => {
        clearTimeout(timer)
        timers.delete(timer)
      }
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
