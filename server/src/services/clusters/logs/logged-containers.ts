import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { countOf, fieldsOf, listOf, textOf } from '../workloads/fields.ts'

/** A container of an app's pod, as far as its log is concerned. */
export interface LoggedContainer {
  appId: string
  /** When its pod was made, by the cluster's clock. */
  madeAt: number
  /** Stays the same while it restarts, and differs from that of a later pod of the same name. */
  key: string
  pod: string
  container: string
  restarts: number
  isRunning: boolean
  /** False as long as there is no log of it. */
  hasRun: boolean
}

/** Containers in the order of their pods' names, those that start a pod before the others. */
export function loggedContainers(
  { app, parts }: { app: { id: string }; parts: readonly Part[] },
  only?: ReadonlySet<string>,
): LoggedContainer[] {
  return parts
    .filter(({ kind, name }) => kind === 'Pod' && (only === undefined || only.has(name)))
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ object }) => (object === undefined ? [] : containersOf(app.id, object)))
}

function containersOf(appId: string, { metadata, status }: KubeObject): LoggedContainer[] {
  const { initContainerStatuses, containerStatuses } = fieldsOf(status)
  return [...listOf(initContainerStatuses), ...listOf(containerStatuses)].map((each) => {
    const [now, before] = [fieldsOf(each.state), fieldsOf(each.lastState)]
    const [container, isRunning] = [textOf(each.name), now.running !== undefined]
    return {
      appId,
      madeAt: Date.parse(metadata.creationTimestamp ?? '') || 0,
      key: `${appId}/${metadata.uid}/${container}`,
      pod: metadata.name,
      container,
      restarts: countOf(each.restartCount),
      isRunning,
      hasRun: isRunning || now.terminated !== undefined || before.terminated !== undefined,
    }
  })
}
