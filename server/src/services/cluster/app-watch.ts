import type { ClusterConnection } from '../../adapters/kubernetes/kubernetes.ts'
import type { Live } from '../../kernel/live.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AppScopes, Look } from './app-scope.ts'
import { kindsOfState, mayOverwrite, type StateOfApp, stateOfApp } from './app-state.ts'
import type { Connections } from './connections.ts'
import type { Mirror, Mirrors } from './mirrors.ts'
import { type NamespaceView, readNamespace, readObjects } from './namespace-view.ts'
import type { AppPlace, ClusterPorts } from './ports.ts'

export interface AppWatchDeps {
  ports: ClusterPorts
  connections: Connections
  mirrors: Mirrors
  scopes: AppScopes
  live: Pick<Live, 'changed'>
  log: Logger
}

const restMs = 250
const retryMs = 5000

/** Keeps what is known of an app's state fresh: while somebody looks at it, after an action, and in the slow pass. */
export function createAppWatch(deps: AppWatchDeps) {
  const { ports, connections, mirrors, scopes, live, log } = deps

  /** A healthy app is known by its own objects; only of another one is read what says why. */
  async function stateOf(app: AppPlace, connection: ClusterConnection, view?: NamespaceView): Promise<StateOfApp> {
    const asSeen = async (look: Look) => {
      const { content, parts } = await scopes.read(app, connection, look)
      return stateOfApp(content?.release, parts, app)
    }
    if (view) return asSeen(() => view)
    const found = await asSeen((_, namespace, { objects }) => readObjects(connection, namespace, objects))
    if (found.state === 'healthy') return found
    return asSeen((_, namespace, { objects }) => readNamespace(connection, namespace, kindsOfState(objects)))
  }

  async function write(tenantId: string, app: AppPlace, view?: NamespaceView): Promise<void> {
    if (app.releaseName === null || !mayOverwrite(app.state)) return
    const { state, message } = await stateOf(app, await connections.to(tenantId, app.clusterId), view)
    if (state === app.state && message === app.stateMessage) return
    await ports.setAppState(tenantId, app.id, state, message)
    live.changed(tenantId, 'app', app.id)
    live.changed(tenantId, 'apps')
  }

  async function refresh(tenantId: string, appId: string, view?: NamespaceView): Promise<void> {
    const app = await ports.app(tenantId, appId)
    if (app) await write(tenantId, app, view)
  }

  /** For as long as somebody looks at the app. */
  function look(tenantId: string, appId: string): () => void {
    let mirror: Mirror | undefined
    let timer: NodeJS.Timeout | undefined
    let stopped = false
    const fail = (error: unknown) => log.debug({ err: error, appId }, 'an app could not be watched')
    const tell = () => {
      timer = undefined
      if (stopped) return
      live.changed(tenantId, 'app', appId)
      if (mirror?.isComplete()) refresh(tenantId, appId, mirror).catch(fail)
    }
    const soon = () => {
      if (!stopped) timer ??= setTimeout(tell, restMs)
    }
    const start = async () => {
      const app = await ports.app(tenantId, appId)
      if (!app || stopped) return
      const connection = await connections.to(tenantId, app.clusterId)
      if (stopped) return
      mirror = mirrors.enter(app.clusterId, connection, app.namespace, soon)
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
      mirror?.leave()
    }
  }

  return { look, refresh }
}
export type AppWatch = ReturnType<typeof createAppWatch>
