import { type LogEntry, mostContainers, mostPastLines } from '@quayside/contract/clusters/log-entry'
import type { AppScope } from '../releases/app-scope.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import { createContainerLog } from './container-log.ts'
import { followLogs } from './follow-logs.ts'
import { createLogPlaces, type LogPlaces } from './log-places.ts'
import { type LoggedContainer, loggedContainers } from './logged-containers.ts'

interface AppLogDeps {
  watchCaches: Pick<WatchCaches, 'enter'>
}

interface Reading {
  person: string
  /** The app as it is at this moment. */
  scope(): Promise<AppScope>
  hide: ((text: string) => string) | undefined
  write(entry: LogEntry): Promise<void>
  signal: AbortSignal
}

interface Query {
  follow: boolean
  tailLines: number
  sinceSeconds?: number | undefined
  search?: string | undefined
  pods?: string | undefined
}

const betweenLooksMs = 500
/** Nothing has told of a change: what a broken watch has missed is found nevertheless. */
const lookAnywayMs = 15_000

export function createAppLogs(deps: AppLogDeps) {
  const places = createLogPlaces()
  return {
    /** Writes the logs of all pods of an app as one: by time what is there, then what comes, also of new pods. */
    readAppLog: (reading: Reading, query: Query): Promise<void> => readAppLog(deps, places, reading, query),
  }
}

async function readAppLog(
  { watchCaches }: AppLogDeps,
  places: LogPlaces,
  reading: Reading,
  query: Query,
): Promise<void> {
  const { person, hide, write, signal } = reading
  const first = await reading.scope()
  const { connection } = first
  const { clusterId, namespace } = first.app
  const only = query.pods === undefined ? undefined : new Set(query.pods.split(','))
  const changes = createChanges(signal)
  const watch = query.follow ? watchCaches.enter(clusterId, connection, namespace, changes.tell) : undefined
  let [known, held]: [AppScope | undefined, number] = [first, 0]
  try {
    await followLogs(
      {
        async look() {
          const all = loggedContainers((known ?? (await reading.scope())).parts, only)
          known = undefined
          held += places.take(person, Math.min(all.length, mostContainers) - held)
          const containers = all.slice(0, held)
          return { containers, leftOut: all.length - containers.length }
        },
        open: ({ pod, container }: LoggedContainer) =>
          createContainerLog({ connection, namespace, pod, container, hide }),
        change: changes.next,
        write,
        signal,
      },
      { ...query, mostLines: mostPastLines },
    )
  } finally {
    watch?.leave()
    places.giveBack(person, held)
  }
}

/** Gathers what is told within a moment into one. */
function createChanges(signal: AbortSignal) {
  let tell = () => {}
  return {
    tell: () => tell(),
    next: () =>
      new Promise<void>((resolve) => {
        const begun = Date.now()
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          tell = () => {}
          resolve()
        }
        let timer = setTimeout(done, lookAnywayMs)
        signal.addEventListener('abort', done, { once: true })
        if (signal.aborted) done()
        tell = () => {
          tell = () => {}
          clearTimeout(timer)
          timer = setTimeout(done, Math.max(0, betweenLooksMs - (Date.now() - begun)))
        }
      }),
  }
}
