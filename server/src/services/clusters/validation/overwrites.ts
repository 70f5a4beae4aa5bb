import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { isOutside, placed } from '../releases/placed.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const mostObjects = 200
const mostFields = 5
const longestMs = 8000
/** Helm's field manager name for server-side apply. */
const helm = 'helm'
const ofRelease = 'meta.helm.sh/release-name'

/** A field that a release sets, and who has set it to something else since. */
interface Overwrite {
  field: string
  by: string
}

/** A line for each object of which the release is about to set what others have set since. */
export async function overwrites(connection: ClusterConnection, namespace: string, manifest: string) {
  const until = Date.now() + longestMs
  const objects = await readManifestInWorker(manifest)
  const lines = await Promise.all(
    objects.slice(0, mostObjects).map(async (object) => {
      if (object.unreadable || Date.now() > until) return []
      const served = await connection.resourceOf(object.apiVersion, object.kind)
      if (!served) return []
      if (isOutside(object, served.namespaced, namespace)) return []
      const whole = placed(object, served.namespaced ? namespace : undefined)
      const taken = await overwritten(connection, served.resource, whole).catch((error: unknown) => {
        // If the cluster refuses the object for another reason, Helm will get the same refusal.
        if (error instanceof KubeRefusal) return []
        throw error
      })
      return taken.length === 0 ? [] : [overwriteLine(cleanText(`${object.kind} ${object.name}`, 300), taken)]
    }),
  )
  return lines.flat()
}

/** Asks the cluster which fields Helm could only set against somebody else; nothing is changed. */
export async function overwritten(
  connection: ClusterConnection,
  resource: string,
  object: KubeObject,
  onWarning?: (text: string) => void,
) {
  try {
    await connection.apply(resource, object, {
      ...{ dryRun: true, manager: helm, force: false },
      ...(onWarning ? { onWarning } : {}),
    })
    return []
  } catch (error) {
    if (!(error instanceof KubeRefusal) || error.httpStatus !== 409) throw error
    const conflicts = error.causes.filter(({ reason }) => reason === 'FieldManagerConflict')
    if (conflicts.length === 0) throw error
    const { name, namespace } = object.metadata
    const there = await connection.get(resource, namespace, name)
    // Helm does not touch what is not of a release, and says so itself.
    if (there?.metadata.annotations?.[ofRelease] === undefined) return []
    return conflicts.map(({ message, field }): Overwrite => ({ field, by: managerOf(message) }))
  }
}

/** In words: which fields, who had set them, and that the release wins. */
export function overwriteLine(what: string, taken: readonly Overwrite[]): string {
  const fields = new Map<string, string[]>()
  for (const { field, by } of taken) fields.set(by, [...(fields.get(by) ?? []), field])
  const parts = Array.from(fields, ([by, names]) => {
    const rest = names.length - mostFields
    const shown = names.slice(0, mostFields).join(', ')
    return `${rest > 0 ? `${shown} and ${rest} more` : shown}, set by ${by}`
  })
  return cleanText(`${what}: the release takes back ${parts.join('; ')}`, 1000)
}

/** The manager in `conflict with "kubectl" with subresource "scale" using apps/v1`. */
function managerOf(message: string): string {
  const [, name, part] = /^conflict with "([^"]*)"(?: with subresource "([^"]*)")?/.exec(message) ?? []
  if (name === undefined) return 'somebody else'
  return part ? `${name} (${part})` : name
}
