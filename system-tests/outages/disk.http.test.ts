import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../fault-matrix/cases.ts'
import { brokenInvariants } from '../fault-matrix/invariants.ts'
import { createStage, type Stage } from '../fault-matrix/stage.ts'
import { type Subject, subjectOf } from '../fault-matrix/subject.ts'
import { type Assertions, assigning, createAssertions } from './assertions.ts'
import { withFullDisk } from './postgres/full-disk.ts'
import { mountSmallDisk } from './small-disk.ts'
import { startWriters } from './writers.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'quayside-disk-'))
const armed = join(dataDir, 'armed')
const disks = { portal: mountSmallDisk(join(dataDir, 'portal')), postgres: mountSmallDisk(join(dataDir, 'postgres')) }
const whyNot = [disks.portal, disks.postgres].find((disk) => typeof disk === 'string')
const whatToDo = /disk of the portal is full.*Free space in its data folder and try again/

let world: World
let stage: Stage
let assertions: Assertions
let pid: number

beforeAll(async () => {
  writeFileSync(armed, '')
  world = await World.start({
    dataDir,
    postgres: 'own',
    cluster: { speed: 20 },
    env: { LOG_LEVEL: 'warn', QUAYSIDE_LEASE_SECONDS: '3', QUAYSIDE_FAILPOINTS: `@${armed}` },
  })
  stage = await createStage(world, armed)
  assertions = createAssertions(stage.ledger)
  pid = world.portalPid
})
afterAll(async () => {
  await world?.close()
  for (const disk of Object.values(disks)) if (typeof disk !== 'string') disk.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const disk = (which: keyof typeof disks) => {
  const found = disks[which]
  if (typeof found === 'string') throw new Error(found)
  return found
}
const caseOf = (kind: Kind) => ({ kind, point: '', fault: 'throw' }) as const
type Acknowledged = { actionId: string; code?: string; message?: string }

async function post(kind: Kind, subject: Subject) {
  return (await stage.admin()).post<Acknowledged>(kind, subject.body)
}

async function accepted(kind: Kind, subject: Subject): Promise<string> {
  const { status, body } = await post(kind, subject)
  expect(status, JSON.stringify(body)).toBe(202)
  return body.actionId
}

async function mustHold(kind: Kind, subject: Subject, action: Action) {
  expect(await brokenInvariants(stage, caseOf(kind), subject, action, 1)).toEqual([])
  expect(world.portalPid).toBe(pid)
}

/** The same again, now that there is room. */
async function mustWork(kind: Kind, subject: Subject) {
  const action = await assertions.untilFinal(await accepted(kind, subject))
  expect(action).toMatchObject({ state: 'Success' })
  await mustHold(kind, subject, action)
}

/** Sends a command and waits until it stands at the point, where the disk can be filled before it goes on. */
async function heldAt(point: string, kind: Kind, subject: Subject): Promise<string> {
  stage.arm(point, 'hang:1500')
  const id = await accepted(kind, subject)
  await expect.poll(stage.hasStruck, { timeout: 20_000, interval: 10 }).toBe(true)
  return id
}

test.skipIf(whyNot)(
  `the portal's disk fills up before the package is on it, then is freed${whyNot ? ` (${whyNot})` : ''}`,
  async () => {
    const subject = await subjectOf(stage, caseOf('Deploy'))
    const id = await heldAt('F4', 'Deploy', subject)
    disk('portal').fill()
    try {
      const action = await assertions.untilFinal(id)
      expect(action.state).toBe('Failed')
      expect(action.result?.summary).toMatch(/disk of the portal is full.*Free space in its data folder and try again/)
      await mustHold('Deploy', subject, action)
      const before = await stage.ledger.countActions()
      const refused = await post('Deploy', subject)
      expect(refused).toMatchObject({ status: 507, body: { code: 'deployment.disk-full' } })
      expect(await stage.ledger.countActions()).toBe(before)
    } finally {
      disk('portal').free()
    }
    await mustWork('Deploy', subject)
  },
)

test.skipIf(whyNot).each(['Upgrade', 'Rollback', 'Delete'] as const)(
  `the portal's disk fills up before Helm of %s starts, then is freed${whyNot ? ` (${whyNot})` : ''}`,
  async (kind) => {
    const subject = await subjectOf(stage, caseOf(kind))
    const id = await heldAt('F13', kind, subject)
    disk('portal').fill()
    let action: Action
    try {
      action = await assertions.untilFinal(id)
    } finally {
      disk('portal').free()
    }
    expect(action).toMatchObject({ state: 'Failed', result: { summary: expect.stringMatching(whatToDo) } })
    await mustHold(kind, subject, action)
    await mustWork(kind, subject)
  },
)

test.skipIf(whyNot)(
  `the portal's disk fills up while Helm runs: the end is what the cluster holds${whyNot ? ` (${whyNot})` : ''}`,
  async () => {
    const subject = await subjectOf(stage, caseOf('Deploy'))
    const { namespace } = stage.space
    const slow = { method: 'PATCH', resource: 'deployments', namespace, kind: 'slow', milliseconds: 1000, count: 1 }
    await stage.faults.add(slow)
    const id = await accepted('Deploy', subject)
    await expect.poll(stage.faults.areUsedUp, { timeout: 20_000, interval: 20 }).toBe(true)
    disk('portal').fill()
    try {
      const action = await assertions.untilFinal(id)
      expect(action.state).toBe('Success')
      await mustHold('Deploy', subject, action)
    } finally {
      disk('portal').free()
    }
  },
)

test.skipIf(whyNot)(
  `PostgreSQL's disk fills up under writes and a deployment, then is freed${whyNot ? ` (${whyNot})` : ''}`,
  async () => {
    const [write, subject] = [await assigning(stage), await subjectOf(stage, caseOf('Deploy'))]
    const id = await heldAt('F13', 'Deploy', subject)
    // The failpoint holds it for 1.5 s: by then it runs its whole way on a full disk.
    const untilItMet = performance.now() + 3500
    const ended = world.postgres.exited().then(() => true)
    const writers = startWriters(4, write)
    try {
      await expect.poll(() => writers.told.acknowledged.length, { timeout: 15_000 }).toBeGreaterThan(5)
      disk('postgres').fill()
      await expect.poll(() => writers.told.refused, { timeout: 20_000 }).toBeGreaterThan(10)
      await expect.poll(() => performance.now() > untilItMet, { timeout: 5000 }).toBe(true)
      disk('postgres').free()
      // A full disk of its log ends PostgreSQL itself; then whoever made room starts it.
      if (await Promise.race([ended, delay(500, false)])) await world.postgres.start()
      const before = writers.told.acknowledged.length
      await expect.poll(() => writers.told.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before)
    } finally {
      disk('postgres').free()
      await writers.stop()
    }
    await assertions.account(writers.told)
    expect(writers.told.wrong).toEqual([])
    const action = await assertions.untilFinal(id)
    expect(action.state).toBe('Success')
    await mustHold('Deploy', subject, action)
  },
  120_000,
)

test.each([
  ['Deploy', 'F5', 'Failed'],
  ['Deploy', 'F13', 'Failed'],
  ['Upgrade', 'F13', 'Failed'],
  ['Rollback', 'F13', 'Failed'],
  // A deletion goes on after a refusal: the second try has room.
  ['Delete', 'F13', 'Success'],
] as const)('a write to a full disk in %s at %s ends as %s', async (kind, point, state) => {
  const subject = await subjectOf(stage, caseOf(kind))
  stage.arm(point, 'full')
  const action = await assertions.untilFinal(await accepted(kind, subject))
  expect(stage.hasStruck()).toBe(true)
  expect(action.state).toBe(state)
  const told = [action.result?.summary ?? '', ...(await stage.ledger.lines(action.id))]
  expect(told.some((line) => whatToDo.test(line))).toBe(true)
  await mustHold(kind, subject, action)
  if (state === 'Failed') await mustWork(kind, subject)
})

test("a statement that finds PostgreSQL's disk full is refused, an action waits until there is room", async () => {
  const subject = await subjectOf(stage, caseOf('Deploy'))
  const other = await subjectOf(stage, caseOf('Deploy'))
  const id = await heldAt('F13', 'Deploy', subject)
  await withFullDisk(world, ['action_event', 'action'], async () => {
    const before = await stage.ledger.countActions()
    const refused = await post('Deploy', other)
    expect(refused).toMatchObject({ status: 507, body: { code: 'database.full' } })
    expect(refused.body.message).toMatch(/disk of the database is full.*Free space there and try again/)
    expect(await stage.ledger.countActions()).toBe(before)
    // Helm has ended, and the next that the action writes is its end: it meets the full disk itself.
    const state = async () => (await stage.ledger.find(id))?.state
    await expect.poll(state, { timeout: 20_000 }).toBe('verifying')
    expect(await stage.ledger.find(id)).toMatchObject({ running: true, finishedAt: null })
  })
  const action = await assertions.untilFinal(id)
  expect(action.state).toBe('Success')
  await mustHold('Deploy', subject, action)
  await mustWork('Deploy', other)
}, 90_000)
