import type { ActionKind, ActionState } from '@quayside/contract/deployments/endpoints'

export type StepName =
  | 'prepare'
  | 'namespace'
  | 'grant'
  | 'helm'
  | 'leftovers'
  | 'gone'
  | 'revoke'
  | 'clear'
  | 'change-workload'

/**
 * The steps of each kind of action: phases in order, the steps of one phase at the same time. Every step can be
 * repeated, so a takeover starts at the first.
 */
const table: Record<ActionKind, readonly (readonly StepName[])[]> = {
  Assign: [],
  Prepare: [['prepare']],
  Deploy: [['prepare', 'namespace', 'grant'], ['helm']],
  Upgrade: [['prepare', 'namespace', 'grant'], ['helm']],
  Rollback: [['namespace', 'grant'], ['helm']],
  Repair: [['helm']],
  ChangeWorkload: [['change-workload']],
  DeleteSpace: [['clear']],
  DeregisterCluster: [['clear']],
  LeaveCluster: [['clear']],
  Delete: [['namespace'], ['helm'], ['leftovers'], ['gone'], ['revoke']],
}

/** Kinds that remove what spaces have on clusters, and act on no release. */
export const isClearing = (kind: ActionKind): boolean => table[kind][0]?.[0] === 'clear'

const states: Record<StepName, ActionState> = {
  prepare: 'preparing',
  namespace: 'namespace',
  grant: 'iam',
  helm: 'helm',
  leftovers: 'verifying',
  gone: 'verifying',
  revoke: 'iam',
  clear: 'namespace',
  'change-workload': 'verifying',
}

/** An app that was never deployed has no release: its deletion needs no cluster. */
export function phasesOf(kind: ActionKind, hasRelease: boolean): readonly (readonly StepName[])[] {
  return kind === 'Delete' && !hasRelease ? [] : table[kind]
}

/** The ledger's state while a phase runs, by its first step. */
export function stateOf([first]: readonly StepName[]): ActionState {
  return first ? states[first] : 'accepted'
}
