import type { ReleaseRef } from '../../clusters/releases/release-ref.ts'
import type { ActionRow } from '../tables.ts'

/** The release that an action works on; names are empty before the app has one. */
export function releaseOfAction(action: ActionRow): ReleaseRef {
  return {
    tenantId: action.tenant_id,
    clusterId: action.cluster_id ?? '',
    namespace: action.namespace ?? '',
    releaseName: action.release_name ?? '',
  }
}

/** The release of an app that has one. */
export function releaseOfApp(
  tenantId: string,
  { clusterId, namespace }: { clusterId: string; namespace: string },
  releaseName: string,
): ReleaseRef {
  return { tenantId, clusterId, namespace, releaseName }
}
