/** At most so many at once, the others wait in the order in which they came. */
export interface Turns {
  /** Resolves to a function that ends the turn; rejects with the signal's reason when it is aborted while waiting. */
  take(signal?: AbortSignal): Promise<() => void>
  /** Whoever came now would have to wait. */
  areTaken(): boolean
}

export function createTurns(atOnce: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  const end = () => {
    running -= 1
    waiting.shift()?.()
  }
  const begin = () => {
    running += 1
    let ended = false
    return () => {
      if (ended) return
      ended = true
      end()
    }
  }
  const areTaken = () => running >= atOnce || waiting.length > 0
  return {
    areTaken,
    take(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (!areTaken()) return Promise.resolve(begin())
      return new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', leave)
          resolve(begin())
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(start), 1)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(start)
      })
    },
  }
}
