import type { V1Container, V1PodSpec } from '@kubernetes/client-node'

/** A pod, or the template of one. */
export interface PodParts {
  annotations: Readonly<Record<string, string>>
  spec: V1PodSpec
}

/** The reason why a check refuses a pod, and the parts of the pod that are to blame. */
export interface Violation {
  reason: string
  detail: string
}

export type Judge = (pod: PodParts) => Violation | undefined

export const containersOf = ({ spec }: PodParts): V1Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...((spec.ephemeralContainers ?? []) as V1Container[]),
]

export const sortedOnce = (items: Iterable<string>): string[] => [...new Set(items)].sort()

export const quoted = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(', ')

export const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`)

export const containersNamed = (names: readonly string[]): string =>
  `${plural('container', names.length)} ${quoted(names)}`

/** The pod and those containers that have a fault, as a sentence names them; nothing when there is none. */
export function faulty(pod: boolean, containers: readonly string[]): string | undefined {
  const setters = [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containersNamed(containers)] : [])]
  return setters.length > 0 ? setters.join(' and ') : undefined
}

/** The names of the containers that a judgement holds of. */
export const containersWhere = (pod: PodParts, holds: (container: V1Container) => unknown): string[] =>
  containersOf(pod)
    .filter((container) => holds(container))
    .map(({ name }) => name)

export const isWindows = ({ spec }: PodParts): boolean => spec.os?.name === 'windows'

/** Root in a user namespace of its own is nobody on the node. */
export const hasUserNamespace = ({ spec }: PodParts): boolean => spec.hostUsers === false
