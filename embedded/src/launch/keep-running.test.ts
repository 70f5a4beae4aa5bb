import { afterEach, expect, test, vi } from 'vitest'
import { keepRunning } from './keep-running.ts'
import type { Portal } from './portal.ts'

afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => undefined)

interface Fate {
  /** Seconds that each start of the portal lasts. */
  lasts?: number
  /** Starts of the portal after which it ends at once, the first one counted. */
  portalEnds?: number
  /** Starts of the portal that fail. */
  portalFails?: number
  databaseEnds?: number
}

/** The end of a portal, by a clock that the test has set going. */
async function endsAfter(seconds: number): Promise<string> {
  if (seconds > 0) vi.setSystemTime(Date.now() + seconds * 1000)
  return 'SIGKILL'
}

function standIn({ portalEnds = 0, portalFails = 0, databaseEnds = 0, lasts = 0 }: Fate) {
  const lines: string[] = []
  const tries = { portal: 0, postgres: 0 }
  const portal = (nth: number): Portal => ({
    pid: 1,
    exited: nth < portalEnds ? endsAfter(lasts) : never,
    close: async () => undefined,
  })
  const stack = {
    portal: portal(0) as Portal | undefined,
    async startPortal() {
      tries.portal += 1
      if (tries.portal <= portalFails) throw new Error('helm version took 10 s')
      stack.portal = portal(tries.portal)
      return stack.portal
    },
    postgres: {
      exited: () => (tries.postgres < databaseEnds ? Promise.resolve() : never),
      start: async () => {
        tries.postgres += 1
      },
      signal: () => undefined,
      close: async () => undefined,
    },
  }
  const stop = new AbortController()
  const run = () => keepRunning(stack, { line: (text) => void lines.push(text) }, stop.signal)
  return { run, stack, stop, lines, tries }
}

test('a portal that ends again and again is given up, and the last line says that, why, and what to do', async () => {
  const { run, lines, tries } = standIn({ portalEnds: 10 })
  expect(await run()).toBe(1)
  expect(tries.portal).toBe(3)
  expect(lines).toHaveLength(4)
  expect(lines[2]).toContain('is started again (3 of 3 times within a minute)')
  expect(lines[3]).toMatch(/for the 4th time within a minute\. It is not started again.*portal\.log.*npm start again/)
})

test('a start that fails counts as an end, and the next one is tried', async () => {
  const failing = standIn({ portalEnds: 1, portalFails: 10 })
  expect(await failing.run()).toBe(1)
  expect(failing.tries.portal).toBe(3)
  expect(failing.lines[1]).toContain('The portal could not be started and is started again (2 of 3 times')

  const once = standIn({ portalEnds: 1, portalFails: 1 })
  const running = once.run()
  await expect.poll(() => once.tries.portal).toBe(2)
  expect(once.lines).toHaveLength(2)
  expect(await Promise.race([running, new Promise((done) => setImmediate(done, 'runs'))])).toBe('runs')
})

test('PostgreSQL is started again, and given up as the portal is', async () => {
  const { run, lines, tries } = standIn({ databaseEnds: 10 })
  expect(await run()).toBe(1)
  expect(tries).toEqual({ portal: 0, postgres: 3 })
  expect(lines[0]).toMatch(/^PostgreSQL ended by itself and is started again \(1 of 3.*postgres\/postgres\.log/)
  expect(lines[3]).toMatch(/^PostgreSQL ended by itself, for the 4th time.*everything is stopped/)
})

test.each([
  ['every ten seconds is given up within the minute', 10, 3],
  ['every half a minute is started for as long as it takes', 30, 8],
])('a portal that ends %s', async (_, lasts, starts) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { run, tries } = standIn({ portalEnds: 8, lasts })
  const running = run()
  await expect.poll(() => tries.portal).toBe(starts)
  const isOver = await Promise.race([running.then(() => true), new Promise((done) => setImmediate(done, false))])
  expect(isOver).toBe(starts === 3)
})
