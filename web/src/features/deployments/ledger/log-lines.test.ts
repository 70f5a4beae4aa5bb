import { expect, test } from 'vitest'
import { everyEvent, linesOf } from './log-lines.ts'

test('messages become lines in their order, results do not, and what timed out is marked', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const lines = linesOf([
    { seq: 1, at, event: 'message', payload: { type: 'deploy', message: 'Starting', level: 'info' } },
    { seq: 2, at, event: 'IAM', payload: { type: 'Success', msg: 'Access is set up' } },
    { seq: 3, at, event: 'message', payload: { type: 'helm', message: 'Helm timed out', level: 'error' } },
  ])
  expect(lines).toEqual([
    { seq: 1, at, message: 'Starting', level: 'info', timeout: false },
    { seq: 3, at, message: 'Helm timed out', level: 'error', timeout: true },
  ])
})

test('a log that is longer than one answer is read to its end', async () => {
  const at = '2026-01-01T00:00:00.000Z'
  const all = Array.from(
    { length: 5003 },
    (_, index) => ({ seq: index + 1, at, event: 'message', payload: {} }) as const,
  )
  const asked: number[] = []
  const read = await everyEvent(async (seq) => {
    asked.push(seq)
    return all.filter((each) => each.seq > seq).slice(0, 5000)
  })
  expect([asked, read.length, read.at(-1)?.seq]).toEqual([[0, 5000], 5003, 5003])
})
