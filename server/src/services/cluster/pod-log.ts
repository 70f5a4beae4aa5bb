import { Readable, Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ClusterConnection, PodLogOptions } from '../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../kernel/errors.ts'
import { cleanText } from './foreign-text.ts'

const maxLine = 32 * 1024

/** A pod's log as clean text, from the cluster to the reader without being gathered. Ends when the signal says so. */
export async function openPodLog(
  connection: ClusterConnection,
  namespace: string,
  pod: string,
  options: PodLogOptions,
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
  const clean = cleaner()
  source.on('error', (error) => (signal.aborted ? clean.end() : clean.destroy(error)))
  clean.on('close', () => source.destroy())
  return source.pipe(clean)
}

/** Strips each line of what could steer a terminal; what has no line end is passed on in pieces. */
function cleaner(): Transform {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = rest + decoder.write(chunk)
      const end = text.length > maxLine ? text.length : text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      done(null, cleanText(text.slice(0, end), Number.MAX_SAFE_INTEGER / 4))
    },
    flush(done) {
      done(null, cleanText(rest + decoder.end(), Number.MAX_SAFE_INTEGER / 4))
    },
  })
}
