import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { AppPlace, ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import { isOfRelease } from '../removal/orphans.ts'
import { isWatchedKind, type NamespaceView, readNamespace } from '../workloads/namespace-view.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import { keyOf, type Part, partsOf } from './app-parts.ts'
import { mayOverwrite } from './app-state.ts'
import { lockOf, type ReleaseLock } from './release-lock.ts'
import type { ReleaseRef } from './release-ref.ts'
import { asRefusal, type NewestRelease, type ReleaseContent, type Releases } from './releases.ts'

/** An app as it is in its cluster at this moment. */
export interface AppScope {
  app: AppPlace
  connection: ClusterConnection
  content: NewestRelease | undefined
  view: NamespaceView
  parts: Part[]
  /** The operation that holds the release's lock, unless it is one of the portal's own actions. */
  lock: ReleaseLock | undefined
}

export interface ScopeDeps {
  ports: Pick<ClusterPorts, 'app'>
  connections: Connections
  releases: Releases
  watchCaches: WatchCaches
  /** How long nothing may move before a Helm from outside counts as gone. */
  deadAfterSeconds: number
}

/** How much of a namespace is read for an app. */
export type Look = (
  connection: ClusterConnection,
  namespace: string,
  content: ReleaseContent,
) => NamespaceView | Promise<NamespaceView>

const readAll: Look = (connection, namespace) => readNamespace(connection, namespace)

type Other = KubeObject | 'missing' | 'unknown'
type Place = Pick<ReleaseRef, 'namespace' | 'releaseName'>

const othersKeptMs = 5000
const mostOthers = 200
const nothing: NamespaceView = { of: () => [] }

/** Finds what runs of an app: its newest revision, the objects of that, and what these made. */
export function createAppScopes({ ports, connections, releases, watchCaches, deadAfterSeconds }: ScopeDeps) {
  const others = new Map<string, { at: number; found: Promise<Map<string, Other>> }>()

  function othersOf(key: string, connection: ClusterConnection, content: ReleaseContent, place: Place) {
    const known = others.get(key)
    if (known && Date.now() - known.at < othersKeptMs) return known.found
    const found = readOthers(connection, content.objects, place)
    if (others.size > 500) others.clear()
    others.set(key, { at: Date.now(), found })
    found.catch(() => others.delete(key))
    return found
  }

  /** From a view that somebody keeps anyway, or as `look` asks the cluster. */
  async function read(app: AppPlace, connection: ClusterConnection, look: Look = readAll): Promise<AppScope> {
    const { namespace, releaseName, clusterId } = app
    const content = releaseName ? await releases.newest(connection, namespace, releaseName).catch(asRefusal) : undefined
    if (!content) return { app, connection, content, view: nothing, parts: [], lock: undefined }
    const key = `${clusterId}|${namespace}|${releaseName}|${content.release.revision}`
    const [view, extra] = await Promise.all([
      watchCaches.current(clusterId, namespace) ?? look(connection, namespace, content),
      othersOf(key, connection, content, { namespace, releaseName: releaseName ?? '' }),
    ])
    const { objects, hooks } = content
    const parts = partsOf({ namespace, objects, hooks, view, others: extra })
    const { revision, status } = content.release
    const held = { revision, status, changedAt: content.changedAt }
    const lock = mayOverwrite(app.state) ? lockOf(held, parts, { now: connection.now(), deadAfterSeconds }) : undefined
    return { app, connection, content, view, parts, lock }
  }

  return {
    read,
    async of(tenantId: string, appId: string): Promise<AppScope> {
      const app = await ports.app(tenantId, appId)
      if (!app) throw fail('app.not-found')
      return read(app, await connections.to(tenantId, app.clusterId))
    },
  }
}
export type AppScopes = ReturnType<typeof createAppScopes>

async function readOthers(
  connection: ClusterConnection,
  objects: readonly ManifestObject[],
  place: Place,
): Promise<Map<string, Other>> {
  const wanted = objects.filter(({ kind }) => !isWatchedKind(kind))
  const found = new Map<string, Other>()
  await Promise.all(
    wanted.map(async (object, index) => {
      const key = keyOf(object.kind, object.namespace ?? place.namespace, object.name)
      found.set(key, index < mostOthers ? await readOther(connection, object, place) : 'unknown')
    }),
  )
  return found
}

/**
 * A manifest is what its author writes, and whoever may write Secrets of the space is one: it must not make the portal
 * look into the namespaces of others, nor at what belongs to the whole cluster and is not marked as this release's own.
 */
async function readOther(connection: ClusterConnection, object: ManifestObject, place: Place): Promise<Other> {
  const { namespace, releaseName } = place
  try {
    const served = await connection.resourceOf(object.apiVersion, object.kind)
    if (!served) return 'unknown'
    if (served.namespaced && object.namespace !== undefined && object.namespace !== namespace) return 'unknown'
    const within = served.namespaced ? namespace : undefined
    const found = await connection.get(served.resource, within, object.name)
    const isOwn = found && (served.namespaced || isOfRelease(found.metadata.annotations ?? {}, namespace, releaseName))
    return isOwn ? withoutContent(found) : 'missing'
  } catch (error) {
    if ((error as { code?: unknown }).code === 'cluster.refused') return 'unknown'
    throw error
  }
}

/** Its identity and its state: what a Secret or ConfigMap holds is not kept. */
function withoutContent({ apiVersion, kind, metadata, status }: KubeObject): KubeObject {
  const { name, namespace, uid, creationTimestamp, ownerReferences } = metadata
  return { apiVersion, kind, metadata: { name, namespace, uid, creationTimestamp, ownerReferences }, status }
}
