import type { ActionKind, ActionState } from '@quayside/contract/deployment'

export type StepName = 'prepare' | 'namespace' | 'grant' | 'helm' | 'revoke'

/** What each kind of action goes through, in order. Every step can be repeated, so a takeover starts at the first. */
const table: Record<ActionKind, readonly StepName[]> = {
  Assign: [],
  Prepare: ['prepare'],
  Deploy: ['prepare', 'namespace', 'grant', 'helm'],
  Upgrade: ['prepare', 'namespace', 'helm'],
  Rollback: ['namespace', 'helm'],
  Delete: ['namespace', 'helm', 'revoke'],
}

const states: Record<StepName, ActionState> = {
  prepare: 'preparing',
  namespace: 'namespace',
  grant: 'iam',
  helm: 'helm',
  revoke: 'iam',
}

/** An app that was never deployed has no release: its deletion needs no cluster. */
export function stepsOf(kind: ActionKind, hasRelease: boolean): readonly StepName[] {
  return kind === 'Delete' && !hasRelease ? [] : table[kind]
}

/** What the ledger shows while a step runs. */
export function stateOf(step: StepName): ActionState {
  return states[step]
}
