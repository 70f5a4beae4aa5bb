import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { type Case, callAt, isInHelm } from './cases.ts'
import { helmOf, traceHelm, watchOrphans } from './helm-trace.ts'
import { brokenInvariants } from './invariants.ts'
import { untilEnded } from './ledger.ts'
import { type Listener, listenTo } from './listener.ts'
import { tallyOf, wrongEffect } from './one-effect.ts'
import type { Stage } from './stage.ts'
import { forgetShared, type Subject, subjectOf } from './subject.ts'
import { leaseSeconds } from './worker.ts'

interface Outcome {
  broken: string[]
  state: string
  seconds: number
}

const timeoutMs = 75_000
const portalFaults = new Set<string>(['kill', 'sigterm', 'throw'])

/** F20 and F21 come after the end that is waited for. */
async function hasStruck(stage: Stage): Promise<boolean> {
  for (let tries = 0; tries < 100 && !stage.hasStruck(); tries += 1) await delay(50)
  return stage.hasStruck()
}

/** Carries a case out: prepares, breaks, waits for the end, and asks every invariant. */
export async function runCase(stage: Stage, one: Case): Promise<Outcome> {
  await stage.revive()
  await stage.faults.clear()
  stage.markPortal()
  const subject = await subjectOf(stage, one)
  const key = randomUUID()
  const trace = traceHelm(subject.releaseName ?? 'none')
  const orphans = watchOrphans(stage.runsFolder)
  const before = await tallyOf(stage, subject)
  const started = performance.now()
  let browser: Listener | undefined
  try {
    if (subject.releaseName) browser = listenTo(stage.world.url, await stage.adminToken(), subject.releaseName)
    await prepareFault(stage, one)
    const breaking = breakOnTheWay(stage, one, subject)
    const first = await submit(stage, one, subject, key)
    const action = await untilFinal(stage, key)
    const isReached = (await breaking) && (await hasStruck(stage))
    await settle(stage, one)
    const broken = isReached ? [] : ['the failpoint was not reached']
    if (!action)
      return { broken: [...broken, 'I1 no final state in time'], state: 'none', seconds: secondsSince(started) }
    if ((await submit(stage, one, subject, key)) !== first) broken.push('I6 the same key became something else')
    broken.push(...(await wrongEffect(stage, subject, action, before)))
    if (orphans.longestMs() > leaseSeconds * 1000)
      broken.push(`I5 Helm outlived its portal by ${Math.round(orphans.longestMs())} ms`)
    broken.push(...(await brokenInvariants(stage, one, subject, action, trace.mostAtOnce())))
    broken.push(...((await browser?.wrong(action.id, action.lastSeq)) ?? []))
    if (action.state !== 'Success') forgetShared(stage)
    return { broken, state: action.state, seconds: secondsSince(started) }
  } finally {
    trace.stop()
    orphans.stop()
    browser?.close()
    stage.disarm()
    await stage.faults.clear()
  }
}

const secondsSince = (started: number) => Math.round((performance.now() - started) / 100) / 10

async function prepareFault(stage: Stage, { kind, point, fault }: Case): Promise<void> {
  const { namespace } = stage.space
  if (portalFaults.has(fault) && !isInHelm(point)) return stage.arm(point, fault)
  if (point === 'F14' && fault === 'kill-helm') return
  const isHeld = portalFaults.has(fault) || fault === 'kill-helm'
  await stage.faults.add({ ...callAt(kind, point), namespace, kind: isHeld ? 'hang' : fault, count: 1 })
}

/** Waits until Helm hangs in the call, then does what the case says. False when it never came there. */
async function breakOnTheWay(stage: Stage, { point, fault }: Case, { releaseName }: Subject): Promise<boolean> {
  if (portalFaults.has(fault) && !isInHelm(point)) return true
  const until = performance.now() + 20_000
  const isKilledAtOnce = point === 'F14' && fault === 'kill-helm'
  while (isKilledAtOnce ? helmOf(releaseName ?? '').length === 0 : !(await stage.faults.areUsedUp())) {
    if (performance.now() > until) return false
    await delay(30)
  }
  // A call that hangs keeps Helm where it is: without one, somebody else's call was struck.
  if ((portalFaults.has(fault) || fault === 'kill-helm') && helmOf(releaseName ?? '').length === 0) return false
  if (portalFaults.has(fault)) stage.arm(point, fault)
  if (fault === 'kill-helm') for (const pid of helmOf(releaseName ?? '')) process.kill(pid, 'SIGKILL')
  return true
}

/** Sends the command until it is answered, as a careful client does: the same key each time. */
async function submit(stage: Stage, { kind }: Case, { body, deletion }: Subject, key: string): Promise<string> {
  let last = ''
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      const story = await stage.admin()
      const headers = { 'idempotency-key': key }
      const answer = deletion
        ? await story.call<{ actionId?: string; id?: string }>(deletion.path, { method: 'DELETE', headers })
        : await story.post<{ actionId?: string; id?: string }>(kind, body, headers)
      if (answer.status < 300) return answer.body.actionId ?? answer.body.id ?? ''
      last = `${answer.status} ${JSON.stringify(answer.body)}`
      if (answer.status < 500) throw new Error(`refused: ${last}`)
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('refused')) throw error
      last = String(error)
    }
    await delay(100)
    await stage.revive()
  }
  throw new Error(`nobody answers: ${last}`)
}

/** Its end, also of a command whose answer was lost. */
function untilFinal(stage: Stage, key: string): Promise<Action | undefined> {
  return untilEnded(() => stage.ledger.byKey(key), timeoutMs, stage.revive)
}

/** A portal that was told to end gets the time to, and the next one starts. */
async function settle(stage: Stage, { fault }: Case): Promise<void> {
  if (fault === 'throw' || !portalFaults.has(fault)) return
  for (let tries = 0; tries < 200 && stage.isPortalAlive() && !stage.wasRevived(); tries += 1) await delay(50)
  await stage.revive()
}
