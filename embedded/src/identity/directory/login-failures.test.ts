import { expect, test } from 'vitest'
import { restAfter } from './login-failures.ts'
import { mergeSettings } from './realm-settings.ts'

const settings = mergeSettings({ failureFactor: 3, waitIncrementSeconds: 60, maxFailureWaitSeconds: 100 })

test.each([
  [1, 0],
  [2, 0],
  [3, 60],
  [4, 0],
  [6, 100],
  [9, 100],
])('after %i failures an account rests %i seconds', (failures, seconds) => {
  expect(restAfter(settings, failures)).toBe(seconds)
})

test('counting linearly every further failure rests', () => {
  expect(restAfter({ ...settings, bruteForceStrategy: 'LINEAR' }, 4)).toBe(60)
})
