import { expect, test } from 'vitest'
import { previewSummary, summary } from './words.ts'

const none = { taken: 0, known: 0, refused: 0, skipped: 0, beyond: 0 }
test.each([
  [{}, 'Added nothing.'],
  [{ taken: 1 }, 'Added 1 version.'],
  [{ known: 4 }, 'Added nothing; 4 were already there.'],
  [
    { taken: 3, known: 1, refused: 2, skipped: 1 },
    'Added 3 versions; 1 was already there; 2 were refused; 1 was left out.',
  ],
  [{ taken: 2, beyond: 5 }, 'Added 2 versions. 5 more versions wait for the next run.'],
])('%o', (counts, sentence) => expect(summary({ ...none, ...counts })).toBe(sentence))

test('a preview', () => {
  expect(previewSummary('a.example', 0, 0)).toBe('a.example answers, but no chart matches.')
  expect(previewSummary('a.example', 1, 3)).toBe('a.example answers. 1 chart fits, with 3 versions to take.')
})
