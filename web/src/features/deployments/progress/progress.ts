import type { DeployResult, IamResult, MessageLevel, MessageType } from '@quayside/contract/deployments/endpoints'
import type { Waiting } from '@quayside/contract/live/live'
import { type ProgressAction, texts } from '../texts.ts'

export interface LogLine {
  seq: number
  at: string
  message: string
  level: MessageLevel
  timeout: boolean
}

export type TaskState = 'waiting' | 'running' | 'done' | 'failed'

/** All that the progress step shows; made only by `reduce`, so that a replay ends in the same picture. */
export interface Progress {
  action: ProgressAction
  lastSeq: number
  actionId: string | undefined
  /** Tells whether this action has an IAM step of its own. */
  iam: TaskState
  deployment: TaskState
  iamLog: LogLine[]
  deploymentLog: LogLine[]
  waiting: Waiting | undefined
  iamResult: IamResult | undefined
  result: DeployResult | undefined
  /** The result that counts has come, or the request failed. */
  ended: boolean
  /** By the server's clock: the first event, the end of IAM, and the end of it all. */
  startedAt: string | undefined
  iamEndedAt: string | undefined
  endedAt: string | undefined
}

export type ProgressEvent =
  | { kind: 'accepted'; actionId: string }
  | { kind: 'running' }
  | { kind: 'request-failed'; message: string }
  | { kind: 'waiting'; waiting: Waiting }
  | { kind: 'event'; event: string; payload: unknown; seq: number; at: string; actionId: string }

export function startOf(action: ProgressAction): Progress {
  return {
    action,
    lastSeq: 0,
    actionId: undefined,
    iam: action === 'Deploy' ? 'running' : 'waiting',
    deployment: action === 'Deploy' ? 'waiting' : 'running',
    iamLog: [],
    deploymentLog: [],
    waiting: undefined,
    iamResult: undefined,
    result: undefined,
    ended: false,
    startedAt: undefined,
    iamEndedAt: undefined,
    endedAt: undefined,
  }
}

const timedOut = /timed out|timeout/i
const states = { Success: 0, Failed: 1, Timeout: 2 } as const
const iamTypes: ReadonlySet<MessageType> = new Set(['iam'])

/** Applies an event to the progress. Events already seen, and events of another action, change nothing. */
export function reduce(progress: Progress, event: ProgressEvent): Progress {
  switch (event.kind) {
    case 'accepted':
      return { ...progress, actionId: event.actionId }
    case 'running':
      return progress.deployment === 'waiting' ? { ...progress, deployment: 'running' } : progress
    case 'request-failed':
      return end(progress, {
        state: states.Failed,
        summary: `Communication Error (${event.message})`,
        lines: [],
      })
    case 'waiting':
      return progress.ended || isForeign(progress, event.waiting.actionId)
        ? progress
        : { ...progress, waiting: event.waiting }
    case 'event':
      if (event.seq <= progress.lastSeq || isForeign(progress, event.actionId)) return progress
      return timed(
        take(
          {
            ...progress,
            lastSeq: event.seq,
            actionId: event.actionId,
            startedAt: progress.startedAt ?? event.at,
          },
          event,
        ),
        event.at,
      )
  }
}

/** The reason shown for a failed request: the whole error as JSON for upgrade and rollback, else its message. */
export function reasonOf(action: ProgressAction, error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (action !== 'Upgrade' && action !== 'Rollback') return error.message
  const { name: _name, ...facts } = error
  return JSON.stringify({ ...facts, message: error.message })
}

function isForeign(progress: Progress, actionId: string): boolean {
  return progress.actionId !== undefined && progress.actionId !== actionId
}

function timed(progress: Progress, at: string): Progress {
  const { ended, endedAt, iamResult, iamEndedAt } = progress
  if (ended && endedAt === undefined) return { ...progress, endedAt: at, iamEndedAt: iamResult && (iamEndedAt ?? at) }
  return iamResult !== undefined && iamEndedAt === undefined ? { ...progress, iamEndedAt: at } : progress
}

type Numbered = Extract<ProgressEvent, { kind: 'event' }>

function take(progress: Progress, { event, payload, seq, at }: Numbered): Progress {
  switch (event) {
    case 'message': {
      const { type, message, level } = payload as { type: MessageType; message: string; level: MessageLevel }
      return addLine(progress, type, { seq, at, message, level, timeout: timedOut.test(message) })
    }
    case 'IAM': {
      const iamResult = payload as IamResult
      return { ...progress, iamResult, iam: iamResult.type === 'Success' ? 'done' : 'failed' }
    }
    case 'helmresult':
      return takeHelmResult(progress, payload as DeployResult, seq, at)
    case 'hookresult': {
      const hook = payload as DeployResult
      if (progress.result !== undefined && progress.result.state !== states.Timeout) return progress
      return end(progress, { state: hook.state, summary: 'Deployment finished', lines: hook.lines })
    }
    case progress.action:
      return end(progress, payload as DeployResult)
    default:
      return progress
  }
}

function takeHelmResult(progress: Progress, result: DeployResult, seq: number, at: string): Progress {
  if (result.state !== states.Timeout) return end(progress, result)
  const line: LogLine = { seq, at, message: texts.progress.timeout, level: 'info', timeout: true }
  return { ...progress, result, deploymentLog: [...progress.deploymentLog, line] }
}

function addLine(progress: Progress, type: MessageType, line: LogLine): Progress {
  if (iamTypes.has(type)) return { ...progress, iamLog: [...progress.iamLog, line] }
  // Everything else belongs to the deployment: what prepares it as well as what carries it out.
  return { ...progress, deploymentLog: [...progress.deploymentLog, line] }
}

function end(progress: Progress, result: DeployResult): Progress {
  const isTimeout = result.state === states.Timeout
  if (isTimeout) return { ...progress, result }
  const failed = result.state === states.Failed
  return {
    ...progress,
    result,
    waiting: undefined,
    ended: true,
    deployment: failed ? 'failed' : 'done',
    iam: progress.iam === 'running' ? (failed ? 'failed' : 'done') : progress.iam,
  }
}

export function hasSucceeded(progress: Progress): boolean {
  return progress.ended && progress.result?.state === states.Success
}
