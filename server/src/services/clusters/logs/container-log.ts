import type { ClusterConnection, PodLogOptions } from '../../../adapters/kubernetes/kubernetes.ts'
import { linesOf, type StampedLine } from './log-lines.ts'
import { createLogPosition } from './log-position.ts'
import { openPodLog } from './pod-log.ts'

interface Container {
  connection: Pick<ClusterConnection, 'podLog' | 'now'>
  namespace: string
  pod: string
  container: string
  /** Hides the secrets of the app from who may not see them. */
  hide: ((text: string) => string) | undefined
}

type Take = (line: StampedLine) => void | Promise<void>
type Read = Pick<PodLogOptions, 'tailLines' | 'sinceSeconds' | 'sinceTime' | 'follow' | 'previous'>

/** The log of one container, read from where the reading before ended. */
export function createContainerLog({ connection, namespace, pod, container, hide }: Container) {
  const position = createLogPosition()
  /** When it was first read; undefined for a container that came later, and is read from its beginning. */
  let begun: string | undefined

  async function read(options: Read, signal: AbortSignal, take: Take): Promise<void> {
    const asked = { ...options, container, timestamps: true, hide }
    const isNew = position.reading()
    for await (const line of linesOf(await openPodLog(connection, namespace, pod, asked, signal)))
      if (isNew(line)) await take(line)
  }
  function goingOn(): Pick<Read, 'sinceTime'> {
    const sinceTime = position.since() ?? begun
    return sinceTime === undefined ? {} : { sinceTime }
  }

  return {
    /** The newest lines, as many as these characters hold. */
    async past(
      options: Pick<Read, 'tailLines' | 'sinceSeconds'>,
      mostText: number,
      signal: AbortSignal,
    ): Promise<StampedLine[]> {
      // The cluster's clock is known to the second.
      begun = new Date(connection.now() - 1000).toISOString()
      const lines: StampedLine[] = []
      let [first, held] = [0, 0]
      await read(options, signal, (line) => {
        lines.push(line)
        held += line.text.length
        for (; held > mostText; first++) held -= lines[first]?.text.length ?? 0
      })
      return lines.slice(first)
    },
    /** The lines of the container that ended before the one that runs now. */
    ended: (signal: AbortSignal, take: Take) => read({ ...goingOn(), previous: true }, signal, take),
    /** Ends when the container does, or the connection to the cluster. */
    follow: (signal: AbortSignal, take: Take) => read({ ...goingOn(), follow: true }, signal, take),
  }
}
export type ContainerLog = ReturnType<typeof createContainerLog>
