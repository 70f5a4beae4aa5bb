import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { programsIn } from '../fault-matrix/helm-trace.ts'
import type { Stage } from '../fault-matrix/stage.ts'
import type { PlannedFault } from './plan.ts'

/** Breaks what a round wants broken; the promise ends when nothing more is about to happen and nobody stands still. */
export async function startFaults(
  stage: Stage,
  troubles: readonly PlannedFault[],
): Promise<{ over: Promise<unknown> }> {
  stage.armAll(troubles.flatMap((one) => (one.is === 'failpoint' ? [`${one.point}=${one.fault}`] : [])).join())
  for (const one of troubles) {
    if (one.is !== 'fault') continue
    const { userAgent, method, kind, count } = one
    const { namespace } = stage.space
    await stage.faults.add({ userAgent, method, kind, count, namespace, ...(kind === 'slow' && { milliseconds: 700 }) })
  }
  return { over: Promise.all(troubles.map((one) => strikeLater(stage, one))) }
}

async function strikeLater(stage: Stage, one: PlannedFault): Promise<void> {
  if (one.is !== 'signal' && one.is !== 'freeze') return
  await delay(one.afterMs)
  if (one.is === 'signal') return signal(pidsOf(stage, one.whom), one.signal)
  const still = pidsOf(stage, one.whom)
  signal(still, 'SIGSTOP')
  try {
    await delay(one.forMs)
  } finally {
    signal(still, 'SIGCONT')
  }
}

function pidsOf(stage: Stage, whom: 'portal' | 'helm' | 'supervisor'): number[] {
  if (whom === 'helm') return programsIn(stage.runsFolder).map(({ pid }) => pid)
  const portal = stage.world.portalPid
  return whom === 'portal' ? [portal] : supervisorsOf(portal)
}

function supervisorsOf(portal: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).includes('supervisor-main'))
    .filter((pid) => Number(/^\d+ \(.*\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1]) === portal)
    .map(Number)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}
