import { AsyncLocalStorage } from 'node:async_hooks'
import { fail } from '../http/errors.ts'
import { type Caller, type Limits, type Load, nextOf, verdictOn } from './fairness.ts'

/** The call that work is done for; without one it is the portal's own. */
export const callers = new AsyncLocalStorage<Caller>()

/** Places that people share fairly: each has some at most, waits for a short time, and is refused beyond that. */
export interface FairPlaces {
  /** Refuses a call that would be refused a place. */
  assertMayQueue(caller: Caller): void
  /** Does one piece of work in a place. The portal's own work is let through. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Counts of now, and since the start. */
  figures(): Figures
}

interface Figures {
  running: number
  waiting: number
  waits: number
  waitedSeconds: number
  refused: number
}

interface Waiter {
  caller: Caller
  tenant: Load
  person: Load
  begin(): void
}

const limits: Limits = {
  // Four of the 16 connections are left to the portal's own work, such as actions that run.
  places: 12,
  placesOfTenant: 9,
  placesOfPerson: 6,
  waiting: 1024,
  waitingOfTenant: 256,
  waitingOfPerson: 64,
  writeFactor: 4,
}
const timeouts = { readMs: 5_000, writeMs: 10_000 }

const tooManyOfPerson = 'Too many of your requests are still waiting. Try again in a moment.'

/** Counts what tenants and people have under way; who has nothing is forgotten. */
function createLoads() {
  const all = { running: 0, waiting: 0 }
  const loads = new Map<string, Load>()
  let served = 0
  const loadOf = (key: string): Load => loads.get(key) ?? { running: 0, waiting: 0, servedAt: 0 }
  const keysOf = ({ tenant, person }: Caller) => [tenant, `${tenant}/${person}`] as const

  function of(caller: Caller) {
    const [tenant, person] = keysOf(caller)
    return { all, tenant: loadOf(tenant), person: loadOf(person) }
  }

  function count(caller: Caller, what: 'running' | 'waiting', by: 1 | -1): void {
    all[what] += by
    for (const key of keysOf(caller)) {
      const load = loadOf(key)
      load[what] += by
      if (what === 'running' && by === 1) load.servedAt = ++served
      if (load.running + load.waiting === 0) loads.delete(key)
      else loads.set(key, load)
    }
  }

  return { all, of, count }
}

export function createFairPlaces(onRefused: () => void = () => undefined, wait = timeouts): FairPlaces {
  const loads = createLoads()
  const waiting = new Set<Waiter>()
  const past = { waits: 0, waitedSeconds: 0, refused: 0 }

  function refused(): void {
    past.refused += 1
    onRefused()
  }

  function verdict(caller: Caller): 'run' | 'wait' {
    const found = verdictOn(caller, loads.of(caller), limits)
    if (found === 'run' || found === 'wait') return found
    refused()
    throw found === 'too many of the person'
      ? fail('request.too-many', { message: tooManyOfPerson })
      : fail('portal.busy')
  }

  function begin(caller: Caller): void {
    caller.hasBegun = true
    loads.count(caller, 'running', 1)
  }

  function end(caller: Caller): void {
    loads.count(caller, 'running', -1)
    const next = () => nextOf(waiting, loads.all, limits)
    for (let waiter = next(); waiter; waiter = next()) waiter.begin()
  }

  function waitForPlace(caller: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      past.waits += 1
      loads.count(caller, 'waiting', 1)
      const { tenant, person } = loads.of(caller)
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
        past.waitedSeconds += (performance.now() - since) / 1000
        loads.count(caller, 'waiting', -1)
      }
      const giveUp = () => {
        leave()
        refused()
        reject(fail('portal.busy'))
      }
      const timer = setTimeout(giveUp, caller.onlyReads ? wait.readMs : wait.writeMs)
      const waiter: Waiter = {
        ...{ caller, tenant, person },
        begin() {
          // Counted before it is no longer waiting, so that its counters stay the same objects.
          begin(caller)
          leave()
          resolve()
        },
      }
      waiting.add(waiter)
    })
  }

  return {
    assertMayQueue: (caller) => void verdict(caller),
    figures: () => ({ ...loads.all, ...past }),
    async run(work) {
      const caller = callers.getStore()
      if (!caller) return work()
      if (verdict(caller) === 'run') begin(caller)
      else await waitForPlace(caller)
      try {
        return await work()
      } finally {
        end(caller)
      }
    },
  }
}
