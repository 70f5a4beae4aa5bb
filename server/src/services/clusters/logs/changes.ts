/** Nothing has told of a change: what a broken watch has missed is found nevertheless. */
const lookAnywayMs = 15_000

/** Gathers what is told within some time into one change. */
export function createChanges(restMs: number, signal: AbortSignal) {
  let tell = () => {}
  return {
    tell: () => tell(),
    /** Resolves at the next change, not before the rest has passed, and when the reader leaves. */
    next: () =>
      new Promise<void>((resolve) => {
        const begun = Date.now()
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          tell = () => {}
          resolve()
        }
        let timer = setTimeout(done, lookAnywayMs)
        signal.addEventListener('abort', done, { once: true })
        if (signal.aborted) done()
        tell = () => {
          tell = () => {}
          clearTimeout(timer)
          timer = setTimeout(done, Math.max(0, restMs - (Date.now() - begun)))
        }
      }),
  }
}
