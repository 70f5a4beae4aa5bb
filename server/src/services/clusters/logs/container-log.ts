import type { ClusterConnection, PodLogOptions } from '../../../adapters/kubernetes/kubernetes.ts'
import { linesOf, type StampedLine } from './log-lines.ts'
import { createLogPosition } from './log-position.ts'
import { openPodLog } from './pod-log.ts'

interface Container {
  connection: Pick<ClusterConnection, 'podLog' | 'now'>
  namespace: string
  pod: string
  container: string
  /** Its pod was made while its reader was there: nothing that it says is left out. */
  isNew: boolean
  /** Hides the secrets of the app from who may not see them. */
  hide: ((text: string) => string) | undefined
}

type Take = (line: StampedLine) => void | Promise<void>
type Read = Pick<PodLogOptions, 'tailLines' | 'sinceSeconds' | 'sinceTime' | 'follow' | 'previous'>
/** How far back a reading goes that is the first of its container. */
export type Begin = Pick<Read, 'tailLines' | 'sinceSeconds'>

/** Room that a line takes besides its text. */
const ofEachLine = 100
const goneAtOnce = 500

/** The log of one container, read from where the reading before ended. */
export function createContainerLog({ connection, namespace, pod, container, isNew: isFresh, hide }: Container) {
  const position = createLogPosition()
  /** When its past was read; undefined for a container that came later. */
  let begun: string | undefined

  async function read(options: Read, signal: AbortSignal, take: Take): Promise<void> {
    const asked = { ...options, container, timestamps: true, hide }
    const isNew = position.reading()
    for await (const line of linesOf(await openPodLog(connection, namespace, pod, asked, signal)))
      if (isNew(line)) await take(line)
  }
  function from(begin: Begin): Read {
    const sinceTime = position.since() ?? begun
    if (sinceTime !== undefined) return { sinceTime }
    return isFresh ? {} : begin
  }

  return {
    /**
     * The newest of its lines that are wanted, as many as there is room for, and the error that ended the reading early.
     * @param room in characters
     */
    async past(
      begin: Begin,
      { room, isWanted }: { room: number; isWanted: (text: string) => boolean },
      signal: AbortSignal,
    ): Promise<{ lines: StampedLine[]; error?: unknown }> {
      const beginning = from(begin)
      // The cluster's clock is known to the second.
      begun = new Date(connection.now() - 1000).toISOString()
      let lines: StampedLine[] = []
      let [first, held] = [0, 0]
      const sizeOf = (line: StampedLine | undefined) => (line?.text.length ?? 0) + ofEachLine
      const keep = (line: StampedLine) => {
        if (!isWanted(line.text)) return
        lines.push(line)
        held += sizeOf(line)
        for (; held > room; first++) held -= sizeOf(lines[first])
        if (first < goneAtOnce) return
        lines = lines.slice(first)
        first = 0
      }
      const error = await read(beginning, signal, keep).catch((reason: unknown) => reason ?? new Error('no reason'))
      return error === undefined ? { lines: lines.slice(first) } : { lines: lines.slice(first), error }
    },
    /** The lines of the container that ended before the one that runs now. */
    ended: (begin: Begin, signal: AbortSignal, take: Take) => read({ ...from(begin), previous: true }, signal, take),
    /** Ends when the container does, or the connection to the cluster. */
    follow: (begin: Begin, signal: AbortSignal, take: Take) => read({ ...from(begin), follow: true }, signal, take),
  }
}
export type ContainerLog = ReturnType<typeof createContainerLog>
