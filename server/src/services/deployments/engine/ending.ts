import type { ActionKind, DeployResult, ResultLine } from '@quayside/contract/deployments/endpoints'
import { DeployState } from '@quayside/contract/deployments/endpoints'
import type { NewEvent } from '../ledger/event-store.ts'
import type { ActionRow } from '../tables.ts'
import { messageType } from './action-context.ts'
import { isClearing } from './steps/steps.ts'

export interface EndInput {
  kind: ActionKind
  state: 'Success' | 'Failed'
  summary: string
  lines: ResultLine[]
  /** Helm ran, so its result is told beside that of the action. */
  ranHelm: boolean
  /** Helm had run out of time: people were told to keep waiting, so the hook result ends that. */
  timedOut: boolean
}

const nouns: Record<ActionKind, string> = {
  Assign: 'Assign',
  Prepare: 'Prepare',
  Deploy: 'Deploy',
  Upgrade: 'Upgrade',
  Rollback: 'Rollback',
  Delete: 'Delete',
  Repair: 'Repair',
  ChangeWorkload: 'Change',
  DeleteSpace: 'Delete',
  DeregisterCluster: 'Deregister',
  LeaveCluster: 'Leave',
}

const subjects: Partial<Record<ActionKind, string>> = {
  DeleteSpace: 'Space',
  DeregisterCluster: 'Cluster',
  LeaveCluster: 'Space',
}

/** The interim result after Helm has timed out, while the cluster has not been read back yet. */
export function timeoutResult(kind: ActionKind): DeployResult & Record<string, unknown> {
  const message = 'Timeout received, waiting for HELM...'
  return {
    state: DeployState.Timeout,
    summary: `${nouns[kind]}: ${message}`,
    lines: [{ message, isSummary: true, resultType: 'info' }],
    message,
  }
}

/** The result that the ledger keeps and the events that tell it, last one last. */
export function endingOf(end: EndInput): { result: DeployResult; events: NewEvent[] } {
  const { kind, state, summary } = end
  const isSuccess = state === 'Success'
  const summaryLine: ResultLine = { message: summary, isSummary: true, resultType: isSuccess ? 'ok' : 'error' }
  const result: DeployResult = { state: DeployState[state], summary, lines: [summaryLine, ...end.lines] }
  const events: NewEvent[] = [
    {
      event: 'message',
      payload: {
        type: messageType(kind),
        message: `${nouns[kind]} result of ${subjects[kind] ?? 'App'}: ${state}`,
        level: isSuccess ? 'info' : 'error',
      },
    },
  ]
  if (end.ranHelm && !end.timedOut) events.push({ event: 'helmresult', payload: { ...result } })
  if (end.timedOut) events.push({ event: 'hookresult', payload: { ...result, summary: 'Deployment finished' } })
  // Prepared values have an event of their own; its listeners must hear that there are none.
  if (kind === 'Prepare' && !isSuccess) events.push({ event: 'Prepare', payload: { ...result } })
  if (kind === 'Deploy' || kind === 'Upgrade' || kind === 'Rollback' || kind === 'Delete')
    events.push({ event: kind, payload: { ...result } })
  if (isClearing(kind)) events.push({ event: 'Delete', payload: { ...result } })
  return { result, events }
}

/** The log line of an action that ends before it began: who cancelled it, or why it may not begin. */
export function endingLine(kind: ActionKind, summary: string, level: 'info' | 'error' = 'info'): NewEvent {
  return { event: 'message', payload: { type: messageType(kind), message: summary, level } }
}

/** The log line of an action that waits for its turn. */
export function inLine(kind: ActionKind): NewEvent {
  const message = 'Waiting in line: this begins when one of the actions that were accepted before it has ended'
  return { event: 'message', payload: { type: messageType(kind), message, level: 'info' } }
}

/** The state of an app before its action. Rows of older versions lack it: the next look at the cluster tells it then. */
export function appBefore({ kind, app_before }: Pick<ActionRow, 'kind' | 'app_before'>) {
  return app_before ?? ({ state: kind === 'Deploy' ? 'assigned' : 'unknown', stateMessage: null } as const)
}
