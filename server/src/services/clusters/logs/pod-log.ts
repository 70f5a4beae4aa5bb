import { Readable, Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ClusterConnection, PodLogOptions } from '../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../platform/http/errors.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const maxLine = 32 * 1024
/** Characters held back at the end of an unfinished line: a secret may have arrived only in part. */
const heldBack = 4096

/** A pod's log as clean text, from the cluster to the reader without being gathered. Ends when the signal says so. */
export async function openPodLog(
  connection: Pick<ClusterConnection, 'podLog'>,
  namespace: string,
  pod: string,
  { hide, ...options }: PodLogOptions & { hide?: ((text: string) => string) | undefined },
  signal: AbortSignal,
): Promise<Readable> {
  const log = await connection.podLog(namespace, pod, options, signal).catch((error: unknown) => {
    const status = (error as { httpStatus?: number }).httpStatus
    if (status === 404) throw fail('cluster.pod-not-found', { cause: error })
    // The container has no log yet, or there is none of that name: the cluster says which.
    if (status === 400)
      throw fail('request.invalid', {
        field: 'container',
        message: cleanText((error as Error).message, 500),
        cause: error,
      })
    throw error
  })
  const source = Readable.fromWeb(log as Parameters<typeof Readable.fromWeb>[0], { signal })
  const clean = cleaner(hide)
  source.on('error', (error) => (signal.aborted ? clean.end() : clean.destroy(error)))
  clean.on('close', () => source.destroy())
  return source.pipe(clean)
}

/** Strips each line of what could steer a terminal, and hides; what has no line end is passed on in pieces. */
function cleaner(hide = (text: string) => text): Transform {
  const decoder = new StringDecoder('utf8')
  const shownOf = (text: string) => hide(cleanText(text, Number.MAX_SAFE_INTEGER / 4))
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      const isEndless = text.length - end > maxLine
      const shown = shownOf(isEndless ? text : text.slice(0, end))
      rest = isEndless ? shown.slice(-heldBack) : text.slice(end)
      done(null, isEndless ? shown.slice(0, -heldBack) : shown)
    },
    flush(done) {
      done(null, shownOf(rest + decoder.end()))
    },
  })
}
