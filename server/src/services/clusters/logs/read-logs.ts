import { type LogEntry, mostApps, mostContainers, mostPastLines } from '@quayside/contract/clusters/log-entry'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { ClusterPorts } from '../ports.ts'
import type { AppScope, AppScopes } from '../releases/app-scope.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import { createChanges } from './changes.ts'
import { createContainerLog } from './container-log.ts'
import { followLogs } from './follow-logs.ts'
import type { Hidden } from './followed-secrets.ts'
import { createLogPlaces } from './log-places.ts'
import { type LoggedContainer, loggedContainers } from './logged-containers.ts'

interface LogReadDeps {
  ports: Pick<ClusterPorts, 'appsIn'>
  scopes: Pick<AppScopes, 'of'>
  watchCaches: Pick<WatchCaches, 'enter'>
}

/** Apps as they are at one moment, and those whose cluster does not answer. */
interface Seen {
  scopes: AppScope[]
  away: { app: string; message: string }[]
}

interface Reading {
  /** The one who holds its places for connections. */
  person: string
  look(): Promise<Seen>
  hidden: Hidden
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

const restMs = 500
/** A look at many apps costs more. */
const restOfManyMs = 2000
const appsAtOnce = 4

/** Logs of all pods of an app, or of all apps of a space, as one. */
export function createLogReads({ ports, scopes, watchCaches }: LogReadDeps) {
  const places = createLogPlaces()
  return {
    lookAtApp: async (tenantId: string, appId: string): Promise<Seen> => ({
      scopes: [await scopes.of(tenantId, appId)],
      away: [],
    }),

    /** The apps of a space, or those with these ids among them. Throws where the cluster of none of them answers. */
    async lookAtSpace(tenantId: string, spaceId: string, only?: ReadonlySet<string>): Promise<Seen> {
      const apps = (await ports.appsIn(tenantId, spaceId, only ? Number.MAX_SAFE_INTEGER : mostApps)).filter(
        ({ id }) => only?.has(id) ?? true,
      )
      const failures: { app: string; failure: Failure }[] = []
      const seen = await mapLimit(appsAtOnce, apps.slice(0, mostApps), async ({ id }) => {
        try {
          return [await scopes.of(tenantId, id)]
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          // It was deleted in this moment.
          if (error.code !== 'app.not-found') failures.push({ app: id, failure: error })
          return []
        }
      })
      if (failures[0] && seen.flat().length === 0) throw failures[0].failure
      return { scopes: seen.flat(), away: failures.map(({ app, failure }) => ({ app, message: failure.message })) }
    },

    /** Writes by time what is there, and then what comes, also of new pods; ends when its reader leaves. */
    async readLogs(reading: Reading, query: Query): Promise<void> {
      const { person, hidden, write, signal } = reading
      const only = query.pods === undefined ? undefined : new Set(query.pods.split(','))
      const opened = new Map<string, AppScope>()
      const watches = new Map<string, { leave(): void }>()
      const told = new Set<string>()
      let changes = createChanges(restMs, signal)
      let held = 0

      async function look() {
        const seen = await reading.look()
        for (const scope of seen.scopes) {
          opened.set(scope.app.id, scope)
          await hidden.learn(scope.app.id, scope.content?.release)
        }
        await tellAway(seen.away, told, write)
        if (query.follow) watch(seen.scopes)
        const all = seen.scopes.flatMap((scope) => loggedContainers(scope, only))
        held += places.take(person, Math.min(all.length, mostContainers) - held)
        const containers = all.slice(0, held)
        return { containers, leftOut: all.length - containers.length }
      }
      function watch(all: readonly AppScope[]): void {
        if (all.length > 1 && watches.size === 0) changes = createChanges(restOfManyMs, signal)
        for (const { app, connection } of all) {
          const key = `${app.clusterId}|${app.namespace}`
          if (watches.has(key)) continue
          watches.set(
            key,
            watchCaches.enter(app.clusterId, connection, app.namespace, () => changes.tell()),
          )
        }
      }
      function open({ appId, pod, container }: LoggedContainer) {
        const { app, connection } = opened.get(appId) as AppScope
        const { namespace } = app
        return createContainerLog({ connection, namespace, pod, container, hide: hidden.hideOf(appId) })
      }

      try {
        await followLogs(
          { look, open, change: () => changes.next(), write, signal },
          { ...query, mostLines: mostPastLines },
        )
      } finally {
        for (const { leave } of watches.values()) leave()
        places.giveBack(person, held)
      }
    },
  }
}

/** Once for each app and reason. */
async function tellAway(away: Seen['away'], told: Set<string>, write: Reading['write']): Promise<void> {
  for (const { app, message } of away) {
    const key = `${app} ${message}`
    if (told.has(key)) continue
    told.add(key)
    await write({ note: 'app-unreadable', app, message })
  }
}
