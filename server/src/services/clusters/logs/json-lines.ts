import { once } from 'node:events'
import { PassThrough } from 'node:stream'

const stillHereMs = 20_000

/**
 * A body of JSON lines that waits for a slow reader. An empty line now and then keeps what stands between from closing
 * a connection on which nothing is said.
 */
export function createJsonLines(signal: AbortSignal) {
  const body = new PassThrough()
  // Each container that waits for the reader listens; an error before the answer begins ends it, and not the portal.
  body.setMaxListeners(0).on('error', () => undefined)
  /** False: wait for the reader. A body that has ended takes no more: its error would end the portal. */
  const put = (text: string): boolean => !body.writable || body.write(text)
  const timer = setInterval(() => put('\n'), stillHereMs)
  const stop = () => clearInterval(timer)
  body.once('close', stop)
  signal.addEventListener('abort', stop, { once: true })
  return {
    body,
    async write(entry: unknown): Promise<void> {
      signal.throwIfAborted()
      if (!put(`${JSON.stringify(entry)}\n`)) await once(body, 'drain', { signal })
    },
  }
}
