import type { KubeObject } from '../object-store.ts'
import { type Doc, docOf, isDoc, listOf } from '../store/doc.ts'

const without = (source: Doc, ...names: string[]): Doc =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)))

const OLD_METRICS = 'autoscaling.alpha.kubernetes.io/metrics'

function isCpuUtilization(metric: unknown): boolean {
  const resource = docOf(docOf(metric).resource)
  return resource.name === 'cpu' && docOf(resource.target).type === 'Utilization'
}

/** autoscaling/v2 as v1 tells it: the CPU target is a field, other metrics live in an annotation. */
function hpaFromStorage(object: KubeObject): KubeObject {
  const spec = docOf(object.spec)
  const metrics = listOf(spec.metrics)
  const cpu = metrics.find(isCpuUtilization)
  const others = metrics.filter((metric) => metric !== cpu)
  const target = docOf(docOf(docOf(cpu).resource).target).averageUtilization
  const status = docOf(object.status)
  const current = docOf(
    docOf(
      listOf(status.currentMetrics)
        .map((metric) => docOf(metric).resource)
        .find(isDoc),
    ).current,
  )
  const annotations =
    others.length > 0 ? { ...object.metadata.annotations, [OLD_METRICS]: JSON.stringify(others) } : undefined
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: annotations ? { ...object.metadata, annotations } : object.metadata,
    spec: {
      ...without(spec, 'metrics', 'behavior'),
      ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
    },
    status: {
      ...without(status, 'currentMetrics', 'conditions'),
      ...(current.averageUtilization === undefined
        ? {}
        : { currentCPUUtilizationPercentage: current.averageUtilization }),
    },
  }
}

function hpaToStorage(object: KubeObject): KubeObject {
  const spec = docOf(object.spec)
  const target = spec.targetCPUUtilizationPercentage
  const { [OLD_METRICS]: noted, ...annotations } = object.metadata.annotations ?? {}
  const others = noted ? listOf(JSON.parse(noted)) : []
  const cpu =
    typeof target === 'number'
      ? [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } } }]
      : []
  const metrics = [...cpu, ...others]
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: noted ? { ...object.metadata, annotations } : object.metadata,
    spec: {
      ...without(spec, 'targetCPUUtilizationPercentage'),
      ...(metrics.length > 0 ? { metrics } : {}),
    },
  }
}

/** Horizontal autoscalers are kept as autoscaling/v2. */
export const hpaV1Conversion = { fromStorage: hpaFromStorage, toStorage: hpaToStorage }

const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
]

function renamed(object: KubeObject, apiVersion: string, from: 0 | 1): KubeObject {
  const names = new Map(RENAMED.map((pair) => [pair[from], pair[1 - from] ?? '']))
  const entries = Object.entries(object).map(([field, value]) => [names.get(field) ?? field, value])
  return { ...(Object.fromEntries(entries) as KubeObject), apiVersion }
}

/** Events are kept as the core group has them. */
export const eventConversion = {
  fromStorage: (object: KubeObject) => renamed(object, 'events.k8s.io/v1', 0),
  toStorage: (object: KubeObject) => renamed(object, 'v1', 1),
}
