import { once } from 'node:events'
import { PassThrough } from 'node:stream'

const stillHereMs = 20_000

/**
 * A body of JSON lines that waits for a slow reader. An empty line now and then keeps what stands between from closing
 * a connection on which nothing is said.
 */
export function createJsonLines(signal: AbortSignal) {
  const body = new PassThrough()
  const timer = setInterval(() => body.write('\n'), stillHereMs)
  body.once('close', () => clearInterval(timer))
  return {
    body,
    async write(entry: unknown): Promise<void> {
      signal.throwIfAborted()
      if (!body.write(`${JSON.stringify(entry)}\n`)) await once(body, 'drain', { signal })
    },
  }
}
