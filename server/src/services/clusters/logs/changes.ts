/** Nothing has told of a change: what a broken watch has missed is found nevertheless. */
const lookAnywayMs = 15_000

/** Gathers what is told within some time into one change. */
export function createChanges(restMs: () => number, signal: AbortSignal) {
  let hasChanged = false
  let wake: (() => void) | undefined

  return {
    tell(): void {
      hasChanged = true
      wake?.()
    },
    /** Resolves at a change since the last one, not before the rest has passed, and when the reader leaves. */
    next: () =>
      new Promise<void>((resolve) => {
        const begun = Date.now()
        let timer = setTimeout(done, lookAnywayMs)
        function done() {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          wake = undefined
          hasChanged = false
          resolve()
        }
        wake = () => {
          wake = undefined
          clearTimeout(timer)
          timer = setTimeout(done, Math.max(0, restMs() - (Date.now() - begun)))
        }
        signal.addEventListener('abort', done, { once: true })
        if (signal.aborted) done()
        else if (hasChanged) wake()
      }),
  }
}
