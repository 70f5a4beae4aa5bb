import type { Scope } from '@quayside/contract/permissions/scopes'
import type { DeploymentDeps } from '../deps.ts'
import type { OutsideVerdict } from '../ports.ts'

const elevated: Scope = 'space.deploy.elevated'

/** A deployment by somebody, as far as it matters for rights outside of a space. */
interface Elevation {
  who: { tenantId: string; userId: string; spaceId: string }
  clusterId: string
  /** The judged release; undefined when it was not rendered. */
  toBe: Pick<OutsideVerdict, 'elevates' | 'fingerprints'> | undefined
  /** Fingerprint of its package and values; undefined for a rollback. */
  fingerprint: string | undefined
}

/** How somebody comes to deploy here; `approval`: by one in force that was asked for just this. */
type Ground = 'not needed' | 'right' | 'approval' | 'none'

/**
 * Tells by what somebody may deploy this although a pod of the space has, or gets, rights outside of it. An approval in
 * force that was asked for this deployment is the one exception to the right.
 */
export async function elevationBy(
  { clusters, mayStill }: Pick<DeploymentDeps, 'clusters' | 'mayStill'>,
  { who, clusterId, toBe, fingerprint }: Elevation,
): Promise<Ground> {
  const isElevated = toBe?.elevates || (await clusters.isElevated(who.tenantId, clusterId, who.spaceId))
  if (!isElevated) return 'not needed'
  if (fingerprint !== undefined && toBe?.fingerprints.includes(fingerprint)) return 'approval'
  return (await mayStill(who, [elevated])) ? 'right' : 'none'
}

/** Says why, and what helps. */
export function elevationMessage(who: string, spaceName: string): string {
  return `${who} may not deploy this in ${spaceName}: whoever runs a pod there has rights on the whole cluster, and that takes ${elevated} or an approval of exactly these values.`
}
