/** Lets a number of callers work at a time; the others wait in the order in which they came. */
export interface Semaphore {
  /**
   * Resolves to a function that gives the slot back; rejects with the signal's reason when it is aborted while waiting.
   */
  acquire(signal?: AbortSignal): Promise<() => void>
  /** Does one piece of work in a slot. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Tells whether a caller would have to wait now. */
  isFull(): boolean
}

export function createSemaphore(slots: number): Semaphore {
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
  const isFull = () => running >= slots || waiting.length > 0
  const acquire: Semaphore['acquire'] = (signal) => {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (!isFull()) return Promise.resolve(begin())
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
  }
  return {
    isFull,
    acquire,
    async run(work) {
      const release = await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
