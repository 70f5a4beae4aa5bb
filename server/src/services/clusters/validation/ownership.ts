import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { placeOf } from '../../../adapters/helm/place-of.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { isOutside } from '../releases/placed.ts'
import { fieldsOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const mostObjects = 200
const atOnce = 8

export interface OwnedBy {
  namespace: string
  releaseName: string
  /** Nothing of it was installed yet, so none of its objects is there by right. */
  isNew: boolean
}

/**
 * A line for each object that is there already and is not of this release: Helm takes nothing from others, so a
 * deployment would end with it. Read by the portal itself, as the space may not read what belongs to the whole cluster.
 */
export async function foreignObjects(
  connection: ClusterConnection,
  release: OwnedBy,
  manifest: readonly ManifestObject[],
): Promise<ResultLine[]> {
  const objects = manifest.filter((object) => !object.unreadable && !isHook(object) && !isDefinitionFile(object))
  const lines = await mapLimit(atOnce, objects.slice(0, mostObjects), async (object): Promise<ResultLine[]> => {
    const served = await connection.resourceOf(object.apiVersion, object.kind)
    // Another namespace is none of this space's business, and refused elsewhere.
    if (!served || (served.namespaced && isOutside(object, true, release.namespace))) return []
    const within = served.namespaced ? release.namespace : undefined
    const there = await readable(connection.get(served.resource, within, object.name))
    const why = there && ownerOf(there, release)
    if (!why) return []
    const message = `${cleanText(`${object.kind} ${object.name}`, 300)} ${why}`
    return [
      { message, isSummary: false, resultType: 'error', provider: 'cluster', object: placeOf(object, 'metadata.name') },
    ]
  })
  return lines.flat()
}

/** Why Helm would refuse to take an object over; undefined: it is this release's own. */
function ownerOf({ metadata }: KubeObject, { namespace, releaseName, isNew }: OwnedBy): string | undefined {
  const owner = metadata.annotations?.['meta.helm.sh/release-name']
  const place = metadata.annotations?.['meta.helm.sh/release-namespace']
  if (owner === releaseName && place === namespace) return undefined
  const ways = 'Choose another name in the values, or remove it first'
  if (owner === undefined)
    return isNew
      ? `is there already, and Helm has not made it, so that it takes it over from nobody. ${ways}`
      : undefined
  const whose = place === namespace ? `the release ${cleanText(owner, 53)}` : 'a release of another namespace'
  return `belongs to ${whose} already, and Helm takes nothing from another release. ${ways}`
}

export function isHook({ body }: ManifestObject): boolean {
  return fieldsOf(fieldsOf(body.metadata).annotations)['helm.sh/hook'] !== undefined
}

/** Definitions beside the templates are shared: the portal applies them, and no release owns them. */
const isDefinitionFile = ({ kind, source = '' }: ManifestObject) =>
  kind === 'CustomResourceDefinition' && /(?:^|\/)crds\//.test(source)

async function readable(reading: Promise<KubeObject | undefined>): Promise<KubeObject | undefined> {
  try {
    return await reading
  } catch (error) {
    const status = (error as { httpStatus?: number }).httpStatus
    if (status === 403 || status === 404) return undefined
    throw error
  }
}
