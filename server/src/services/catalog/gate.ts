/** Lets so many through at once; the others wait their turn. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(places: number): Gate {
  let free = places
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (free > 0) free -= 1
      else await new Promise<void>((next) => waiting.push(next))
      try {
        return await work()
      } finally {
        // The place is handed on, not freed, so that nobody can slip in between.
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
