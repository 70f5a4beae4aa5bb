import type { Sample } from '../../../adapters/prometheus/remote-write.ts'
import type { ClusterUse } from '../../clusters/index.ts'
import { type Level, type LineOf, metricOf, type Resource } from '../names.ts'

interface Seen {
  tenantId: string
  clusterId: string
  use: Pick<ClusterUse, 'pods' | 'nodes'>
  /** Spaces by the namespace that is theirs on the cluster. */
  spaces: ReadonlyMap<string, string>
  /** Apps by namespace and release, as `releaseKey` makes it. */
  apps: ReadonlyMap<string, string>
  /** Requests of everything on the cluster, and what its nodes have to give. */
  whole: { requests: Amount; capacity: Amount }
}
type Amount = Record<Resource, number>
type Labels = Record<string, string>
type Pod = ClusterUse['pods'][number]

/** Most samples of single pods in one round: beyond it their sums are kept alone. */
const mostDetails = 15_000
const resources = ['cpu', 'memory'] as const
const lines = ['usage', 'requests', 'limits'] as const

export const releaseKey = (namespace: string, release: string) => `${namespace}/${release}`

/** The samples of one round: of pods, apps, spaces, nodes and the cluster, each with the labels of its place. */
export function samplesOf({ tenantId, clusterId, use, spaces, apps, whole }: Seen): Sample[] {
  const place = { tenant: tenantId, cluster: clusterId }
  const pods = use.pods.flatMap((pod) => {
    const space = spaces.get(pod.namespace)
    if (space === undefined) return []
    const app = pod.release === null ? undefined : apps.get(releaseKey(pod.namespace, pod.release))
    const inSpace = { ...place, space, namespace: pod.namespace }
    const inApp = app === undefined ? undefined : { ...inSpace, app, release: pod.release ?? '' }
    return [{ pod, inSpace, inApp }]
  })
  const details: Sample[] = []
  for (const { pod, inSpace, inApp } of pods) {
    const labels = { ...(inApp ?? inSpace), pod: pod.name }
    details.push(...sums('pod', labels, [pod]))
  }
  const isOf = <T>(key: (one: (typeof pods)[number]) => T | undefined) => Map.groupBy(pods, key)
  const spaceSums = [...isOf(({ inSpace }) => inSpace.namespace).values()].flatMap((group) =>
    sums(
      'space',
      group[0]?.inSpace ?? place,
      group.map(({ pod }) => pod),
    ),
  )
  const appSums = [...isOf(({ inApp }) => inApp?.app)].flatMap(([app, group]) =>
    app === undefined
      ? []
      : sums(
          'app',
          group[0]?.inApp ?? place,
          group.map(({ pod }) => pod),
        ),
  )
  return [
    ...clusterSamples(place, use, whole),
    ...spaceSums,
    ...appSums,
    ...(details.length > mostDetails ? [] : details),
  ]
}

/** Sums of what pods use, request and are limited to. A limit counts where every container has one. */
function sums(level: Level, labels: Labels, pods: readonly Pod[]): Sample[] {
  const samples: Sample[] = []
  for (const resource of resources) {
    const containers = pods.flatMap((pod) => pod.containers.map((container) => container[resource]))
    for (const line of lines) {
      const known = containers.flatMap((amounts) => amounts[line] ?? [])
      const isWhole = line !== 'limits' || known.length === containers.length
      if (known.length > 0 && isWhole) push(samples, [level, resource, line], labels, total(known))
    }
  }
  return samples
}

function clusterSamples(place: Labels, { nodes }: Seen['use'], { requests, capacity }: Seen['whole']): Sample[] {
  const samples: Sample[] = []
  for (const resource of resources) {
    for (const node of nodes) {
      const labels = { ...place, node: node.name }
      push(samples, ['node', resource, 'usage'], labels, node[resource].usage)
      push(samples, ['node', resource, 'capacity'], labels, node[resource].capacity)
    }
    const used = nodes.flatMap((node) => node[resource].usage ?? [])
    if (used.length > 0) push(samples, ['cluster', resource, 'usage'], place, total(used))
    push(samples, ['cluster', resource, 'requests'], place, requests[resource])
    push(samples, ['cluster', resource, 'capacity'], place, capacity[resource])
  }
  return samples
}

function push(
  samples: Sample[],
  [level, resource, line]: [Level, Resource, LineOf],
  labels: Labels,
  value: number | null,
) {
  if (value !== null) samples.push({ labels: { __name__: metricOf(level, resource, line), ...labels }, value })
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
