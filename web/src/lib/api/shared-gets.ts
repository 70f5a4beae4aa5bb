/** How long a finished read is still handed out. */
export const sharedForMs = 200

/**
 * Lets identical reads share one call while it runs and for a moment after; failures are not kept. `forget` makes every
 * later read a call of its own: what was read before something changed is not handed out after it.
 */
export function createSharedGets() {
  const running = new Map<string, Promise<unknown>>()
  function share<T>(key: string, call: () => Promise<T>): Promise<T> {
    const known = running.get(key)
    if (known !== undefined) return known as Promise<T>
    const started = call()
    running.set(key, started)
    const drop = () => running.get(key) === started && running.delete(key)
    started.then(() => setTimeout(drop, sharedForMs), drop)
    return started
  }
  return { share, forget: () => running.clear() }
}

/** A caller that gives up stops waiting; the shared call goes on for the others. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
