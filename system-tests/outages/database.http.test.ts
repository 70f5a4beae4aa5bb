import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { helmOf, traceHelm } from '../fault-matrix/helm-trace.ts'
import { brokenInvariants } from '../fault-matrix/invariants.ts'
import { createStage, type Stage } from '../fault-matrix/stage.ts'
import { subjectOf } from '../fault-matrix/subject.ts'
import { type Assertions, assigning, createAssertions } from './assertions.ts'
import { withLostCommits, withLostStatements } from './postgres/lost-answers.ts'
import { type Acknowledged, startWriters } from './writers.ts'

/** `OUTAGES=all` adds the long ones and at least 2 000 acknowledged writes. */
const isLong = process.env.OUTAGES === 'all'
const wantedWrites = isLong ? 2000 : 100
const deploying = { kind: 'Deploy', point: 'F17', fault: 'hang' } as const

let world: World
let stage: Stage
let folder: string
let assertions: Assertions

beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn', QUAYSIDE_LEASE_SECONDS: '3', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '20' }
  world = await World.start({ postgres: 'own', cluster: { speed: 20 }, env })
  folder = mkdtempSync(join(tmpdir(), 'quayside-outages-'))
  stage = await createStage(world, join(folder, 'armed'))
  assertions = createAssertions(stage.ledger)
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const killed = (awayMs: number) => async () => {
  world.postgres.signal('SIGKILL')
  await delay(awayMs)
  await world.postgres.start()
}
const frozen = (awayMs: number) => async () => {
  world.postgres.signal('SIGSTOP')
  await delay(awayMs)
  world.postgres.signal('SIGCONT')
}
type Outage = [name: string, take: () => Promise<void>]
const short: Outage[] = [
  ['is killed', killed(0)],
  ['is frozen for 1 s', frozen(1000)],
]
const long: Outage[] = [
  ['is killed and away for 1 s', killed(1000)],
  ['is killed a second time', killed(0)],
  ['is killed and away for 30 s', killed(30_000)],
  ['is frozen for 30 s', frozen(30_000)],
]

/** More than there are connections: calls that hold one while they wait for another would all wait for each other. */
const manyAtOnce = 24

test('more callers at once than there are connections all get their answer', async () => {
  const [story, write] = [await stage.admin(), await assigning(stage)]
  const statuses = async (call: () => Promise<{ status: number }>) =>
    new Set((await Promise.all(Array.from({ length: manyAtOnce }, call))).map(({ status }) => status))
  expect(await statuses(write)).toEqual(new Set([200]))
  for (const path of [
    '/portal-api/v2/apps',
    '/portal-api/v2/spaces',
    '/cluster/v1/clusters/list',
    '/catalog/v2/items',
    '/deployment/v1/actions',
  ])
    expect({ path, answers: await statuses(() => story.call(path)) }).toEqual({ path, answers: new Set([200]) })
})

test.each([...short, ...(isLong ? long : [])])(
  'PostgreSQL %s: no acknowledged write is lost, no deployment hangs',
  async (name, take) => {
    const [write, pid] = [await assigning(stage), world.portalPid]
    const subject = await subjectOf(stage, deploying)
    const trace = traceHelm(subject.releaseName ?? '')
    await stage.faults.add({
      method: 'PATCH',
      resource: 'deployments',
      namespace: stage.space.namespace,
      kind: 'slow',
      milliseconds: 1500,
      count: 1,
    })
    const sent = await (await stage.admin()).post<{ actionId: string }>('Deploy', subject.body)
    const writers = startWriters(4, write)
    try {
      await expect.poll(() => helmOf(subject.releaseName ?? '').length, { timeout: 30_000, interval: 20 }).toBe(1)
      await expect.poll(() => stage.faults.areUsedUp(), { timeout: 20_000, interval: 20 }).toBe(true)
      await take()
      const back = performance.now()
      const before = writers.told.acknowledged.length
      await expect
        .poll(() => writers.told.acknowledged.length, { timeout: 15_000, interval: 20 })
        .toBeGreaterThan(before)
      const backMs = Math.round(performance.now() - back)
      const action = await assertions.untilFinal(sent.body.actionId)
      const endedMs = Math.round(performance.now() - back)
      await writers.stop()
      await assertions.account(writers.told)
      report(name, writers.told, { backMs, endedMs, state: action.state })
      expect(world.portalPid).toBe(pid)
      expect(writers.told.wrong).toEqual([])
      expect(await brokenInvariants(stage, deploying, subject, action, trace.mostAtOnce())).toEqual([])
    } finally {
      await writers.stop()
      trace.stop()
      await stage.faults.clear()
    }
  },
  240_000,
)

