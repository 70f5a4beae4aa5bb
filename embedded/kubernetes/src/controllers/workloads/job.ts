import { conditionOf, isTrue, withCondition, withoutCondition } from '../engine/conditions.ts'
import { type Engine, millis, timestamp } from '../engine/engine.ts'
import type { Job, JobStatus } from '../engine/kinds.ts'
import { keyOfController } from '../engine/owners.ts'
import type { Condition, Container, Pod, PodTemplate } from '../engine/pod-kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'
import {
  COMPLETION_INDEX,
  indexRanges,
  type JobTally,
  type Outcome,
  openIndexes,
  outcome,
  retryPause,
  tally,
  wantedActive,
} from './job-plan.ts'
import { byExpendability } from './pod-facts.ts'
import type { PodChanges } from './pod-template.ts'
import { createPod } from './replicas.ts'

const SOURCE = { component: 'job-controller' }
/** Stamps are whole seconds, and a cluster takes a moment to clean up: whoever waits for the end gets to see it. */
const CLEAN_UP_MS = 2_000

/** Runs pods until enough of them have succeeded, or too many failed. */
export function jobController(engine: Engine): Controller {
  const { store } = engine
  return {
    name: 'Job',
    watches: { 'batch/jobs': itself, '/pods': ({ object }) => keyOfController(object, 'Job') },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const job = store.get('batch/jobs', namespace, name)
      if (!job || job.metadata.deletionTimestamp) return undefined
      return isOver(job) ? expire(engine, job) : run(engine, job)
    },
  }
}

export function isOver({ status }: Job): boolean {
  return isTrue(status?.conditions, 'Complete') || isTrue(status?.conditions, 'Failed')
}

function run(engine: Engine, job: Job): number | undefined {
  const now = engine.clock.now()
  const seen = tally(job, engine.store.owned(job.metadata.uid, '/pods'))
  const end = outcome(job, seen, now)
  if (end) return finish(engine, job, seen, end)
  if (job.spec.suspend) return suspend(engine, job, seen)
  const pause = seen.lastFailureMs + retryPause(seen.failed) - now
  if (pause <= 0 || seen.failed === 0) startMissing(engine, job, seen)
  const after = tally(job, engine.store.owned(job.metadata.uid, '/pods'))
  const startTime = job.status?.startTime ?? timestamp(now)
  let conditions = job.status?.conditions
  if (isTrue(conditions, 'Suspended')) {
    conditions = withCondition(conditions, suspended('False', 'JobResumed', 'Job resumed'), timestamp(now))
    engine.events.emit(job, SOURCE, 'Normal', 'Resumed', 'Job resumed')
  }
  engine.store.setStatus('batch/jobs', job, statusOf(job, after, { startTime, conditions }))
  const deadline = job.spec.activeDeadlineSeconds
  const untilDeadline = deadline === undefined ? undefined : millis(startTime) + deadline * 1000 - now
  const waits = [pause > 0 ? pause : undefined, untilDeadline].filter((wait) => wait !== undefined)
  return waits.length > 0 ? Math.min(...waits) + 1 : undefined
}

function suspended(status: string, reason: string, message: string): Condition {
  return { type: 'Suspended', status, reason, message }
}

function suspend(engine: Engine, job: Job, seen: JobTally): undefined {
  for (const pod of seen.active) engine.store.delete('/pods', pod)
  const before = conditionOf(job.status?.conditions, 'Suspended')
  const now = timestamp(engine.clock.now())
  const conditions = withCondition(job.status?.conditions, suspended('True', 'JobSuspended', 'Job suspended'), now)
  if (before?.status !== 'True') engine.events.emit(job, SOURCE, 'Normal', 'Suspended', 'Job suspended')
  engine.store.setStatus('batch/jobs', job, statusOf(job, { ...seen, active: [], ready: 0 }, { conditions }))
}

function statusOf(job: Job, seen: JobTally, changes: Partial<JobStatus>): JobStatus {
  const indexed = job.spec.completionMode === 'Indexed'
  return {
    startTime: job.status?.startTime,
    conditions: job.status?.conditions,
    active: seen.active.length || undefined,
    ready: seen.ready,
    succeeded: seen.succeeded || undefined,
    failed: seen.failed || undefined,
    terminating: seen.terminating,
    completedIndexes: indexed ? indexRanges(seen.completedIndexes) : undefined,
    uncountedTerminatedPods: {},
    ...changes,
  }
}

