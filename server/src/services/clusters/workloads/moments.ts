import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { countOf, fieldsOf, listOf, textOf } from './fields.ts'

/**
 * When an object was last made, changed or told to go, by the cluster's own clock; 0 when it does not say. What is only
 * its state (a pod that crashes again and again) is no change of it.
 */
export function lastMoment({ metadata }: Pick<KubeObject, 'metadata'>): number {
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, managedFields } = fieldsOf(metadata)
  const changes = listOf(managedFields).flatMap(({ subresource, time }) => (textOf(subresource) === '' ? [time] : []))
  // An object in its grace carries the end of that.
  const going = Date.parse(textOf(deletionTimestamp)) - countOf(deletionGracePeriodSeconds) * 1000
  const moments = [creationTimestamp, ...changes].map((time) => Date.parse(textOf(time)))
  return Math.max(0, ...[...moments, going].filter(Number.isFinite))
}

/** When something last moved among a release's objects and what these made; what a schedule makes says nothing. */
export function lastMoved(parts: readonly Part[]): number {
  const makers = new Set(parts.filter(({ parent, kind }) => parent === null && kind !== 'CronJob').map(({ id }) => id))
  const counted = parts.filter(({ parent }) => parent === null || makers.has(parent))
  return Math.max(0, ...counted.map(({ object }) => (object ? lastMoment(object) : 0)))
}
