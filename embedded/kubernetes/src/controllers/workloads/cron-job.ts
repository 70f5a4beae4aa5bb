import { conditionOf } from '../engine/conditions.ts'
import { type Engine, millis, timestamp } from '../engine/engine.ts'
import type { CronJob, Job } from '../engine/kinds.ts'
import { controllerReference, keyOfController } from '../engine/owners.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'
import { statusCode } from '../engine/typed-store.ts'
import { nextRun, parseSchedule, type Schedule } from './cron-schedule.ts'
import { isOver } from './job.ts'

const SOURCE = { component: 'cronjob-controller' }

/** Starts jobs when their time has come. */
export function cronJobController(engine: Engine): Controller {
  const { store } = engine
  return {
    name: 'CronJob',
    watches: { 'batch/cronjobs': itself, 'batch/jobs': ({ object }) => keyOfController(object, 'CronJob') },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const cron = store.get('batch/cronjobs', namespace, name)
      if (!cron || cron.metadata.deletionTimestamp) return undefined
      const jobs = store.owned(cron.metadata.uid, 'batch/jobs')
      prune(engine, cron, jobs)
      return cron.spec.suspend ? writeStatus(engine, cron, jobs) : run(engine, cron, jobs)
    },
  }
}

function run(engine: Engine, cron: CronJob, jobs: Job[]): number | undefined {
  const { events, clock } = engine
  let schedule: Schedule
  try {
    schedule = parseSchedule(cron.spec.schedule)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    events.emit(
      cron,
      SOURCE,
      'Warning',
      'UnparseableSchedule',
      `unparseable schedule: ${cron.spec.schedule} : ${reason}`,
    )
    return undefined
  }
  const now = clock.now()
  const last = millis(cron.status?.lastScheduleTime, millis(cron.metadata.creationTimestamp))
  const { due, next } = dueRun(schedule, last, now, cron.spec.timeZone)
  const tooLate =
    cron.spec.startingDeadlineSeconds !== undefined &&
    due !== undefined &&
    now - due > cron.spec.startingDeadlineSeconds * 1000
  if (due === undefined || tooLate) writeStatus(engine, cron, jobs)
  else start(engine, cron, jobs, due)
  return next === undefined ? undefined : next - now
}

/** The newest moment that has passed since the last run, and the one to come. */
function dueRun(schedule: Schedule, last: number, now: number, timeZone = 'UTC') {
  let due: number | undefined
  let next = nextRun(schedule, last, timeZone)
  // Far behind, as after a long stop: only the newest missed run counts.
  if (next !== undefined && now - next > 86_400_000 && !schedule.everyMs)
    next = nextRun(schedule, now - 86_400_000, timeZone)
  while (next !== undefined && next <= now) {
    due = next
    next = nextRun(schedule, next, timeZone)
  }
  return { due, next }
}

function start(engine: Engine, cron: CronJob, jobs: Job[], due: number) {
  const { store, events } = engine
  const active = jobs.filter((job) => !isOver(job))
  if (active.length > 0 && cron.spec.concurrencyPolicy === 'Forbid') {
    events.emit(
      cron,
      SOURCE,
      'Normal',
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    )
    writeStatus(engine, cron, jobs)
    return
  }
  if (cron.spec.concurrencyPolicy === 'Replace') {
    for (const job of active) {
      store.delete('batch/jobs', job, { propagationPolicy: 'Background' })
      events.emit(cron, SOURCE, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
    }
  }
  const { metadata, spec } = cron.spec.jobTemplate
  const name = `${cron.metadata.name}-${Math.floor(due / 60_000)}`
  const annotations = { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due) }
  try {
    store.create('batch/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: cron.metadata.namespace,
        labels: metadata?.labels,
        annotations,
        ownerReferences: [controllerReference(cron)],
      },
      spec: { parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false, ...spec },
    })
    events.emit(cron, SOURCE, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
  } catch (error) {
    // It was made before this process started; only the status is behind.
    if (statusCode(error) !== 409) throw error
  }
  writeStatus(engine, cron, store.owned(cron.metadata.uid, 'batch/jobs'), due)
}

const endOf = ({ status }: Job) => {
  const end = conditionOf(status?.conditions, 'Complete') ?? conditionOf(status?.conditions, 'Failed')
  return millis(status?.completionTime ?? end?.lastTransitionTime)
}

function writeStatus({ store }: Engine, cron: CronJob, jobs: Job[], scheduled?: number): undefined {
  const active = jobs.filter((job) => !isOver(job))
  const done = jobs.filter(({ status }) => conditionOf(status?.conditions, 'Complete')?.status === 'True')
  const lastSuccess = Math.max(0, millis(cron.status?.lastSuccessfulTime), ...done.map(endOf))
  store.setStatus('batch/cronjobs', cron, {
    active:
      active.length === 0
        ? undefined
        : active.map(({ apiVersion, kind, metadata: { name, namespace, uid } }) => ({
            apiVersion,
            kind,
            name,
            namespace,
            uid,
          })),
    lastScheduleTime: scheduled === undefined ? cron.status?.lastScheduleTime : timestamp(scheduled),
    lastSuccessfulTime: lastSuccess > 0 ? timestamp(lastSuccess) : undefined,
  })
}

function prune({ store, events }: Engine, cron: CronJob, jobs: Job[]) {
  const limits: [string, number][] = [
    ['Complete', cron.spec.successfulJobsHistoryLimit ?? 3],
    ['Failed', cron.spec.failedJobsHistoryLimit ?? 1],
  ]
  for (const [type, limit] of limits) {
    const over = jobs.filter(
      ({ status, metadata }) => !metadata.deletionTimestamp && conditionOf(status?.conditions, type)?.status === 'True',
    )
    for (const job of over.sort((a, b) => endOf(b) - endOf(a)).slice(limit)) {
      store.delete('batch/jobs', job, { propagationPolicy: 'Background' })
      events.emit(cron, SOURCE, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
    }
  }
}
