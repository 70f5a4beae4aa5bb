const lookAgainMs = 1000

/** Second looks, after one that failed; none comes once these are closed. */
export function createRetries() {
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false

  function later(run: () => unknown): void {
    if (isClosed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, lookAgainMs)
    timers.add(timer)
  }

  function close(): void {
    isClosed = true
    for (const timer of timers) clearTimeout(timer)
  }

  return { later, close }
}
export type Retries = ReturnType<typeof createRetries>
