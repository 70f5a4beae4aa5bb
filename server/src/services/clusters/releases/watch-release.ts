import type { Waiting } from '@quayside/contract/live/live'
import type { Release } from '../../../adapters/helm/release.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { isWatchedKind, type NamespaceView, type WatchedKind } from '../workloads/namespace-view.ts'
import { eventTime } from '../workloads/present.ts'
import type { WatchCache, WatchCaches } from '../workloads/watch-cache.ts'
import { type Part, partsOf } from './app-parts.ts'
import { type Hopeless, hopelessOf } from './hopeless.ts'
import { isReleaseSecret, type ReleaseContent, type Releases, revisionOf, selectorOf } from './releases.ts'

export type WaitingState = Pick<Waiting, 'ready' | 'total' | 'objects'>

const restMs = 250
/** A release that is through by then needs nobody to explain what it waits for, and a watch costs a connection. */
const graceMs = 1000
const mostObjects = 200

interface WatchReleaseInput {
  clusterId: string
  connection: ClusterConnection
  namespace: string
  releaseName: string
}

export interface MoreOfWatch {
  /** The objects are waited for until they are gone. */
  isRemoval: boolean
  /** Called with each revision, before anything is told that depends on it. */
  onRelease(release: Release): Promise<void> | void
  /** Called with what cannot become ready by itself, whenever that changes. */
  onHopeless?(found: readonly Hopeless[]): void
}

/** From a second on: tells what the newest revision waits for whenever that changes, at most four times a second. */
export function watchRelease(
  deps: { watchCaches: WatchCaches; releases: Releases; log: Logger },
  { clusterId, connection, namespace, releaseName }: WatchReleaseInput,
  onWaiting: (state: WaitingState) => void,
  { isRemoval = false, onRelease = () => undefined, onHopeless }: Partial<MoreOfWatch> = {},
): { stop(): void } {
  let seen = 0
  let newest: ReleaseContent | undefined
  let secrets: { stop(): void } | undefined
  let cache: WatchCache | undefined
  let said = ''
  let hopeless = ''
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const tell = () => {
    timer = undefined
    if (stopped || !newest || !cache?.isComplete()) return
    const found = onHopeless && !isRemoval ? hopelessIn(newest, cache, namespace) : []
    const keys = JSON.stringify(found)
    if (keys !== hopeless) onHopeless?.(found)
    hopeless = keys
    const state = waitingOf(newest, cache, namespace, isRemoval)
    const text = JSON.stringify(state)
    if (text === said) return
    said = text
    onWaiting(state)
  }
  const soon = () => {
    if (!stopped) timer ??= setTimeout(tell, restMs)
  }
  const read = async (secret: KubeObject, revision: number) => {
    const content = await deps.releases.contentOf(secret)
    if (stopped || revision < seen) return
    await onRelease(content.release)
    if (stopped || revision < seen) return
    newest = content
    const before = cache
    cache = deps.watchCaches.enter(clusterId, connection, namespace, soon, kindsOf(content))
    before?.leave()
    soon()
  }
  const begin = () => {
    const selected = { namespace, labelSelector: selectorOf(releaseName) }
    secrets = connection.watch('v1/secrets', selected, {
      change(type, secret) {
        const revision = revisionOf(secret)
        if (type === 'DELETED' || !isReleaseSecret(secret) || revision <= seen) return
        seen = revision
        read(secret, revision).catch((error: unknown) =>
          deps.log.warn({ err: error, releaseName }, 'a release could not be read'),
        )
      },
      gap() {},
    })
  }
  const beginning = setTimeout(begin, graceMs)

  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(beginning)
      secrets?.stop()
      cache?.leave()
    },
  }
}

const made: readonly WatchedKind[] = ['Pod', 'ReplicaSet', 'Event']

/** Only the kinds of this release, and what these make: each one is a connection. */
function kindsOf({ objects, hooks }: ReleaseContent): WatchedKind[] {
  const named = [...objects, ...hooks].map(({ kind }) => kind).filter(isWatchedKind)
  return [...new Set([...named, ...made])].filter((kind) => kind !== 'ServiceAccount')
}

