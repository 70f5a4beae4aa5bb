import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { expect, it, vi } from 'vitest'
import { fail } from '../../../platform/http/errors.ts'
import type { ContainerLog } from './container-log.ts'
import { followLogs, type SeenContainers } from './follow-logs.ts'
import type { StampedLine } from './log-lines.ts'
import type { LoggedContainer } from './logged-containers.ts'

const container = (pod: string, more: Partial<LoggedContainer> = {}): LoggedContainer => ({
  ...{ appId: 'shop', madeAt: 0, key: `${pod}/web`, pod, container: 'web', restarts: 0, isRunning: true, hasRun: true },
  ...more,
})
const line = (at: string, text: string): StampedLine => ({ at, text })

/** A container's log whose past is there and whose lines come when the test says them. */
function aLog(past: StampedLine[] = [], ended: StampedLine[] = []) {
  let say: (line: StampedLine) => void = () => {}
  let end = () => {}
  const follow = vi.fn<ContainerLog['follow']>((_, __, take) => {
    say = (one) => void take(one)
    return new Promise((resolve) => {
      end = resolve
    })
  })
  const log: ContainerLog = {
    past: async (_, { isWanted }) => ({ lines: past.filter(({ text }) => isWanted(text)) }),
    async ended(_, __, take) {
      for (const one of ended) await take(one)
    },
    follow,
  }
  return { log, follow, say: (one: StampedLine) => say(one), end: () => end() }
}

/** A reader of these containers; `turn` is one more look at them. */
function reading(
  logs: Record<string, ContainerLog>,
  { search, follow = true }: { search?: string; follow?: boolean } = {},
) {
  const written: LogEntry[] = []
  const leaving = new AbortController()
  const mayBeThere = () => false
  let found: SeenContainers = { containers: [], leftOut: 0, mayBeThere }
  let change = () => {}
  const begin = (...containers: LoggedContainer[]) => {
    found = { containers, leftOut: 0, mayBeThere }
    return followLogs(
      {
        look: async () => found,
        open: ({ pod }) => logs[pod] as ContainerLog,
        change: () =>
          new Promise<void>((resolve) => {
            change = resolve
          }),
        wake: () => change(),
        write: async (entry) => void written.push(entry),
        signal: leaving.signal,
      },
      { follow, tailLines: 10, search, mostLines: 3 },
    )
  }
  return {
    written,
    begin,
    turn(next: LoggedContainer[], leftOut = 0) {
      found = { containers: next, leftOut, mayBeThere }
      change()
    },
    async leave(done: Promise<void>) {
      leaving.abort()
      change()
      await done
    },
  }
}
const texts = (entries: readonly LogEntry[]) =>
  entries.map((entry) => ('line' in entry ? `${entry.pod}: ${entry.line}` : entry.note))

it('sends the newest of what is there by time, says so, and ends', async () => {
  const [a, b] = [aLog([line('1', 'one'), line('4', 'four')]), aLog([line('2', 'two'), line('3', 'three')])]
  const reader = reading({ a: a.log, b: b.log }, { follow: false })
  await reader.begin(container('a'), container('b'))
  expect(texts(reader.written)).toEqual(['b: two', 'b: three', 'a: four', 'caught-up'])
  expect(a.follow).not.toHaveBeenCalled()
})

it('follows, also pods that come, and passes on lines that have the text alone', async () => {
  const [a, b] = [aLog([line('1', 'Started')]), aLog()]
  const reader = reading({ a: a.log, b: b.log }, { search: 'star' })
  const done = reader.begin(container('a'), container('b', { hasRun: false, isRunning: false }))
  await expect.poll(() => a.follow.mock.calls.length).toBe(1)
  a.say(line('2', 'GET /'))
  reader.turn([container('a'), container('b')])
  await expect.poll(() => b.follow.mock.calls.length).toBe(1)
  b.say(line('3', 'restarting'))
  await reader.leave(done)
  expect(texts(reader.written)).toEqual(['a: Started', 'caught-up', 'b: restarting'])
  expect(a.follow).toHaveBeenCalledOnce()
})

it('reads the last words of a container that was restarted before the new ones', async () => {
  const a = aLog([line('1', 'started')], [line('2', 'out of memory')])
  const reader = reading({ a: a.log })
  const done = reader.begin(container('a'))
  await expect.poll(() => a.follow.mock.calls.length).toBe(1)
  a.end()
  await expect
    .poll(() => {
      reader.turn([container('a', { restarts: 1 })])
      return a.follow.mock.calls.length
    })
    .toBe(2)
  await reader.leave(done)
  expect(texts(reader.written)).toEqual(['a: started', 'caught-up', 'a: out of memory', 'restarted'])
})

it('does not read a container again that has ended for good', async () => {
  const a = aLog([line('1', 'done')])
  const reader = reading({ a: a.log })
  const over = container('a', { isRunning: false })
  const done = reader.begin(over)
  await expect.poll(() => a.follow.mock.calls.length).toBe(1)
  a.end()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  for (const _ of [1, 2, 3]) {
    await new Promise(setImmediate)
    reader.turn([over])
  }
  await reader.leave(done)
  vi.restoreAllMocks()
  expect(a.follow).toHaveBeenCalledOnce()
})

it('says once why a container cannot be read, and how many are left out', async () => {
  const { log } = aLog()
  const broken = {
    ...log,
    past: async () => ({ lines: [], error: fail('request.invalid', { message: 'is waiting to start' }) }),
  }
  const reader = reading({ a: broken })
  const done = reader.begin(container('a'))
  await expect.poll(() => reader.written.length).toBe(2)
  reader.turn([container('a')], 7)
  await expect.poll(() => reader.written.length).toBe(3)
  await reader.leave(done)
  expect(reader.written).toEqual([
    { note: 'unreadable', pod: 'a', container: 'web', message: 'is waiting to start' },
    { note: 'caught-up' },
    { note: 'left-out', count: 7 },
  ])
})
