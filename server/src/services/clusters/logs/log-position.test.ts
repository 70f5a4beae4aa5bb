import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StampedLine } from './log-lines.ts'
import { createLogPosition } from './log-position.ts'

it('takes every line once, wherever a reading breaks off and from which second the next begins', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }).map((list) => list.sort((a, b) => a - b))
  fc.assert(
    fc.property(moments, fc.array(fc.nat(60), { maxLength: 5 }), (log, breaks) => {
      const lines: StampedLine[] = log.map((at, index) => ({ at: String(at).padStart(3, '0'), text: `${index}` }))
      const position = createLogPosition()
      const taken: StampedLine[] = []
      for (const end of [...breaks, lines.length]) {
        // Whole seconds are tens here: the cluster begins again with the second of the last line.
        const since = `${(position.since() ?? '000').slice(0, 2)}0`
        taken.push(
          ...lines
            .slice(0, end)
            .filter(({ at }) => at !== null && at >= since)
            .filter(position.reading()),
        )
      }
      expect(taken.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
    }),
  )
})

it('takes lines without a time as they come', () => {
  const position = createLogPosition()
  expect([{ at: null, text: 'a' }].filter(position.reading())).toHaveLength(1)
  expect(position.since()).toBeNull()
})
