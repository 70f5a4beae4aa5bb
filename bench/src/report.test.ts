import { expect, test } from 'vitest'
import { tableOf } from './report.ts'

test('text stands to the left and numbers to the right', () => {
  const rows = [
    ['portal', 1200],
    ['helm', 99],
  ]
  expect(tableOf({ columns: ['what', 'ms'], rows })).toBe(
    ['what      ms', '------  ----', 'portal  1200', 'helm      99'].join('\n'),
  )
})
