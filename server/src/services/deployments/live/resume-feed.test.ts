import { expect, test } from 'vitest'
import { resumeFrom } from './resume-feed.ts'

const running = (id: string, last_seq: number) => ({ id, last_seq, final_at: null })
const ended = (id: string, last_seq: number) => ({ id, last_seq, final_at: new Date(0) })

test.each([
  ['that knows nothing yet, of what runs', [running('b', 4), ended('a', 9)], 0, [['b', 0]]],
  ['that knows nothing yet, of nothing that has ended', [ended('a', 9)], 0, []],
  ['in the middle of what runs', [running('b', 4), ended('a', 9)], 3, [['b', 3]]],
  ['that missed an end', [ended('a', 9)], 3, [['a', 3]]],
  ['that missed no line', [ended('a', 9)], 9, [['a', 9]]],
  [
    'that missed an end and the begin of the next one',
    [running('b', 4), ended('a', 9)],
    5,
    [
      ['a', 5],
      ['b', 0],
    ],
  ],
  ['with a number that none has come to', [running('b', 4), ended('a', 9)], 30, [['b', 0]]],
] as const)('a socket %s', (_, actions, lastSeq, expected) => {
  expect(resumeFrom(actions, lastSeq)).toEqual(expected)
})
