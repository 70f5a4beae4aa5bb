import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import type { JobStatus } from '../engine/kinds.ts'
import { liveCluster, template } from '../sandbox.test-support.ts'

function job(name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations },
    spec: {
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      template: template(name, { restartPolicy: 'Never' }),
      ...spec,
    },
  }
}

const condition = (cluster: ReturnType<typeof liveCluster>, name: string, type: string) =>
  cluster.until(`${name} ${type}`, () => conditionOf(cluster.get('batch/jobs', name)?.status?.conditions, type))

test('a job completes and tells when', async () => {
  using cluster = liveCluster()
  cluster.apply('batch/jobs', job('once', { completions: 3, parallelism: 2 }))
  expect(await condition(cluster, 'once', 'Complete')).toMatchObject({ status: 'True' })
  const { status } = cluster.get('batch/jobs', 'once') ?? {}
  expect(status).toMatchObject({ succeeded: 3, ready: 0 })
  expect(status?.active).toBeUndefined()
  expect(status?.completionTime).toBeDefined()
  expect(cluster.pods('once')).toHaveLength(3)
  expect(cluster.pods('once')[0]?.status?.containerStatuses?.[0]?.state.terminated).toMatchObject({
    exitCode: 0,
    reason: 'Completed',
  })
})

test('a failing job tries again and then gives up', async () => {
  using cluster = liveCluster()
  cluster.apply('batch/jobs', job('bad', { backoffLimit: 2 }, { 'sandbox.quayside.io/fault': 'failing-job' }))
  expect(await condition(cluster, 'bad', 'Failed')).toMatchObject({
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
  })
  expect(cluster.get('batch/jobs', 'bad')?.status?.failed).toBe(3)
  expect(cluster.events('bad')).toContain('BackoffLimitExceeded Job has reached the specified backoff limit')
})

test('OnFailure restarts in place until the limit', async () => {
  using cluster = liveCluster()
  const fault = { 'sandbox.quayside.io/fault': 'failing-job' }
  cluster.apply(
    'batch/jobs',
    job('bad', { backoffLimit: 1, template: template('bad', { restartPolicy: 'OnFailure' }) }, fault),
  )
  expect(await condition(cluster, 'bad', 'Failed')).toMatchObject({ reason: 'BackoffLimitExceeded' })
})

test('a job that runs too long is stopped', async () => {
  using cluster = liveCluster()
  const image = [{ name: 'app', image: 'registry.example/unpullable:1' }]
  cluster.apply(
    'batch/jobs',
    job('long', {
      activeDeadlineSeconds: 5,
      template: template('long', { restartPolicy: 'Never', containers: image }),
    }),
  )
  expect(await condition(cluster, 'long', 'Failed')).toMatchObject({ reason: 'DeadlineExceeded' })
  await cluster.until('pods gone', () => cluster.pods('long').length === 0)
})

test('a suspended job waits, and goes on when resumed', async () => {
  using cluster = liveCluster()
  const made = cluster.apply('batch/jobs', job('later', { suspend: true }))
  expect(await condition(cluster, 'later', 'Suspended')).toMatchObject({ status: 'True' })
  expect(cluster.pods('later')).toHaveLength(0)
  cluster.store.update('batch/jobs', made, (own) => ({ ...own, spec: { ...own.spec, suspend: false } }))
  await condition(cluster, 'later', 'Complete')
})

test('a finished job goes after its time to live, and its pods with it', async () => {
  using cluster = liveCluster()
  cluster.apply('batch/jobs', job('brief', { ttlSecondsAfterFinished: 5 }))
  await condition(cluster, 'brief', 'Complete')
  await cluster.until('gone', () => !cluster.get('batch/jobs', 'brief') && cluster.pods('brief').length === 0)
})

test('a job that goes at once can still be seen to have ended', async () => {
  using cluster = liveCluster()
  const seen: Record<string, number> = {}
  cluster.objects.subscribe((resource, { type, object }) => {
    if (resource !== 'batch/jobs') return
    const { conditions } = (object as { status?: JobStatus }).status ?? {}
    if (conditions?.some((one) => one.type === 'Complete')) seen.complete ??= cluster.clock.now()
    if (object.metadata.deletionTimestamp || type === 'DELETED') seen.going ??= cluster.clock.now()
  })
  cluster.apply('batch/jobs', job('flash', { ttlSecondsAfterFinished: 0 }))
  await cluster.until('gone', () => seen.complete && !cluster.get('batch/jobs', 'flash'))
  expect((seen.going ?? 0) - (seen.complete ?? 0)).toBeGreaterThanOrEqual(1_000)
})

test('an indexed job gives each pod its index', async () => {
  using cluster = liveCluster()
  cluster.apply('batch/jobs', job('parts', { completions: 3, parallelism: 3, completionMode: 'Indexed' }))
  await condition(cluster, 'parts', 'Complete')
  expect(cluster.get('batch/jobs', 'parts')?.status?.completedIndexes).toBe('0-2')
})

test('sidecars end with the job they accompany', async () => {
  using cluster = liveCluster()
  const initContainers = [{ name: 'proxy', image: 'registry.example/proxy:1', restartPolicy: 'Always' }]
  cluster.apply('batch/jobs', job('with', { template: template('with', { restartPolicy: 'Never', initContainers }) }))
  await condition(cluster, 'with', 'Complete')
  expect(cluster.pods('with')[0]?.status?.initContainerStatuses?.[0]?.state.terminated).toBeDefined()
})

test('a cron job starts jobs on schedule and keeps a short history', async () => {
  using cluster = liveCluster({ speed: 1000 })
  cluster.apply('batch/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', successfulJobsHistoryLimit: 1, jobTemplate: { spec: job('tick').spec } },
  })
  await cluster.until(
    'three runs',
    () => cluster.events('tick').filter((line) => line.startsWith('SuccessfulCreate Created job')).length >= 3,
  )
  await cluster.until('history kept short', () => cluster.store.list('batch/jobs', 'default').length <= 2)
  expect(cluster.get('batch/cronjobs', 'tick')?.status?.lastScheduleTime).toMatch(/:00Z$/)
})
