import type { Job } from '../engine/kinds.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { isFinished, isReady } from './pod-facts.ts'

export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'

export interface JobTally {
  active: Pod[]
  ready: number
  succeeded: number
  failed: number
  terminating: number
  completedIndexes: number[]
  lastFailureMs: number
}

function finishedAt(pod: Pod): number {
  const times = (pod.status?.containerStatuses ?? []).map(({ state }) => Date.parse(state.terminated?.finishedAt ?? ''))
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)))
}

const indexOf = (pod: Pod) => Number(pod.metadata.annotations?.[COMPLETION_INDEX] ?? -1)

/** Counts of a job's pods by their state. */
export function tally(job: Job, pods: Pod[]): JobTally {
  const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded')
  const failed = pods.filter(({ status }) => status?.phase === 'Failed')
  const active = pods.filter((pod) => !isFinished(pod) && !pod.metadata.deletionTimestamp)
  const indexes = [...new Set(succeeded.map(indexOf))].filter((index) => index >= 0).sort((a, b) => a - b)
  return {
    active,
    ready: active.filter(isReady).length,
    succeeded: job.spec.completionMode === 'Indexed' ? indexes.length : succeeded.length,
    failed: failed.length,
    terminating: pods.filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp).length,
    completedIndexes: indexes,
    lastFailureMs: Math.max(0, ...failed.map(finishedAt)),
  }
}

export type Outcome = { type: 'Complete' | 'Failed'; reason: string; message: string }

/** Tells whether the job is over, and why. */
export function outcome(job: Job, seen: JobTally, nowMs: number): Outcome | undefined {
  const { spec, status } = job
  const decided = status?.conditions?.find(({ type }) => type === 'FailureTarget' || type === 'SuccessCriteriaMet')
  if (decided) {
    const { type, reason = '', message = '' } = decided
    return { type: type === 'FailureTarget' ? 'Failed' : 'Complete', reason, message }
  }
  if (spec.suspend) return undefined
  const restarts = seen.active
    .flatMap((pod) => [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])])
    .reduce((total, { restartCount }) => total + restartCount, 0)
  const limit = spec.backoffLimit ?? 6
  const inPlace = spec.template.spec.restartPolicy === 'OnFailure' && restarts > 0 && restarts >= limit
  if (seen.failed > limit || inPlace) {
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  }
  const started = status?.startTime ? Date.parse(status.startTime) : nowMs
  if (spec.activeDeadlineSeconds !== undefined && nowMs - started >= spec.activeDeadlineSeconds * 1000) {
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
  }
  const enough =
    spec.completions === undefined || spec.completions === null
      ? seen.succeeded > 0 && seen.active.length === 0
      : seen.succeeded >= spec.completions
  if (!enough) return undefined
  return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
}

/** How many pods should run now. */
export function wantedActive({ spec }: Job, seen: JobTally): number {
  if (spec.suspend) return 0
  const parallelism = spec.parallelism ?? 1
  if (spec.completions === undefined || spec.completions === null)
    return seen.succeeded > 0 ? seen.active.length : parallelism
  return Math.min(parallelism, Math.max(spec.completions - seen.succeeded, 0))
}

/** Completion indexes that nobody works on or has done, lowest first. */
export function openIndexes({ spec }: Job, seen: JobTally): number[] {
  const taken = new Set([...seen.completedIndexes, ...seen.active.map(indexOf)])
  return Array.from({ length: spec.completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index))
}

/** `0-2,4`: how completed indexes are written. */
export function indexRanges(indexes: number[]): string {
  const ranges: [number, number][] = []
  for (const index of indexes) {
    const last = ranges.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Pause before a failed pod's successor: shorter than Kubernetes' 10 s to 6 min, so that people see it happen. */
export function retryPause(failed: number): number {
  return failed === 0 ? 0 : Math.min(2_000 * 2 ** (failed - 1), 20_000)
}
