import { expect, test } from 'vitest'
import { lookSummary, summary } from './words.ts'

const none = { taken: 0, known: 0, refused: 0, skipped: 0, beyond: 0 }
test.each([
  [{}, 'Nothing new came.'],
  [{ taken: 1 }, '1 version came.'],
  [{ known: 4 }, 'Nothing new came and 4 were there already.'],
  [
    { taken: 3, known: 1, refused: 2, skipped: 1 },
    '3 versions came, 1 was there already, 2 were refused and 1 was left out.',
  ],
  [{ taken: 2, beyond: 5 }, '2 versions came. 5 more versions wait for the next run.'],
])('%o', (counts, sentence) => expect(summary({ ...none, ...counts })).toBe(sentence))

test('a look', () => {
  expect(lookSummary('a.example', 0, 0)).toBe('a.example answers, and has no chart that fits.')
  expect(lookSummary('a.example', 1, 3)).toBe('a.example answers. 1 chart fits, with 3 versions to take.')
})
