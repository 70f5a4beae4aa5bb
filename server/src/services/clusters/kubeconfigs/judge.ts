import type { KubeconfigEnd, KubeconfigRole } from '@quayside/contract/clusters/kubeconfigs'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { z } from 'zod'

/** By rank: whoever may do more may do all that those before may. */
const ranks: readonly KubeconfigRole[] = ['viewer', 'deployer', 'manager']
const lower = (one: KubeconfigRole, other: KubeconfigRole) => (ranks.indexOf(one) < ranks.indexOf(other) ? one : other)

export const highest = (roles: readonly KubeconfigRole[]): KubeconfigRole =>
  ranks.findLast((role) => roles.includes(role)) ?? 'viewer'

/**
 * The kubectl role that somebody's scopes in a space allow; undefined for none. A person who manages the apps of a
 * space and sees their secrets may change what runs there; others may look, but not at Secrets. In an elevated space
 * everybody only looks: whoever can run a pod there has the rights of every account in it.
 */
export function roleFrom(scopes: ReadonlySet<Scope>, isElevated: boolean): KubeconfigRole | undefined {
  if (!scopes.has('app.view')) return undefined
  if (isElevated || !scopes.has('app.manage') || !scopes.has('app.secrets')) return 'viewer'
  return scopes.has('space.members') ? 'manager' : 'deployer'
}

/** Current facts about a kubeconfig that is in force. */
export interface Now {
  isExpired: boolean
  /** Its making was begun long ago and never ended. */
  isLate: boolean
  /** Undefined: there is no such space. */
  spaceClusterIds: readonly string[] | undefined
  clusterId: string
  /** Undefined: its holder is gone, disabled, or may not look there. */
  role: KubeconfigRole | undefined
}

type Verdict = { do: 'keep' } | { do: 'lower'; to: KubeconfigRole } | { do: 'end'; because: End }
type End = z.infer<typeof KubeconfigEnd>

/** Decides what to do with a kubeconfig: its role never exceeds its holder's rights, nor the role it began with. */
export function judge(role: KubeconfigRole, now: Now): Verdict {
  const end = (because: End): Verdict => ({ do: 'end', because })
  if (now.isExpired) return end('expired')
  if (now.isLate) return end('failed')
  if (!now.spaceClusterIds) return end('space-deleted')
  if (!now.spaceClusterIds.includes(now.clusterId)) return end('cluster-removed')
  if (!now.role) return end('access-lost')
  const to = lower(role, now.role)
  return to === role ? { do: 'keep' } : { do: 'lower', to }
}
