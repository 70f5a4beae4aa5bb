import type { NodeUsage, PodUsage, Usage, UsageLine, UsageRange } from '@quayside/contract/metrics/endpoints'
import { mostPodsShown } from '@quayside/contract/metrics/rules'
import type { Prometheus } from '../../adapters/prometheus/prometheus.ts'
import type { Apps } from '../apps/index.ts'
import type { Collections } from './collections.ts'
import type { LineOf, Resource } from './names.ts'
import { lastQuery, lineQuery, type Place, type Points, pointsOf } from './queries.ts'

interface UsageDeps {
  /** Undefined where the portal has none. */
  prometheus: Prometheus | undefined
  everySeconds: number
  collections: Collections
  apps: Pick<Apps, 'byIds'>
}
type Labels = Readonly<Record<string, string>>
/** Last values of pods or nodes by resource and line, such as `cpu usage`. */
type Figures = Map<string, { labels: Labels; values: Map<string, number> }>

const hourMs = 3_600_000
const resources = ['cpu', 'memory'] as const
const linesOf = {
  app: ['usage', 'requests', 'limits'],
  space: ['usage', 'requests', 'limits'],
  cluster: ['usage', 'requests', 'capacity'],
} as const satisfies Record<Place['level'], readonly LineOf[]>

/** Reads what was collected of a place. */
export function createUsage(deps: UsageDeps) {
  const last = createLast(deps)
  return {
    over: createOver(deps),

    /** The busiest first. */
    async pods(labels: Place['labels']): Promise<PodUsage[]> {
      const figures = await last('pod', labels, ['usage', 'requests', 'limits'])
      const appIds = new Set([...figures.values()].flatMap((one) => one.labels.app ?? []))
      const apps = new Map((await deps.apps.byIds(labels.tenant, [...appIds])).map((app) => [app.id, app]))
      const pods = [...figures.values()].map(
        ({ labels: { cluster = '', namespace = '', pod = '', app = '' }, values }) => {
          const of = (resource: Resource) => ({
            usage: values.get(`${resource} usage`) ?? null,
            requests: values.get(`${resource} requests`) ?? null,
            limits: values.get(`${resource} limits`) ?? null,
          })
          const known = apps.get(app)
          return {
            ...{ clusterId: cluster, namespace, pod },
            app: known ? { id: app, displayName: known.displayName } : null,
            ...{ cpu: of('cpu'), memory: of('memory') },
          }
        },
      )
      return pods.sort((a, b) => byUse(a, b) || a.pod.localeCompare(b.pod)).slice(0, mostPodsShown)
    },

    /** The busiest first. */
    async nodes(labels: Place['labels']): Promise<NodeUsage[]> {
      const figures = await last('node', labels, ['usage', 'capacity'])
      const nodes = [...figures.values()].map(({ labels: { node = '' }, values }) => {
        const of = (resource: Resource) => ({
          usage: values.get(`${resource} usage`) ?? null,
          capacity: values.get(`${resource} capacity`) ?? null,
        })
        return { node, cpu: of('cpu'), memory: of('memory') }
      })
      return nodes.sort((a, b) => byUse(a, b) || a.node.localeCompare(b.node))
    },
  }
}

type HasCpu = { cpu: { usage: number | null } }
/** Things that were not measured come last. */
const byUse = (a: HasCpu, b: HasCpu) => (b.cpu.usage ?? -1) - (a.cpu.usage ?? -1)

export type UsageReads = ReturnType<typeof createUsage>

function createOver({ prometheus, everySeconds, collections }: UsageDeps) {
  async function lines(place: Place, resource: Resource, points: Points): Promise<UsageLine[]> {
    if (!prometheus || points.to < points.from) return []
    const all = linesOf[place.level].map(async (of) => {
      const [found] = await prometheus.range(lineQuery(place, [resource, of], points, everySeconds), points)
      return found ? [{ of, values: onPoints(found.values, points) }] : []
    })
    return (await Promise.all(all)).flat()
  }

  /** The use of a place over time, and how the figures of these clusters arrive. */
  return async function over(
    place: Place,
    clusterIds: readonly string[],
    given: UsageRange,
    wanted: readonly Resource[] = resources,
  ): Promise<Usage> {
    const to = given.to === undefined ? Date.now() : Date.parse(given.to)
    const from = given.from === undefined ? to - hourMs : Date.parse(given.from)
    const points = pointsOf({ from, to }, everySeconds)
    const [cpu, memory, arriving] = await Promise.all([
      wanted.includes('cpu') ? lines(place, 'cpu', points) : [],
      wanted.includes('memory') ? lines(place, 'memory', points) : [],
      collections(place.labels.tenant, clusterIds),
    ])
    return {
      from: new Date(points.from).toISOString(),
      to: new Date(points.to).toISOString(),
      stepSeconds: points.stepSeconds,
      ...{ cpu, memory, collections: arriving },
    }
  }
}

function createLast({ prometheus, everySeconds }: UsageDeps) {
  /** The last figures of each pod or node of a place. */
  return async function last(level: 'pod' | 'node', labels: Place['labels'], lines: readonly LineOf[]) {
    const figures: Figures = new Map()
    const asked = resources.flatMap((resource) => lines.map((line) => [resource, line] as const))
    await Promise.all(
      asked.map(async ([resource, line]) => {
        const query = lastQuery(level, labels, [resource, line], everySeconds)
        for (const one of (await prometheus?.now(query)) ?? []) {
          const { cluster, namespace, pod, node } = one.labels
          const key = JSON.stringify([cluster, namespace, pod, node])
          const known = figures.get(key) ?? { labels: one.labels, values: new Map<string, number>() }
          known.values.set(`${resource} ${line}`, one.value)
          figures.set(key, known)
        }
      }),
    )
    return figures
  }
}

/** Values by points, null where the series has none. */
function onPoints(values: readonly [number, number][], { from, to, stepSeconds }: Points): (number | null)[] {
  const points = new Array<number | null>(Math.floor((to - from) / 1000 / stepSeconds) + 1).fill(null)
  for (const [at, value] of values) {
    const index = Math.round((at - from / 1000) / stepSeconds)
    if (index >= 0 && index < points.length && Number.isFinite(value)) points[index] = value
  }
  return points
}
