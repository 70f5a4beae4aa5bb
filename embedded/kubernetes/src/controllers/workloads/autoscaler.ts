import { quantityNumber } from '../../machinery/quantity.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import { withCondition } from '../engine/conditions.ts'
import { type Engine, millis, timestamp } from '../engine/engine.ts'
import type { HorizontalPodAutoscaler, MetricSpec } from '../engine/kinds.ts'
import { resourceOfKind } from '../engine/owners.ts'
import type { Condition, LabelSelector, Pod } from '../engine/pod-kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import { isActive, isReady } from './pod-facts.ts'
import { podUsage } from './pod-usage.ts'

const SOURCE = { component: 'horizontal-pod-autoscaler' }
const SYNC_MS = 15_000
const TOLERANCE = 0.1
const CALM_MS = 300_000

interface Target {
  resource: GroupResource
  object: KubeObject & { spec: { replicas?: number; selector?: LabelSelector } }
}

interface Reading {
  ratio: number
  current: object
}

/** Follows simulated CPU and memory use with the number of replicas. */
export function autoscalerController(engine: Engine): Controller {
  const { store, clock } = engine
  return {
    name: 'HorizontalPodAutoscaler',
    watches: {
      'autoscaling/horizontalpodautoscalers': (event, resource) =>
        event.type === 'MODIFIED' && event.old.spec === event.object.spec ? undefined : itself(event, resource),
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const scaler = store.get('autoscaling/horizontalpodautoscalers', namespace, name)
      if (!scaler || scaler.metadata.deletionTimestamp) return undefined
      const target = targetOf(engine, scaler)
      if (target) scale(engine, scaler, target)
      else withoutTarget(engine, scaler, timestamp(clock.now()))
      return SYNC_MS
    },
  }
}

function targetOf({ store }: Engine, { metadata, spec }: HorizontalPodAutoscaler): Target | undefined {
  const { apiVersion = 'apps/v1', kind, name } = spec.scaleTargetRef
  const place = resourceOfKind(store, apiVersion, kind)
  const object = place && store.get(place.resource, metadata.namespace, name)
  return place && object && { resource: place.resource, object: object as Target['object'] }
}

function withoutTarget({ store, events }: Engine, scaler: HorizontalPodAutoscaler, now: string) {
  const { kind, name } = scaler.spec.scaleTargetRef
  const message = `the HPA controller was unable to get the target's current scale: ${kind.toLowerCase()}s "${name}" not found`
  const condition = { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }
  events.emit(scaler, SOURCE, 'Warning', 'FailedGetScale', message)
  store.setStatus('autoscaling/horizontalpodautoscalers', scaler, {
    currentReplicas: 0,
    desiredReplicas: 0,
    currentMetrics: null,
    ...scaler.status,
    conditions: withCondition(scaler.status?.conditions, condition, now),
  })
}

function metricsOf({ spec }: HorizontalPodAutoscaler): MetricSpec[] {
  if (spec.metrics?.length) return spec.metrics
  const averageUtilization = spec.targetCPUUtilizationPercentage ?? 80
  return [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }]
}

function read(engine: Engine, { resource }: MetricSpec, pods: Pod[]): Reading | undefined {
  if (!resource || (resource.name !== 'cpu' && resource.name !== 'memory') || pods.length === 0) return undefined
  const what = resource.name
  let used = 0
  let requested = 0
  for (const pod of pods) {
    for (const usage of podUsage(engine.store, pod, engine.clock.now()).values()) used += usage[what]
    for (const { resources } of pod.spec.containers) requested += quantityNumber(resources?.requests?.[what])
  }
  const average = used / pods.length
  const averageValue = what === 'cpu' ? `${Math.round(average * 1000)}m` : String(Math.round(average))
  const { averageUtilization, averageValue: wanted } = resource.target
  if (wanted) return { ratio: average / quantityNumber(wanted), current: entry(what, { averageValue }) }
  if (requested === 0 || !averageUtilization) return undefined
  const utilization = Math.round((used / requested) * 100)
  return {
    ratio: utilization / averageUtilization,
    current: entry(what, { averageUtilization: utilization, averageValue }),
  }
}

