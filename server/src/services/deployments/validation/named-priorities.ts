import type { ManifestObject } from '../../../adapters/helm/manifest.ts'

interface Named {
  object: ManifestObject
  priorityClass: string
  /** Where in the object its pods name it. */
  path: string
}

/** Places of a pod's spec in the kinds of Kubernetes that make pods. */
const places = ['spec', 'spec.template.spec', 'spec.jobTemplate.spec.template.spec', 'template.spec']
const kinds = new Set(
  'Pod Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job CronJob PodTemplate'.split(' '),
)

/** Objects of a release whose pods name a class of priority, but for classes that the release brings itself. */
export function namedPriorities(objects: readonly ManifestObject[]): Named[] {
  const own = new Set(objects.filter(({ kind }) => kind === 'PriorityClass').map(({ name }) => name))
  return objects
    .filter(({ kind }) => kinds.has(kind))
    .flatMap((object) =>
      places.flatMap((place) => {
        const priorityClass = at(object.body, `${place}.priorityClassName`)
        return typeof priorityClass === 'string' && priorityClass !== '' && !own.has(priorityClass)
          ? [{ object, priorityClass, path: `${place}.priorityClassName` }]
          : []
      }),
    )
}

function at(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined,
      body,
    )
}
