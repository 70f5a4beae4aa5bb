import { type LogEntry, mostApps, mostContainers, mostPastLines } from '@quayside/contract/clusters/log-entry'
import type { Release } from '../../../adapters/helm/release.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { ClusterPorts } from '../ports.ts'
import type { AppScope, AppScopes } from '../releases/app-scope.ts'
import type { Releases } from '../releases/releases.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import { createChanges } from './changes.ts'
import { createContainerLog } from './container-log.ts'
import { followLogs, type SeenContainers } from './follow-logs.ts'
import type { Hidden } from './followed-secrets.ts'
import { createLogPlaces } from './log-places.ts'
import { type LoggedContainer, loggedContainers } from './logged-containers.ts'

interface LogReadDeps {
  ports: Pick<ClusterPorts, 'appsIn'>
  scopes: Pick<AppScopes, 'of'>
  releases: Pick<Releases, 'revision'>
  watchCaches: Pick<WatchCaches, 'enter'>
}

/** Apps as they are at one moment. */
interface SeenApps {
  scopes: AppScope[]
  /** Those that cannot be read. */
  away: { id: string; name: string; message: string }[]
  /** There are more than one answer reads. */
  hasMore: boolean
}

interface Reading {
  /** The one who holds its places for connections. */
  person: string
  look(): Promise<SeenApps>
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
export function createLogReads({ ports, scopes, watchCaches, releases }: LogReadDeps) {
  const places = createLogPlaces()

  const learn = (hidden: Hidden, scope: AppScope) => learnSecrets(releases, hidden, scope)

  return {
    takeLogPlace: places.take,

    /** An app with its secrets learned, which throws where it cannot be read. */
    async lookAtApp(tenantId: string, appId: string, hidden: Hidden): Promise<SeenApps & { scope: AppScope }> {
      const scope = await scopes.of(tenantId, appId)
      await learn(hidden, scope)
      return { scope, scopes: [scope], away: [], hasMore: false }
    },

    /** The apps of a space, or those with these ids among them. Throws where none of them can be read. */
    async lookAtSpace(
      tenantId: string,
      spaceId: string,
      hidden: Hidden,
      only?: ReadonlySet<string>,
    ): Promise<SeenApps> {
      const known = await ports.appsIn(tenantId, spaceId, only ? Number.MAX_SAFE_INTEGER : mostApps + 1)
      const apps = known.filter(({ id }) => only?.has(id) ?? true)
      const failures: { id: string; name: string; failure: Failure }[] = []
      const seen = await mapLimit(appsAtOnce, apps.slice(0, mostApps), async ({ id, displayName: name }) => {
        try {
          const scope = await scopes.of(tenantId, id)
          await learn(hidden, scope)
          return [scope]
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          // It was deleted in this moment.
          if (error.code !== 'app.not-found') failures.push({ id, name, failure: error })
          return []
        }
      })
      const found = seen.flat()
      if (failures[0] && found.length === 0) throw failures[0].failure
      const away = failures.map(({ id, name, failure }) => ({ id, name, message: failure.message }))
      return { scopes: found, away, hasMore: apps.length > mostApps }
    },

    /** Writes by time what is there, and then what comes, also of new pods; ends when its reader leaves. */
    async readLogs(reading: Reading, query: Query): Promise<void> {
      const { hidden, write, signal } = reading
      const shown = createShown(reading, query, { places, watchCaches })
      try {
        await followLogs(
          {
            look: shown.look,
            open(one: LoggedContainer) {
              const { app, connection } = shown.scopeOf(one)
              const { pod, container } = one
              const hide = hidden.hideOf(app.id)
              return createContainerLog({
                ...{ connection, namespace: app.namespace, pod, container, hide },
                isNew: shown.isNew(one),
              })
            },
            change: shown.changes.next,
            wake: shown.changes.tell,
            write,
            signal,
          },
          { ...query, mostLines: mostPastLines },
        )
      } finally {
        shown.end()
      }
    },
  }
}

/** Has the secrets hidden of the newest revision, and of the one that ran before it and may still do so. */
async function learnSecrets(
  releases: LogReadDeps['releases'],
  hidden: Hidden,
  { app, connection, content }: AppScope,
): Promise<void> {
  await hidden.learn(app.id, async () => {
    if (!content) return []
    const { release, history } = content
    const before = history.filter(({ revision }) => revision < release.revision)
    const lasting = before.find(({ status }) => status === 'deployed' || status === 'superseded')
    const earlier: Release | undefined =
      lasting && (await releases.revision(connection, app.namespace, release.name, lasting.revision))
    return earlier ? [earlier, release] : [release]
  })
}

interface Shared extends Pick<LogReadDeps, 'watchCaches'> {
  places: ReturnType<typeof createLogPlaces>
}

/** The containers that one reader is shown, with their places and the watches that tell of changes. */
function createShown({ person, look, write, signal }: Reading, query: Query, { places, watchCaches }: Shared) {
  const only = query.pods === undefined ? undefined : new Set(query.pods.split(','))
  const scopes = new Map<string, AppScope>()
  const watches = new Map<string, { leave(): void }>()
  const held = new Map<string, () => void>()
  const told = new Set<string>()
  /** When this began, by the clock of each cluster. */
  const begun = new Map<string, number>()
  const changes = createChanges(() => (scopes.size > 1 ? restOfManyMs : restMs), signal)

  async function tell(key: string, entry: LogEntry): Promise<void> {
    if (told.has(key)) return
    told.add(key)
    await write(entry)
  }

  /** Gives places first to those that have one. */
  function withPlaces(all: readonly LoggedContainer[]): LoggedContainer[] {
    const keys = new Set(all.map(({ key }) => key))
    for (const [key, giveBack] of held) {
      if (keys.has(key)) continue
      giveBack()
      held.delete(key)
    }
    for (const { key, appId } of all) {
      if (held.size >= mostContainers) break
      const place = held.has(key) ? undefined : places.take(person, scopes.get(appId)?.app.clusterId ?? '')
      if (place) held.set(key, place)
    }
    return all.filter(({ key }) => held.has(key))
  }

  return {
    changes,
    scopeOf: ({ appId }: LoggedContainer) => scopes.get(appId) as AppScope,
    isNew: ({ appId, madeAt }: LoggedContainer) =>
      madeAt > (begun.get(scopes.get(appId)?.app.clusterId ?? '') ?? Number.POSITIVE_INFINITY),

    async look(): Promise<SeenContainers> {
      const seen = await look()
      for (const scope of seen.scopes) {
        const { app, connection } = scope
        scopes.set(app.id, scope)
        if (!begun.has(app.clusterId)) begun.set(app.clusterId, connection.now())
        const key = `${app.clusterId}|${app.namespace}`
        if (query.follow && !watches.has(key) && !signal.aborted)
          watches.set(key, watchCaches.enter(app.clusterId, connection, app.namespace, changes.tell))
      }
      for (const { id, name, message } of seen.away)
        await tell(`${id} ${message}`, { note: 'app-unreadable', app: name, message })
      if (seen.hasMore) await tell('more', { note: 'apps-left-out', most: mostApps })
      const all = seen.scopes.flatMap((scope) => loggedContainers(scope, only))
      const containers = withPlaces(all)
      const away = new Set(seen.away.map(({ id }) => id))
      const keys = new Set(all.map(({ key }) => key))
      const mayBeThere = ({ appId, key }: LoggedContainer) => away.has(appId) || keys.has(key)
      return { containers, leftOut: all.length - containers.length, mayBeThere }
    },

    end(): void {
      for (const { leave } of watches.values()) leave()
      for (const giveBack of held.values()) giveBack()
    },
  }
}
