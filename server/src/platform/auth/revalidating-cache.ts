import { Failure, fail } from '../http/errors.ts'

export interface Ages {
  maxAgeMs?: number | undefined
  stalestMs?: number | undefined
}

interface RevalidatingCache<V> {
  /**
   * A value read at most `maxAgeMs` ago, by default the cache's own limit; one older than `refreshMs` is also read
   * again in the background. While the source cannot be reached, one read at most `stalestMs` ago will do.
   */
  get(key: string, ages?: Ages): Promise<V>
  /** The value that is known, however old it is, without a question to the source. */
  peek(key: string): V | undefined
  /** Reads again now, whatever is known: nothing that was asked before this call counts. */
  readNow(key: string): Promise<V>
  forget(isMeant: (key: string) => boolean): void
}

interface Options<V> {
  read(key: string): Promise<V>
  refreshMs: number
  maxAgeMs: number
  most: number
  /** Told about each new value. */
  onRead?(key: string, value: V): void
  now?: () => number
}

interface Entry<V> {
  value: V
  /** When the question was asked, so that its answer cannot be older than it seems. */
  askedAt: number
}

/** After a try that reached nobody, what is known is handed out for this long before the next try. */
const restMs = 1000

/**
 * Values that live elsewhere and are never handed out older than `maxAgeMs`, as long as their source answers. A source
 * that cannot be reached leaves what is known; nothing known then means that its failure is thrown.
 */
export function createRevalidatingCache<V>(options: Options<V>): RevalidatingCache<V> {
  const { read, refreshMs, maxAgeMs, most, onRead, now = () => performance.now() } = options
  const known = new Map<string, Entry<V>>()
  const running = new Map<string, Promise<V>>()
  const restsUntil = new Map<string, number>()
  let forgets = 0

  async function ask(key: string): Promise<V> {
    const [askedAt, forgotten] = [now(), forgets]
    try {
      const value = await read(key)
      restsUntil.delete(key)
      // A later question may have been answered sooner, and what was asked before a `forget` must not come back after it.
      if (forgotten === forgets && (known.get(key)?.askedAt ?? 0) <= askedAt) keep(key, { value, askedAt })
      onRead?.(key, value)
      return value
    } catch (error) {
      if (isUnreachable(error)) restsUntil.set(key, now() + restMs)
      else known.delete(key)
      throw error
    }
  }

  function keep(key: string, entry: Entry<V>): void {
    known.delete(key)
    known.set(key, entry)
    while (known.size > most) known.delete(known.keys().next().value as string)
    if (restsUntil.size > most) restsUntil.clear()
  }

  /** Calls that need the same value at the same time share one question. */
  function askOnce(key: string): Promise<V> {
    const asking = running.get(key)
    if (asking) return asking
    const started = ask(key).finally(() => {
      if (running.get(key) === started) running.delete(key)
    })
    running.set(key, started)
    return started
  }

  return {
    async get(key, { maxAgeMs: maxAge = maxAgeMs, stalestMs = Number.POSITIVE_INFINITY } = {}) {
      const entry = known.get(key)
      if (!entry) return askOnce(key)
      const age = now() - entry.askedAt
      const isResting = (restsUntil.get(key) ?? 0) > now()
      if (age >= stalestMs && isResting) throw fail('iam.unreachable')
      if (age >= stalestMs) return askOnce(key)
      if (age < Math.min(refreshMs, maxAge) || isResting) return entry.value
      const asking = askOnce(key)
      if (age < maxAge) {
        asking.catch(() => undefined)
        return entry.value
      }
      return asking.catch((error: unknown) => {
        if (isUnreachable(error)) return entry.value
        throw error
      })
    },
    peek: (key) => known.get(key)?.value,
    readNow(key) {
      running.delete(key)
      return askOnce(key)
    },
    forget(isMeant) {
      forgets += 1
      for (const key of known.keys()) if (isMeant(key)) known.delete(key)
      for (const key of running.keys()) if (isMeant(key)) running.delete(key)
    },
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'iam.unreachable'
}
