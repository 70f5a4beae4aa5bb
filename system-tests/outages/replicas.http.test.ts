import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { createStory } from '@quayside/embedded/story/story'
import { type Replica, World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { traceHelm } from '../fault-matrix/helm-trace.ts'
import { brokenInvariants } from '../fault-matrix/invariants.ts'
import { createLedger, untilEnded } from '../fault-matrix/ledger.ts'
import { createStage, type Stage } from '../fault-matrix/stage.ts'
import { type Subject, subjectOf } from '../fault-matrix/subject.ts'
import { workerOn } from './processes.ts'

const deploying = { kind: 'Deploy', point: 'F17', fault: 'hang' } as const
const takeoverMs = 45_000
/** `OUTAGES=all`: with the settings as shipped. Else with a short lease, and a takeover must be as much sooner. */
const isShipped = process.env.OUTAGES === 'all'
const leaseSeconds = isShipped ? 20 : 3
/** The lease, a third of it as grace, a round of recovery, the queue's own poll, and what the deployment still has to do. */
const soonMs = Math.min(takeoverMs, leaseSeconds * 1500 + 2_000 + 8_000)

let world: World
let replica: Replica
let stage: Stage
let folder: string
const sockets: Socket[] = []

beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn', ...(isShipped ? {} : { QUAYSIDE_LEASE_SECONDS: `${leaseSeconds}` }) }
  world = await World.start({ cluster: { speed: 20 }, env })
  replica = await world.addReplica()
  folder = mkdtempSync(join(tmpdir(), 'quayside-outages-'))
  const made = await createStage(world, join(folder, 'armed'))
  stage = { ...made, ledger: createLedger(async () => createStory(answeringPortal(), await made.adminToken())) }
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  for (const pid of portals().filter(isThere)) process.kill(pid, 'SIGCONT')
  await startMissing()
  await stage?.faults.clear()
})
/** Two again, after a test that ended one. */
async function startMissing(): Promise<void> {
  if (!isThere(replica.pid)) replica = await world.addReplica()
  if (!isThere(world.portalPid)) await world.restartPortal()
}
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const portals = () => [world.portalPid, replica.pid]

/** A replica that is there and does not stand still. */
function answeringPortal(): World | Replica {
  if (isThere(world.portalPid) && !isStopped(world.portalPid)) return world
  return replica
}

test('an action that was started on one replica is followed on both, line by line', async () => {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const subject = await subjectOf(stage, deploying)
  const logs = await Promise.all([world.url, replica.url].map((url) => follow(url, token, subject.releaseName)))
  const { body } = await createStory(world, token).post<{ actionId: string }>('Deploy', subject.body)
  const { good } = createStory(replica, token)
  expect(await good(`/deployment/v1/actions/${body.actionId}?wait=60`)).toMatchObject({ state: 'Success' })
  const events = await stage.ledger.events(body.actionId)
  for (const log of logs) await expect.poll(() => log.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq))
  expect(logs[1]).toEqual(logs[0])
})

test('two dozen posted at once to two replicas: four Helm at a time, and each ends as the cluster shows it', async () => {
  const subjects = await Promise.all(Array.from({ length: 24 }, () => subjectOf(stage, deploying)))
  const trace = traceHelm(...subjects.map(({ releaseName }) => releaseName ?? ''))
  try {
    const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
    const doors = [world, replica].map((portal) => createStory(portal, token))
    const sent = await Promise.all(
      subjects.map(({ body }, at) => doors[at % 2]?.post<{ actionId: string }>('Deploy', body)),
    )
    expect(sent.map((answer) => answer?.status)).toEqual(subjects.map(() => 202))
    const ids = sent.map((answer) => answer?.body.actionId ?? '')
    const all = async () => (await stage.ledger.ofKind('Deploy')).filter(({ id }) => ids.includes(id))
    const open = async () => (await all()).filter(({ running }) => running).length
    await expect.poll(open, { timeout: 100_000, interval: 100 }).toBe(0)
    expect(trace.mostAtOnce()).toBeGreaterThan(1)
    expect(trace.mostAtOnce()).toBeLessThanOrEqual(4)
    const ended = await all()
    expect(ended.map(({ state }) => state)).toEqual(ids.map(() => 'Success'))
    for (const [at, subject] of subjects.entries()) {
      const action = ended.find(({ id }) => id === ids[at])
      expect(action && (await brokenInvariants(stage, deploying, subject, action, 1))).toEqual([])
    }
  } finally {
    trace.stop()
  }
}, 150_000)

test('a replica that is stopped while Helm runs is replaced, and writes nothing more when it goes on', async () => {
  const { action: begun, subject, trace, worker } = await deployHeld()
  const stoppedAt = performance.now()
  await standStill(worker)
  try {
    const action = await untilFinal(begun)
    expect(performance.now() - stoppedAt).toBeLessThan(takeoverMs)
    expect(action.state).toBe('Success')
    const before = await written(begun)
    process.kill(worker, 'SIGCONT')
    // It has waked up when it answers again; one lease later its beats have all run.
    await answering(worker)
    const restMs = leaseSeconds * 1000 + 1_000
    const until = performance.now() + restMs
    await expect.poll(() => performance.now() > until, { timeout: restMs + 2_000, interval: 200 }).toBe(true)
    expect(await written(begun)).toEqual(before)
    expect(await brokenInvariants(stage, deploying, subject, action, trace.mostAtOnce())).toEqual([])
  } finally {
    process.kill(worker, 'SIGCONT')
    trace.stop()
  }
}, 90_000)