const entry = (name: string, current: object) => ({ type: 'Resource', resource: { name, current } })

function scale(engine: Engine, scaler: HorizontalPodAutoscaler, { resource, object }: Target) {
  const { store, clock, events } = engine
  const nowMs = clock.now()
  const now = timestamp(nowMs)
  const current = object.spec.replicas ?? 1
  const pods = store
    .list('/pods', scaler.metadata.namespace)
    .filter((pod) => isActive(pod) && isReady(pod) && selects(object.spec.selector, pod.metadata.labels))
  const readings = metricsOf(scaler).flatMap((metric) => read(engine, metric, pods) ?? [])
  const wanted = current === 0 ? 0 : decide(scaler, current, readings, nowMs)
  const { minReplicas = 1, maxReplicas } = scaler.spec
  const desired = current === 0 ? 0 : Math.min(Math.max(wanted, minReplicas), maxReplicas)
  if (desired !== current) {
    store.update(resource, object, (own) => ({ ...own, spec: { ...(own.spec as object), replicas: desired } }))
    const reason =
      desired > current ? 'cpu resource utilization (percentage of request) above target' : 'All metrics below target'
    events.emit(scaler, SOURCE, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`)
  }
  store.setStatus('autoscaling/horizontalpodautoscalers', scaler, {
    observedGeneration: scaler.metadata.generation,
    currentReplicas: current,
    desiredReplicas: desired,
    lastScaleTime: desired === current ? scaler.status?.lastScaleTime : now,
    currentMetrics: readings.length > 0 ? readings.map((reading) => reading.current) : null,
    conditions: conditionsFor(current, wanted, desired, readings.length > 0).reduce(
      (list, condition) => withCondition(list, condition, now),
      scaler.status?.conditions,
    ),
  })
}

function decide({ status }: HorizontalPodAutoscaler, current: number, readings: Reading[], nowMs: number): number {
  if (readings.length === 0) return current
  const ratio = Math.max(...readings.map((reading) => reading.ratio))
  if (Math.abs(ratio - 1) <= TOLERANCE) return current
  const wanted = Math.ceil(current * ratio)
  const settling = wanted < current && nowMs - millis(status?.lastScaleTime) < CALM_MS
  return settling ? current : Math.min(wanted, Math.max(current * 2, 4))
}

function conditionsFor(current: number, wanted: number, desired: number, measured: boolean): Condition[] {
  const active: Condition = measured
    ? {
        type: 'ScalingActive',
        status: 'True',
        reason: 'ValidMetricFound',
        message:
          'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
      }
    : {
        type: 'ScalingActive',
        status: 'False',
        reason: current === 0 ? 'ScalingDisabled' : 'FailedGetResourceMetric',
        message:
          current === 0
            ? 'scaling is disabled since the replica count of the target is zero'
            : 'the HPA was unable to compute the replica count: no metrics returned from resource metrics API',
      }
  const limited: Condition =
    desired === wanted
      ? {
          type: 'ScalingLimited',
          status: 'False',
          reason: 'DesiredWithinRange',
          message: 'the desired count is within the acceptable range',
        }
      : {
          type: 'ScalingLimited',
          status: 'True',
          reason: desired < wanted ? 'TooManyReplicas' : 'TooFewReplicas',
          message: `the desired replica count is ${desired < wanted ? 'more than the maximum' : 'less than the minimum'} replica count`,
        }
  const able: Condition = {
    type: 'AbleToScale',
    status: 'True',
    reason: desired === current ? 'ReadyForNewScale' : 'SucceededRescale',
    message:
      desired === current
        ? 'recommended size matches current size'
        : `the HPA controller was able to update the target scale to ${desired}`,
  }
  return [able, active, limited]
}
