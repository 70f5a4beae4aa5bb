import { type AskedRight, rightInWords, withoutRepeats } from '@quayside/contract/clusters/asked-right'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { OutsideVerdict } from '../ports.ts'

type Asked = Pick<DeploymentDeps, 'clusters' | 'mayStill' | 'hasRole'>

/** A deployment by somebody, as far as it matters for rights outside of a space. */
interface Elevation {
  who: { tenantId: string; userId: string; spaceId: string }
  clusterId: string
  /** The judged release; undefined when it was not rendered. */
  toBe: Pick<OutsideVerdict, 'asksFor' | 'fingerprints'> | undefined
  /** Fingerprint of its package and values; undefined for a rollback. */
  fingerprint: string | undefined
}

/** How somebody comes to deploy here; `approval`: by one in force that was asked for just this. */
type Ground = { by: 'nothing needed' | 'right' | 'approval' } | { by: 'none'; missing: AskedRight }

/**
 * Tells by what somebody may deploy this although a pod of the space has, or gets, rights outside of it. They need every
 * right that approvals of what is there, and of what comes, have named. An approval in force that was asked for this
 * deployment is the one exception.
 */
export async function elevationBy(
  { clusters, mayStill, hasRole }: Asked,
  { who, clusterId, toBe, fingerprint }: Elevation,
): Promise<Ground> {
  const asked = withoutRepeats([
    ...(toBe?.asksFor ?? []),
    ...(await clusters.asksFor(who.tenantId, clusterId, who.spaceId)),
  ])
  if (asked.length === 0) return { by: 'nothing needed' }
  if (fingerprint !== undefined && toBe?.fingerprints.includes(fingerprint)) return { by: 'approval' }
  for (const right of asked) {
    const isHeld = right.type === 'scope' ? await mayStill(who, [right.id]) : await hasRole(who, right.id)
    if (!isHeld) return { by: 'none', missing: right }
  }
  return { by: 'right' }
}

/** Refuses somebody who lacks the rights that starting pods in this space takes. */
export async function mustMayStartPods(deps: Asked, by: Pick<Elevation, 'who' | 'clusterId'>): Promise<void> {
  const ground = await elevationBy(deps, { ...by, toBe: undefined, fingerprint: undefined })
  if (ground.by !== 'none') return
  throw fail('deployment.pods-elevated', {
    message: `Whoever runs a pod in this space has rights on the whole cluster, so starting pods here takes ${rightInWords(ground.missing)}.`,
    details: { asksFor: ground.missing },
  })
}

/** Says why, and what helps. */
export function elevationMessage(who: string, spaceName: string, missing: AskedRight): string {
  return `${who} may not deploy this in ${spaceName}: whoever runs a pod there has rights on the whole cluster, and that takes ${rightInWords(missing)} or an approval of exactly these values.`
}
