import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { isOfAny, isOfRelease } from './orphans.ts'

/** How an object of a release is called in its manifest; without a namespace it lies in that of the release. */
export interface ObjectName {
  apiVersion: string
  kind: string
  name: string
  namespace: string | null
}

/** An object of a release that was to go and is still there. */
export interface Remaining extends ObjectName {
  /** It was deleted and waits for whoever holds it; otherwise nobody has deleted it. */
  isTerminating: boolean
  finalizers: string[]
}

const atOnce = 8

/** Those that are still there, and still of this release: another one may have been made under the same name since. */
export async function remaining(
  connection: ClusterConnection,
  release: { namespace: string; releaseName: string },
  objects: readonly ObjectName[],
): Promise<Remaining[]> {
  const looked = await mapLimit(atOnce, objects, (name) => lookAt(connection, release, name))
  return looked.filter((one) => one !== undefined)
}

async function lookAt(
  connection: ClusterConnection,
  release: { namespace: string; releaseName: string },
  object: ObjectName,
): Promise<Remaining | undefined> {
  const served = await connection.resourceOf(object.apiVersion, object.kind)
  if (!served) return undefined
  const within = served.namespaced ? (object.namespace ?? release.namespace) : null
  const found = await readable(connection.get(served.resource, within ?? undefined, object.name))
  if (!found) return undefined
  const { annotations = {}, deletionTimestamp, finalizers = [] } = found.metadata
  const isOurs = isOfRelease(annotations, release.namespace, release.releaseName)
  // Outside of the space what the release says of itself is no proof that an object is its own.
  if (!isOurs && within !== release.namespace) return undefined
  // Somebody else's, or made anew by whoever does not ask Helm.
  if (!isOurs && (isOfAny(annotations) || deletionTimestamp === undefined)) return undefined
  return {
    ...object,
    namespace: within,
    isTerminating: deletionTimestamp !== undefined,
    finalizers: finalizers.map((each) => cleanText(each, 100)),
  }
}

/** Reads an object; one that the portal may not read counts as absent. */
async function readable(reading: Promise<KubeObject | undefined>): Promise<KubeObject | undefined> {
  try {
    return await reading
  } catch (error) {
    const status = (error as { httpStatus?: number }).httpStatus
    if (status === 403 || status === 404) return undefined
    throw error
  }
}