/** The objects of a release that can be waited for, those that are not ready first, each with its last event. */
export function waitingOf(
  content: Pick<ReleaseContent, 'objects' | 'hooks'>,
  view: NamespaceView,
  namespace: string,
  isRemoval = false,
): WaitingState {
  const objects = content.objects.filter(
    ({ kind, body }) => isWatchedKind(kind) && kind !== 'ServiceAccount' && !(isRemoval && isKept(body)),
  )
  const parts = partsOf({ namespace, objects, hooks: content.hooks, view, others: new Map() })
  const roots = parts.filter(
    ({ parent, kind, hook }) => parent === null && kind !== 'ServiceAccount' && !(isRemoval && hook),
  )
  const events = view.of('Event')
  const rows = roots.map((root) => (isRemoval ? removalOf(root, parts) : rowOf(root, parts, events)))
  rows.sort((a, b) => Number(a.ready) - Number(b.ready) || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name))
  return { ready: rows.filter(({ ready }) => ready).length, total: rows.length, objects: rows.slice(0, mostObjects) }
}

/** Everything of a release that cannot become ready by itself. */
export function hopelessIn(
  { objects, hooks }: Pick<ReleaseContent, 'objects' | 'hooks'>,
  view: NamespaceView,
  namespace: string,
): Hopeless[] {
  const parts = partsOf({ namespace, objects, hooks, view, others: new Map() })
  const around = { events: view.of('Event'), replicaSets: view.of('ReplicaSet') }
  return parts
    .filter(({ parent, hook }) => parent === null && !hook)
    .flatMap((root) => {
      const family = familyOf(root, parts)
      return hopelessOf(
        root,
        parts.filter(({ id }) => family.has(id)),
        around,
      )
    })
}

function rowOf(root: Part, parts: readonly Part[], events: readonly KubeObject[]): WaitingState['objects'][number] {
  const ready = root.state.state === 'healthy'
  const { message, detail } = root.state
  return {
    kind: cleanText(root.kind, 63),
    name: cleanText(root.name, 253),
    ready,
    detail: cleanText(root.object === undefined ? 'Not there yet' : ready ? detail : (message ?? detail), 300),
    lastEvent: ready ? null : lastEventOf(root, parts, events),
  }
}

/** Describes an object that is to be removed: still there, being removed with the objects it made, or gone. */
function removalOf(root: Part, parts: readonly Part[]): WaitingState['objects'][number] {
  const made = parts.filter(({ id }) => id !== root.id && familyOf(root, parts).has(id))
  const going = fieldsOf(root.object?.metadata).deletionTimestamp !== undefined
  const rest = made.length === 0 ? '' : `, with ${made.length} ${made.length === 1 ? 'object' : 'objects'} that it made`
  const gone = root.object === undefined
  return {
    kind: cleanText(root.kind, 63),
    name: cleanText(root.name, 253),
    ready: gone,
    detail: gone ? 'Removed' : `${going ? 'Being removed' : 'Still there'}${rest}`,
    lastEvent: null,
  }
}

function isKept(body: Record<string, unknown>): boolean {
  return textOf(fieldsOf(fieldsOf(body.metadata).annotations)['helm.sh/resource-policy']).trim() === 'keep'
}

function familyOf(root: Part, parts: readonly Part[]): Set<string> {
  const family = new Set([root.id])
  for (const part of parts) if (part.parent !== null && family.has(part.parent)) family.add(part.id)
  return family
}

function lastEventOf(root: Part, parts: readonly Part[], events: readonly KubeObject[]): string | null {
  const family = familyOf(root, parts)
  let newest: { at: string; text: string } | undefined
  for (const event of events) {
    const about = fieldsOf(event.involvedObject)
    const isOwn = family.has(textOf(about.uid)) || (about.kind === root.kind && about.name === root.name)
    if (!isOwn) continue
    const at = eventTime(event)
    if (!newest || at >= newest.at)
      newest = { at, text: cleanText(`${textOf(event.reason)}: ${textOf(event.message)}`, 300) }
  }
  return newest?.text ?? null
}
