import type { Scope } from './scope.ts'

/**
 * Part of a cluster that a check needs beyond the API server: the controllers of the control plane, nodes on which pods
 * run, the metrics API, a history long enough that old versions expire, or the Sandbox itself.
 */
export type Need = 'controllers' | 'nodes' | 'metrics' | 'past' | 'sandbox'

/** One behaviour of Kubernetes that a client can notice. */
export interface Check {
  readonly area: string
  /** Says the behaviour. */
  readonly name: string
  readonly needs?: Need
  /** It waits for controllers that fall behind when others keep them busy: it is made before all others. */
  readonly isEarly?: boolean
  readonly run: (scope: Scope) => Promise<void>
}

type Run = Check['run']
type Declare = (name: string, ...rest: readonly [Run] | readonly [Need, Run]) => void

/** The checks of one area, in the order they are declared. */
export function area(name: string, declare: (check: Declare) => void, { isEarly = false } = {}): Check[] {
  const checks: Check[] = []
  declare((behaviour, ...rest) => {
    const [needs, run] = rest.length === 2 ? rest : [undefined, rest[0]]
    checks.push({ area: name, name: behaviour, run, isEarly, ...(needs ? { needs } : {}) })
  })
  return checks
}