function startMissing(engine: Engine, job: Job, seen: JobTally) {
  const wanted = wantedActive(job, seen)
  for (const pod of [...seen.active].sort(byExpendability).slice(0, Math.max(seen.active.length - wanted, 0))) {
    engine.store.delete('/pods', pod)
    engine.events.emit(job, SOURCE, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
  }
  // After a failure Kubernetes tries with one pod at a time, each a little later.
  const missing = Math.min(wanted - seen.active.length, seen.failed > 0 ? 1 : 500)
  const indexes = job.spec.completionMode === 'Indexed' ? openIndexes(job, seen) : undefined
  for (let count = 0; count < missing; count++) {
    if (createPod(engine, job, template(job, indexes?.[count]), SOURCE.component, podChanges(job, indexes?.[count])))
      return
  }
}

function podChanges(job: Job, index: number | undefined): Omit<PodChanges, 'name'> {
  const { name, uid } = job.metadata
  return {
    labels: {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
      ...(index === undefined ? {} : { [COMPLETION_INDEX]: String(index) }),
    },
    annotations: index === undefined ? {} : { [COMPLETION_INDEX]: String(index) },
  }
}

function template({ metadata, spec }: Job, index: number | undefined): PodTemplate {
  if (index === undefined) return spec.template
  const fieldRef = { fieldPath: `metadata.annotations['${COMPLETION_INDEX}']` }
  const withIndex = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []), { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }],
  })
  const { containers } = spec.template.spec
  const inner = { ...spec.template.spec, hostname: `${metadata.name}-${index}`, containers: containers.map(withIndex) }
  return { ...spec.template, spec: inner }
}

function finish(engine: Engine, job: Job, seen: JobTally, end: Outcome): number | undefined {
  for (const pod of seen.active) engine.store.delete('/pods', pod)
  if (seen.active.length > 0 || seen.terminating > 0) return settle(engine, job, seen, end)
  const nowMs = engine.clock.now()
  const now = timestamp(nowMs)
  const { type, reason, message } = end
  const stamped = { status: 'True', reason, message, lastProbeTime: now }
  const first = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  let conditions = withoutCondition(job.status?.conditions, 'Suspended')
  for (const name of [first, type]) conditions = withCondition(conditions, { type: name, ...stamped }, now)
  const completionTime = type === 'Complete' ? now : undefined
  const startTime = job.status?.startTime ?? now
  engine.store.setStatus('batch/jobs', job, statusOf(job, seen, { conditions, completionTime, startTime }))
  if (type === 'Complete') engine.events.emit(job, SOURCE, 'Normal', 'Completed', 'Job completed')
  else engine.events.emit(job, SOURCE, 'Warning', reason, message)
  return undefined
}

/** The end is decided but pods still stop: that it is coming is said first, the end itself when they are gone. */
function settle(engine: Engine, job: Job, seen: JobTally, end: Outcome): undefined {
  const now = timestamp(engine.clock.now())
  const type = end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const condition = { type, status: 'True', reason: end.reason, message: end.message, lastProbeTime: now }
  const known = isTrue(job.status?.conditions, type)
  const conditions = known ? job.status?.conditions : withCondition(job.status?.conditions, condition, now)
  const left: Pod[] = []
  engine.store.setStatus('batch/jobs', job, statusOf(job, { ...seen, active: left, ready: 0 }, { conditions }))
}

function expire(engine: Engine, job: Job): number | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished
  if (ttl === undefined || ttl === null) return undefined
  const end = ['Complete', 'Failed'].map((type) => conditionOf(job.status?.conditions, type)).find(Boolean)
  const left = millis(end?.lastTransitionTime) + ttl * 1000 + CLEAN_UP_MS - engine.clock.now()
  if (left > 0) return left
  engine.store.delete('batch/jobs', job, { propagationPolicy: 'Foreground' })
  return undefined
}
