import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { ContainerLog } from './container-log.ts'
import type { StampedLine } from './log-lines.ts'
import type { LoggedContainer } from './logged-containers.ts'

interface LogsToFollow {
  /** The containers as they are now, no more than may be followed, and how many of them are left out. */
  look(): Promise<{ containers: LoggedContainer[]; leftOut: number }>
  open(container: LoggedContainer): ContainerLog
  /** Resolves when there may be something new to look at. */
  change(): Promise<void>
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
  log: ContainerLog
  isOpen: boolean
  /** How often it had been restarted when it was read last; undefined before that. */
  restarts: number | undefined
  /** It has ended and was read to its end. */
  isDone: boolean
  /** The cluster's words when it could not be read. */
  said: string | undefined
  retryAt: number
}

const readAtOnce = 8
/** Characters of lines that are held to be put in order. */
const mostPastText = 8 * 1024 * 1024
const betweenReadingsMs = 1000

/** Writes what the containers wrote, by the time of each line, and then what they write, until the reader leaves. */
export async function followLogs(logs: LogsToFollow, wanted: Wanted): Promise<void> {
  const { look, write, signal } = logs
  const followed = new Map<string, Followed>()
  const of = (container: LoggedContainer) => {
    const known = followed.get(container.key)
    if (known) return known
    const log = logs.open(container)
    const fresh = { log, isOpen: false, restarts: undefined, isDone: false, said: undefined, retryAt: 0 }
    followed.set(container.key, fresh)
    return fresh
  }
  const writer = { write: throughSearch(write, wanted.search), signal }

  let found = await look()
  await writePast(found.containers, of, wanted, writer)
  let leftOut = 0
  for (;;) {
    if (found.leftOut !== leftOut) await write({ note: 'left-out', count: found.leftOut })
    leftOut = found.leftOut
    if (!wanted.follow) return
    for (const container of found.containers) void readOn(container, of(container), writer)
    await logs.change()
    if (signal.aborted) return
    // A cluster that is away for a moment has the same pods afterwards.
    found = await look().catch(() => found)
    const keys = new Set(found.containers.map(({ key }) => key))
    for (const [key, { isOpen }] of followed) if (!isOpen && !keys.has(key)) followed.delete(key)
  }
}

type Writer = Pick<LogsToFollow, 'write' | 'signal'>

/** Leaves out lines without the text, in whatever capitals. */
function throughSearch(write: LogsToFollow['write'], search = ''): LogsToFollow['write'] {
  const text = search.toLowerCase()
  if (text === '') return write
  return async (entry) => {
    if (!('line' in entry) || entry.line.toLowerCase().includes(text)) await write(entry)
  }
}

async function writePast(
  containers: readonly LoggedContainer[],
  of: (container: LoggedContainer) => Followed,
  { tailLines, sinceSeconds, mostLines }: Wanted,
  { write, signal }: Writer,
): Promise<void> {
  const known = containers.filter(({ hasRun }) => hasRun)
  const read = await mapLimit(readAtOnce, known, async (container) => {
    const one = of(container)
    one.restarts = container.restarts
    const options = { tailLines, ...(sinceSeconds === undefined ? {} : { sinceSeconds }) }
    try {
      const lines = await one.log.past(options, mostPastText / known.length, signal)
      return lines.map((line) => toEntry(container, line))
    } catch (error) {
      await tellUnreadable(container, one, error, write)
      return []
    }
  })
  const lines = read.flat().sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))
  for (const line of lines.slice(-mostLines)) await write(line)
  await write({ note: 'caught-up' })
}

/** Reads a container on until it ends, and says why where that fails; another look tells whether to go on. */
async function readOn(container: LoggedContainer, one: Followed, { write, signal }: Writer): Promise<void> {
  const { hasRun, isRunning, restarts } = container
  const wasReadToItsEnd = one.isDone && one.restarts === restarts && !isRunning
  if (one.isOpen || !hasRun || wasReadToItsEnd || Date.now() < one.retryAt || signal.aborted) return
  one.isOpen = true
  const take = (line: StampedLine) => write(toEntry(container, line))
  try {
    if (one.restarts !== undefined && restarts > one.restarts) {
      // The last lines of the one that ended say why; the cluster may have removed them.
      await one.log.ended(signal, take).catch(() => undefined)
      await write({ note: 'restarted', pod: container.pod, container: container.container })
    }
    one.restarts = restarts
    await one.log.follow(signal, take)
    one.said = undefined
    one.isDone = true
  } catch (error) {
    if (!signal.aborted) await tellUnreadable(container, one, error, write).catch(() => undefined)
  } finally {
    one.isOpen = false
    one.retryAt = Date.now() + betweenReadingsMs
  }
}

/** Once for each reason, however often it is tried. */
async function tellUnreadable(
  { pod, container }: LoggedContainer,
  one: Followed,
  error: unknown,
  write: LogsToFollow['write'],
): Promise<void> {
  const message = error instanceof Failure ? error.message : 'The log cannot be read.'
  if (one.said === message) return
  one.said = message
  await write({ note: 'unreadable', pod, container, message })
}

function toEntry({ pod, container }: LoggedContainer, { at, text }: StampedLine) {
  return { at, pod, container, line: text }
}