test('the action of a replica that is killed in the middle is ended by the other one, in time', async () => {
  const { action: begun, subject, trace, worker } = await deployHeld()
  const killedAt = performance.now()
  process.kill(worker, 'SIGKILL')
  try {
    const action = await untilFinal(begun)
    const tookMs = performance.now() - killedAt
    console.log(
      `killed with a lease of ${leaseSeconds} s: the other replica had ended it ${Math.round(tookMs)} ms later`,
    )
    expect(tookMs).toBeLessThan(soonMs)
    expect(action.state).toBe('Success')
    expect(await stage.ledger.takeovers(begun)).toBe(1)
    // Files that the killed replica kept for its Helm are removed when it starts again.
    await startMissing()
    expect(await brokenInvariants(stage, deploying, subject, action, trace.mostAtOnce())).toEqual([])
  } finally {
    trace.stop()
  }
}, 120_000)

test('a replica whose process stands still for less than half a lease keeps its work', async () => {
  const standsMs = leaseSeconds * 400
  const { action: begun, subject, trace, worker } = await deployHeld(standsMs + 1_000)
  await standStill(worker)
  try {
    const until = performance.now() + standsMs
    await expect.poll(() => performance.now() > until, { timeout: 20_000, interval: 50 }).toBe(true)
    process.kill(worker, 'SIGCONT')
    const action = await untilFinal(begun)
    expect(action.state).toBe('Success')
    expect(await stage.ledger.takeovers(begun)).toBe(0)
    expect(await brokenInvariants(stage, deploying, subject, action, trace.mostAtOnce())).toEqual([])
  } finally {
    process.kill(worker, 'SIGCONT')
    trace.stop()
  }
}, 120_000)

test('a replica that is told to end hands its work over', async () => {
  const { action: begun, subject, trace, worker } = await deployHeld()
  try {
    process.kill(worker, 'SIGTERM')
    const action = await untilFinal(begun)
    expect(action.state).toBe('Success')
    await expect.poll(() => isThere(worker), { timeout: 15_000 }).toBe(false)
    expect(await brokenInvariants(stage, deploying, subject, action, trace.mostAtOnce())).toEqual([])
  } finally {
    trace.stop()
  }
}, 90_000)

/** A deployment whose Helm hangs, for good or for a while, and the replica that works on it. */
async function deployHeld(slowMs?: number) {
  const subject = await subjectOf(stage, deploying)
  const releaseName = subject.releaseName ?? ''
  const trace = traceHelm(releaseName)
  await stage.faults.add({
    method: 'PATCH',
    resource: 'deployments',
    namespace: stage.space.namespace,
    ...(slowMs === undefined ? { kind: 'hang' } : { kind: 'slow', milliseconds: slowMs }),
    count: 1,
  })
  const action = await send(subject)
  await expect.poll(() => stage.faults.areUsedUp(), { timeout: 20_000 }).toBe(true)
  const worker = workerOn(releaseName, portals())
  if (worker === undefined) throw new Error('no replica works on it')
  return { action, subject, trace, worker }
}

async function send({ body }: Subject): Promise<string> {
  const answer = await (await stage.admin()).post<{ actionId: string }>('Deploy', body)
  expect(answer.status).toBeLessThan(300)
  return answer.body.actionId
}

async function untilFinal(id: string): Promise<Action> {
  const action = await untilEnded(() => stage.ledger.find(id), takeoverMs)
  if (!action) throw new Error('it did not end in time')
  return action
}

/** Everything of an action that a replica could still write to. */
async function written(id: string) {
  return { action: await stage.ledger.find(id), events: await stage.ledger.events(id) }
}

async function answering(pid: number): Promise<void> {
  const url = pid === replica.pid ? replica.url : world.url
  const look = () => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok)
  await expect.poll(() => look().catch(() => false), { timeout: 20_000 }).toBe(true)
}

/** Stops a process; a question that reached it while it still ran would wait for its answer for ever. */
async function standStill(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => isStopped(pid), { interval: 10 }).toBe(true)
}

function isStopped(pid: number): boolean {
  return /^\d+ \(.*\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function follow(url: string, token: string, releaseName: string | null) {
  const socket = io(url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  sockets.push(socket)
  const log: { seq: number }[] = []
  for (const name of ['message', 'IAM', 'helmresult', 'hookresult', 'Deploy'])
    socket.on(name, (payload: { seq: number }) => log.push(payload))
  expect(await socket.timeout(5_000).emitWithAck('register', releaseName)).toMatchObject({ ok: true })
  return log
}
