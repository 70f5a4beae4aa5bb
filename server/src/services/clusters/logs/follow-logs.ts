import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Begin, ContainerLog } from './container-log.ts'
import type { StampedLine } from './log-lines.ts'
import type { LoggedContainer } from './logged-containers.ts'

export interface SeenContainers {
  /** Those that may be followed. */
  containers: LoggedContainer[]
  /** How many more there are. */
  leftOut: number
  /** Tells whether a container may still be there: its app does not answer, or it is left out. */
  mayBeThere(container: LoggedContainer): boolean
}

interface LogsToFollow {
  look(): Promise<SeenContainers>
  open(container: LoggedContainer): ContainerLog
  /** Resolves when there may be something new to look at. */
  change(): Promise<void>
  /** Has the next change come. */
  wake(): void
  write(entry: LogEntry): Promise<void>
  signal: AbortSignal
}

interface Wanted {
  follow: boolean
  tailLines: number
  sinceSeconds?: number | undefined
  search?: string | undefined
  mostLines: number
}

interface Followed {
  container: LoggedContainer
  log: ContainerLog
  /** Ends its reading when it is gone. */
  end: AbortController
  isOpen: boolean
  /** How often it had been restarted when it was read last; undefined before that. */
  restarts: number | undefined
  /** It has ended and was read to its end. */
  isDone: boolean
  /** The cluster's words when it could not be read. */
  said: string | undefined
  retryAt: number
  goneSince: number | undefined
}

const readAtOnce = 4
/** Characters of lines that are held to be put in order, with what each line takes besides. */
const mostPastText = 8 * 1024 * 1024
const betweenReadingsMs = 1000
/** A list may leave out for a moment what is there. */
const goneAfterMs = 30_000

/** Writes what the containers wrote, by the time of each line, and then what they write, until the reader leaves. */
export async function followLogs(logs: LogsToFollow, wanted: Wanted): Promise<void> {
  const { look, write, signal } = logs
  const followed = new Map<string, Followed>()
  const of = (container: LoggedContainer) => {
    const known = followed.get(container.key) ?? begin(container, logs.open(container))
    known.container = container
    known.goneSince = undefined
    followed.set(container.key, known)
    return known
  }
  const isWanted = searchFor(wanted.search)
  const reading = { ...wanted, isWanted, write, signal, wake: logs.wake }

  let found = await look()
  const begunWith = new Set(found.containers.map(({ key }) => key))
  await writePast(found.containers.map(of), reading)
  let leftOut = 0
  try {
    for (;;) {
      if (found.leftOut !== leftOut) await write({ note: 'left-out', count: found.leftOut })
      leftOut = found.leftOut
      if (!wanted.follow) return
      for (const container of found.containers)
        void readOn(of(container), { ...reading, isLate: !begunWith.has(container.key) })
      await logs.change()
      if (signal.aborted) return
      // A cluster that is away for a moment has the same pods afterwards.
      found = await look().catch(() => found)
      forget(followed, found)
    }
  } finally {
    for (const { end } of followed.values()) end.abort()
  }
}

function begin(container: LoggedContainer, log: ContainerLog): Followed {
  const state = { isOpen: false, restarts: undefined, isDone: false, said: undefined, retryAt: 0 }
  return { container, log, end: new AbortController(), goneSince: undefined, ...state }
}

/** Ends the reading of containers that have been gone for some time. */
function forget(followed: Map<string, Followed>, { containers, mayBeThere }: SeenContainers): void {
  const keys = new Set(containers.map(({ key }) => key))
  for (const [key, one] of followed) {
    if (keys.has(key) || mayBeThere(one.container)) continue
    one.goneSince ??= Date.now()
    if (Date.now() - one.goneSince < goneAfterMs) continue
    one.end.abort()
    followed.delete(key)
  }
}

/** Tells which lines have the text, in whatever capitals. */
function searchFor(search = ''): (line: string) => boolean {
  const text = search.toLowerCase()
  return (line) => line.toLowerCase().includes(text)
}

interface Reading extends Wanted, Pick<LogsToFollow, 'write' | 'signal' | 'wake'> {
  isWanted: (line: string) => boolean
}

const beginOf = ({ tailLines, sinceSeconds }: Wanted): Begin => ({
  tailLines,
  ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
})

async function writePast(all: readonly Followed[], reading: Reading): Promise<void> {
  const { write, signal, isWanted, mostLines } = reading
  const known = all.filter(({ container }) => container.hasRun)
  const room = mostPastText / Math.max(1, known.length)
  const read = await mapLimit(readAtOnce, known, async (one) => {
    one.restarts = one.container.restarts
    const { lines, error } = await one.log.past(beginOf(reading), { room, isWanted }, signal)
    signal.throwIfAborted()
    if (error !== undefined) await tellUnreadable(one, error, write)
    return lines.map((line) => toEntry(one.container, line))
  })
  const timeOf = ({ at }: { at: string | null }) => at ?? ''
  const lines = read.flat().sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
  for (const line of lines.slice(-mostLines)) await write(line)
  await write({ note: 'caught-up' })
}

/** Reads a container on until it ends, and says why where that fails; another look tells whether to go on. */
async function readOn(one: Followed, reading: Reading & { isLate: boolean }): Promise<void> {
  const { hasRun, isRunning, restarts, pod, container } = one.container
  const wasReadToItsEnd = one.isDone && one.restarts === restarts && !isRunning
  if (one.isOpen || !hasRun || wasReadToItsEnd || Date.now() < one.retryAt || reading.signal.aborted) return
  const { write, isWanted, isLate } = reading
  const signal = AbortSignal.any([reading.signal, one.end.signal])
  one.isOpen = true
  const take = async (line: StampedLine) => {
    if (isWanted(line.text)) await write(toEntry(one.container, line))
  }
  try {
    if (restarts > (one.restarts ?? (isLate ? 0 : restarts))) {
      // The last lines of the one that ended say why; the cluster may have removed them.
      await one.log.ended(beginOf(reading), signal, take).catch(() => undefined)
      await write({ note: 'restarted', pod, container })
    }
    one.restarts = restarts
    await one.log.follow(beginOf(reading), signal, take)
    one.said = undefined
    // A connection can end before the container does.
    one.isDone = !isRunning
  } catch (error) {
    if (!signal.aborted) await tellUnreadable(one, error, write).catch(() => undefined)
  } finally {
    one.isOpen = false
    one.retryAt = Date.now() + betweenReadingsMs
    if (!signal.aborted) setTimeout(reading.wake, betweenReadingsMs)
  }
}

/** Once for each reason, however often it is tried. */
async function tellUnreadable(one: Followed, error: unknown, write: LogsToFollow['write']): Promise<void> {
  const message = error instanceof Failure ? error.message : 'The log cannot be read.'
  if (one.said === message) return
  one.said = message
  const { pod, container } = one.container
  await write({ note: 'unreadable', pod, container, message })
}

function toEntry({ pod, container }: LoggedContainer, { at, text }: StampedLine) {
  return { at, pod, container, line: text }
}
