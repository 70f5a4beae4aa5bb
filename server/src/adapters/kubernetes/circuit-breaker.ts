/** Remembers that a cluster does not answer, so that callers are told at once instead of each waiting in vain. */
interface Breaker {
  isOpen(): boolean
  succeeded(): void
  failed(): void
}

export function createBreaker(options: { failures: number; restMs: number; now?: () => number }): Breaker {
  const now = options.now ?? Date.now
  let failures = 0
  let closedAgainAt = 0
  return {
    isOpen() {
      if (failures < options.failures) return false
      if (now() < closedAgainAt) return true
      // One call is let through to try; the others keep waiting for what it finds.
      closedAgainAt = now() + options.restMs
      return false
    },
    succeeded() {
      failures = 0
    },
    failed() {
      failures += 1
      if (failures >= options.failures) closedAgainAt = now() + options.restMs
    },
  }
}
