import { vi } from 'vitest'
import { createAccess } from '../auth/access.ts'
import { createClock } from '../clock.ts'
import type { GroupResource, KubeObject, ObjectMeta } from '../object-store.ts'
import { createStore } from '../store/memory-store.ts'
import { type Controllers, startControllers } from './controllers.ts'
import { type ObjectOf, typedStore } from './engine/typed-store.ts'
import { type NodePool, seedCluster } from './seed.ts'

// Generous, for machines that are busy with other things: nothing here waits when all is well.
const waitMs = 15_000
vi.setConfig({ testTimeout: waitMs + 5_000 })

type Draft = Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> & { name: string } }

const POOL: NodePool = { name: 'node', count: 3, cpu: '4', memory: '8Gi' }

/** A living cluster without its API, on a clock that runs `speed` times as fast. */
export function liveCluster({ pools = [POOL], speed = 100 }: { pools?: NodePool[]; speed?: number } = {}) {
  const clock = createClock(speed)
  const objects = createStore({ clock, hasGeneration: () => true })
  const store = typedStore(objects)
  const failures: unknown[] = []
  const onError = (error: unknown, where: string) => failures.push(where, error)
  const access = createAccess(objects)
  seedCluster({ store: objects, clock, pools })
  let controllers: Controllers = startControllers({ store: objects, clock, access, onError })

  const apply = (resource: GroupResource, object: Draft) =>
    store.create(resource, { ...object, metadata: { namespace: 'default', ...object.metadata } })

  /** Resolves with the first truthy answer; asked again after every change, and now and then. */
  async function until<T>(what: string, look: () => T | undefined | false | null): Promise<T> {
    const deadline = Date.now() + waitMs
    for (;;) {
      const seen = look()
      if (seen) return seen
      if (failures.length > 0) throw new Error(`while waiting for ${what}`, { cause: failures })
      if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}\n${told().slice(-4000)}`)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  }

  const told = () =>
    store
      .list('/events')
      .map((event) => `${(event.involvedObject as { name: string }).name}: ${event.reason} ${event.message}`)
      .join('\n')

  return {
    clock,
    objects,
    store,
    failures,
    apply,
    until,
    get: <R extends GroupResource>(resource: R, name: string): ObjectOf<R> | undefined =>
      store.get(resource, 'default', name),
    pods: (prefix = '') => store.list('/pods', 'default').filter(({ metadata }) => metadata.name.startsWith(prefix)),
    /** Events about objects whose name starts with `prefix`, as `Reason message`. */
    events: (prefix: string) =>
      store
        .list('/events')
        .filter((event) => (event.involvedObject as { name: string }).name.startsWith(prefix))
        .map((event) => `${event.reason} ${event.message}`),
    restart() {
      controllers.close()
      controllers = startControllers({ store: objects, clock, access, onError })
    },
    controllers: () => controllers,
    [Symbol.dispose]() {
      controllers.close()
      access.close()
      clock.close()
    },
  }
}

/** The least of a pod template, with the parts a test is about. */
export function template(app: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) {
  const containers = [{ name: 'app', image: `registry.example/${app}:1` }]
  return { metadata: { labels: { app }, annotations }, spec: { containers, ...spec } }
}

export function deployment(name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations },
    spec: { replicas: 2, selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  }
}