const newSpace = async (displayName: string) => {
  const story = await stage.admin()
  const sent = () => story.call<{ code?: string; message?: string }>('/portal-api/v3/spaces', { body: { displayName } })
  const made = async () => (await stage.ledger.spaces()).filter((space) => space.displayName === displayName).length
  return { sent, made }
}

test('PostgreSQL keeps what it was asked to and does not say so: the answer is that it may be done', async () => {
  const { sent, made } = await newSpace('Kept in silence')
  const { status, body } = await withLostCommits(world, sent, { table: 'spaces', most: 1 })
  expect({ status, ...body }).toMatchObject({ status: 503, code: 'database.outcome-unknown' })
  expect(body.message).toMatch(/may or may not have been made.*same Idempotency-Key/)
  expect(await made()).toBe(1)
})

test('the entry of the audit log is kept in silence: the call is carried out all the same, once', async () => {
  const { sent, made } = await newSpace('Audited in silence')
  const { status } = await withLostCommits(world, sent, { table: 'audit_entry', most: 1 })
  expect(status).toBe(201)
  expect(await made()).toBe(1)
})

test('PostgreSQL is lost before it was asked to keep anything: the answer promises no more than that', async () => {
  const { sent, made } = await newSpace('Never kept')
  const { status, body } = await withLostStatements(world, 'spaces', sent)
  expect({ status, ...body }).toMatchObject({ status: 503, code: 'database.unavailable' })
  expect(body.message).not.toMatch(/nothing/i)
  expect(await made()).toBe(0)
})

test('a command whose commit was not answered is looked for and accepted, once', async () => {
  const subject = await subjectOf(stage, deploying)
  const key = { 'idempotency-key': 'kept-in-silence' }
  const story = await stage.admin()
  const post = () => story.post<{ actionId: string }>('Deploy', subject.body, key)
  const first = await withLostCommits(world, post, { table: 'action', most: 1 })
  expect(first.status, JSON.stringify(first.body)).toBe(202)
  const action = await assertions.untilFinal(first.body.actionId)
  expect((await post()).body.actionId).toBe(action.id)
  expect(action.state).toBe('Success')
  expect(await brokenInvariants(stage, deploying, subject, action, 1)).toEqual([])
}, 90_000)

test.each([
  ['lines in the middle of an action are not answered', { table: 'action_event', most: 2 }],
  ['acceptance and the end of an action are not answered', { table: 'action_audit', most: 2 }],
])(
  'when commits of %s, each line stands in its log once',
  async (_, chosen) => {
    const subject = await subjectOf(stage, deploying)
    const story = await stage.admin()
    const action = await withLostCommits(
      world,
      async () => {
        const { status, body } = await story.post<{ actionId: string }>('Deploy', subject.body)
        expect(status, JSON.stringify(body)).toBe(202)
        return assertions.untilFinal(body.actionId)
      },
      chosen,
    )
    expect(action.state).toBe('Success')
    const said = (await stage.ledger.lines(action.id)).filter((line) => !line.startsWith('Waiting for '))
    expect(said.length).toBeGreaterThan(8)
    expect(said).toEqual([...new Set(said)])
    expect(await brokenInvariants(stage, deploying, subject, action, 1)).toEqual([])
  },
  90_000,
)

test(`at least ${wantedWrites} writes were acknowledged, and after one more kill every one is there`, async () => {
  const writers = startWriters(4, await assigning(stage))
  const missing = () => wantedWrites - assertions.acknowledged.length - writers.told.acknowledged.length
  await expect.poll(missing, { timeout: 200_000, interval: 100 }).toBeLessThanOrEqual(0)
  await killed(0)()
  await writers.stop()
  await assertions.account(writers.told)
  report('is killed at last', writers.told, { all: assertions.acknowledged.length })
  expect(writers.told.wrong).toEqual([])
}, 240_000)

function report(
  name: string,
  { acknowledged, refused, unanswered }: Acknowledged,
  more: Record<string, unknown>,
): void {
  if (isLong) console.info(name, { acknowledged: acknowledged.length, refused, unanswered, ...more })
}
