import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import type { ReleaseHistory } from '../releases/releases.ts'
import { detailOf, type LeftObject } from './leftovers.ts'

const mostFound = 300
const atOnce = 8
const mark = 'meta.helm.sh/release-name'
const markOfPlace = 'meta.helm.sh/release-namespace'

/**
 * Objects of a release whose record is gone or cannot be read: Helm no longer knows them, but has annotated each with
 * its release. They are deleted with the app, as an uninstall would have done.
 */
export async function orphansOf(
  connection: ClusterConnection,
  namespace: string,
  releaseName: string,
): Promise<LeftObject[]> {
  const kinds = (await connection.kinds()).filter(({ namespaced }) => namespaced)
  const lists = await mapLimit(atOnce, kinds, (kind) => markedOf(connection, kind, namespace, releaseName))
  const once = new Map(lists.flat().map((one) => [one.uid, one]))
  return [...once.values()].slice(0, mostFound)
}

/** Release Secrets that Helm does not see, unreadable or set aside, and so does not delete. */
export function unreadableOf({ unreadable, aside }: Pick<ReleaseHistory, 'unreadable' | 'aside'>): LeftObject[] {
  return [...unreadable, ...aside].map((secret) => left('v1', 'Secret', secret, 'Nobody can read it'))
}

async function markedOf(
  connection: ClusterConnection,
  { apiVersion, kind }: { apiVersion: string; kind: string },
  namespace: string,
  releaseName: string,
): Promise<LeftObject[]> {
  const served = await connection.resourceOf(apiVersion, kind)
  if (!served) return []
  const selection = { namespace, labelSelector: 'app.kubernetes.io/managed-by=Helm' }
  const all = await connection.list(served.resource, selection).catch((error: { httpStatus?: number }) => {
    // Kinds that cannot be listed, and those that the portal may not read.
    if (error.httpStatus === 403 || error.httpStatus === 404 || error.httpStatus === 405) return []
    throw error
  })
  return all
    .filter(({ metadata }) => isMarked(metadata.annotations ?? {}, namespace, releaseName))
    .map((object) => left(apiVersion, kind, object, `Its release ${releaseName} is missing in the cluster`))
}

/** Objects that a chart marks to be kept stay, as they would when the release is uninstalled. */
function isMarked(annotations: Record<string, string>, namespace: string, releaseName: string): boolean {
  const isKept = annotations['helm.sh/resource-policy']?.trim().toLowerCase() === 'keep'
  return !isKept && isOfRelease(annotations, namespace, releaseName)
}

/** Tells whether Helm has marked it as an object of this release. */
export function isOfRelease(annotations: Record<string, string>, namespace: string, releaseName: string): boolean {
  return annotations[mark] === releaseName && annotations[markOfPlace] === namespace
}

/** Tells whether Helm has marked it as an object of whatever release. */
export function isOfAny(annotations: Record<string, string>): boolean {
  return annotations[mark] !== undefined
}

function left(apiVersion: string, kind: string, object: KubeObject, why: string): LeftObject {
  const { name, namespace = null, uid = '' } = object.metadata
  return {
    apiVersion,
    kind,
    name,
    namespace,
    uid,
    why,
    detail: detailOf({ ...object, kind }),
    refusal: null,
    goes: true,
  }
}
