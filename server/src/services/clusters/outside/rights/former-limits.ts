import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import type { ClusterConnection } from '../../../../adapters/kubernetes/kubernetes.ts'
import type { PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'
import type { ReleaseRef } from '../../releases/release-ref.ts'
import { isOfRelease } from '../../removal/orphans.ts'

/** Kinds that charts made in their space before only the cluster set them. */
const plurals = new Map([
  ['v1/ResourceQuota', 'resourcequotas'],
  ['v1/LimitRange', 'limitranges'],
])

/** Tells whether no account of a space can delete an object of this kind, which earlier versions let charts make there. */
export const isFormerLimit = ({ apiVersion, kind }: { apiVersion: string; kind: string }) =>
  plurals.has(`${apiVersion}/${kind}`)

/**
 * Rights to delete the quotas and limits that a release of an earlier version has in its space: without them it could be
 * neither deleted nor upgraded. Those that the cluster does not know as the release's own stay, whatever is stored for Helm.
 */
export async function formerLimits(
  connection: Pick<ClusterConnection, 'get'>,
  { namespace, releaseName }: ReleaseRef,
  asIs: readonly ManifestObject[],
): Promise<PolicyRule[]> {
  const rules = asIs.map(async ({ apiVersion, kind, name, namespace: at = namespace }): Promise<PolicyRule[]> => {
    const plural = plurals.get(`${apiVersion}/${kind}`)
    if (!plural || at !== namespace || name === '') return []
    const found = await connection.get(`v1/${plural}`, namespace, name)
    if (!found || !isOfRelease(found.metadata.annotations ?? {}, namespace, releaseName)) return []
    return [{ apiGroups: [''], resources: [plural], resourceNames: [name], verbs: ['get', 'delete'] }]
  })
  return (await Promise.all(rules)).flat()
}
