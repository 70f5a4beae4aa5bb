import type { Scope } from './scope.ts'

/**
 * What a check asks of a cluster beyond the API server: the controllers of the control plane, nodes on which pods come
 * to life, the metrics API, a past that is long enough to be forgotten, or that it is the Sandbox.
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
