import { ReleaseUnreadableError } from '../../../adapters/helm/release.ts'
import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Live } from '../../../platform/live/live.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { AppPlace, ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import { type NamespaceView, readNamespace, readObjects } from '../workloads/namespace-view.ts'
import type { WatchCache, WatchCaches } from '../workloads/watch-cache.ts'
import type { AppScopes, Look } from './app-scope.ts'
import {
  type Content,
  deployedBeside,
  kindsOfState,
  mayOverwrite,
  type StateOfApp,
  stateOfApp,
  stateOfUnreadable,
} from './app-state.ts'
import type { ReleaseLock } from './release-lock.ts'
import { setReleaseStatus } from './releases.ts'

interface AppWatchDeps {
  ports: ClusterPorts
  connections: Connections
  watchCaches: WatchCaches
  scopes: AppScopes
  live: Pick<Live, 'changed'>
  log: Logger
}

const restMs = 250
const retryMs = 5000

/** Keeps what is known of an app's state fresh: while somebody looks at it, after an action, and in the slow pass. */
export function createAppWatch(deps: AppWatchDeps) {
  const { ports, connections, scopes, live, log } = deps

  async function stateOf(tenantId: string, app: AppPlace, view?: NamespaceView): Promise<StateOfApp> {
    try {
      return await stateSeen(tenantId, app, view)
    } catch (error) {
      const { cause } = error instanceof Error ? error : {}
      if (cause instanceof ReleaseUnreadableError) return stateOfUnreadable(cause.message)
      throw error
    }
  }

  /** A healthy app is known by its own objects; only of another one is read what says why. */
  async function stateSeen(tenantId: string, app: AppPlace, view?: NamespaceView): Promise<StateOfApp> {
    const connection = await connections.to(tenantId, app.clusterId)
    const asSeen = async (look: Look) => {
      const scope = await scopes.read(app, connection, look)
      const { content } = scope
      const found = stateOfApp({ ...scope, content: content && (await mended(log, app, connection, content)) })
      // Pods say why they have ended in words of their own.
      const hide = found.message && content && (await ports.redactor(tenantId, app.id, content.release))
      return hide ? { ...found, message: hide(found.message ?? '') } : found
    }
    if (view) return asSeen(() => view)
    const found = await asSeen((_, namespace, { objects }) => readObjects(connection, namespace, objects))
    if (found.state === 'healthy') return found
    return asSeen((_, namespace, { objects }) => readNamespace(connection, namespace, kindsOfState(objects)))
  }

  async function write(tenantId: string, app: AppPlace, view?: NamespaceView): Promise<void> {
    if (app.releaseName === null || !mayOverwrite(app.state)) return
    const { state, message } = await stateOf(tenantId, app, view)
    if (state === app.state && message === app.stateMessage) return
    // An action that has begun or ended meanwhile knows better than what was seen before it.
    if (!(await ports.setAppState(tenantId, app, state, message))) return
    live.changed(tenantId, 'app', app.id, app.spaceId)
    live.changed(tenantId, 'apps', undefined, app.spaceId)
  }

  async function refresh(tenantId: string, appId: string, view?: NamespaceView): Promise<void> {
    const app = await ports.app(tenantId, appId)
    if (app) await write(tenantId, app, view)
  }

  /** How an app is at the end of an action that has failed with these words. */
  async function afterFailure(tenantId: string, appId: string, said: string): Promise<StateOfApp | undefined> {
    const app = await ports.app(tenantId, appId)
    if (!app || app.releaseName === null) return undefined
    return stateOf(tenantId, { ...app, state: 'failed', stateMessage: said })
  }

  async function lock(tenantId: string, appId: string): Promise<ReleaseLock | undefined> {
    const app = await ports.app(tenantId, appId)
    if (!app || app.releaseName === null) return undefined
    // An action that asks this for itself works on the app, and wants to know who else does.
    return (await scopes.read({ ...app, state: 'unknown' }, await connections.to(tenantId, app.clusterId))).lock
  }

  const look = (tenantId: string, appId: string) => follow(deps, refresh, tenantId, appId)

  return { look, refresh, afterFailure, lock }
}
export type AppWatch = ReturnType<typeof createAppWatch>

/** Marks older revisions that count as deployed as superseded: the newest is the deployed one, as for Helm. */
async function mended(log: Logger, app: AppPlace, connection: ClusterConnection, content: Content): Promise<Content> {
  const older = deployedBeside(content.history)
  if (older.length === 0 || !mayOverwrite(app.state)) return content
  const change = {
    from: 'deployed',
    to: 'superseded',
    description: 'Counted as deployed beside a newer revision',
  } as const
  const done: number[] = []
  for (const revision of older) {
    const { namespace, releaseName } = app
    const isDone = await setReleaseStatus(connection, namespace, releaseName ?? '', { ...change, revision })
    if (isDone) done.push(revision)
  }
  log.warn({ appId: app.id, older, done }, 'several revisions of a release counted as deployed')
  const history = content.history.map((each) =>
    done.includes(each.revision) ? { ...each, status: 'superseded' } : each,
  )
  return { ...content, history }
}

/** For as long as somebody looks at the app. */
function follow(
  deps: AppWatchDeps,
  refresh: (tenantId: string, appId: string, view: NamespaceView) => Promise<void>,
  tenantId: string,
  appId: string,
): () => void {
  const { ports, connections, watchCaches, live, log } = deps
  let cache: WatchCache | undefined
  let spaceId: string | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const fail = (error: unknown) => log.debug({ err: error, appId }, 'an app could not be watched')
  const tell = () => {
    timer = undefined
    if (stopped) return
    live.changed(tenantId, 'app', appId, spaceId)
    if (cache?.isComplete()) refresh(tenantId, appId, cache).catch(fail)
  }
  const soon = () => {
    if (!stopped) timer ??= setTimeout(tell, restMs)
  }
  const start = async () => {
    const app = await ports.app(tenantId, appId)
    if (!app || stopped) return
    spaceId = app.spaceId
    const connection = await connections.to(tenantId, app.clusterId)
    if (stopped) return
    cache = watchCaches.enter(app.clusterId, connection, app.namespace, soon)
  }
  const begin = () => {
    start().catch((error: unknown) => {
      fail(error)
      if (!stopped) timer = setTimeout(begin, retryMs)
    })
  }
  begin()
  return () => {
    stopped = true
    clearTimeout(timer)
    cache?.leave()
  }
}
