import type { Hopeless } from '../../ports.ts'

interface GiveUp {
  /** Everything that cannot become ready by itself, as it is now. */
  look(found: readonly Hopeless[]): void
  /** The reason why something does not become ready, as far as one is known. */
  reason(): string | null
  stop(): void
}

/** Calls `onOver` once when the same object has been without hope for as long as its cause may pass by itself. */
export function createGiveUp(onOver: (found: Hopeless) => void): GiveUp {
  const since = new Map<string, number>()
  let newest: readonly Hopeless[] = []
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const dueIn = ({ key, graceSeconds }: Hopeless) =>
    (since.get(key) ?? performance.now()) + graceSeconds * 1000 - performance.now()
  const wait = () => {
    clearTimeout(timer)
    const [next] = newest.toSorted((a, b) => dueIn(a) - dueIn(b))
    if (!next || isOver) return
    timer = setTimeout(
      () => {
        isOver = true
        onOver(next)
      },
      Math.max(0, dueIn(next)),
    )
  }

  return {
    look(found) {
      newest = found
      const keys = new Set(found.map(({ key }) => key))
      for (const key of since.keys()) if (!keys.has(key)) since.delete(key)
      for (const key of keys) if (!since.has(key)) since.set(key, performance.now())
      wait()
    },
    reason: () => newest[0]?.because ?? null,
    stop() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
