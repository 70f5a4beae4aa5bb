import { expect, test } from 'vitest'
import { isStuck } from './is-stuck.ts'

test('a revision under way is stuck unless an action of ours works on the app', () => {
  expect(isStuck({ status: 'pending-upgrade' }, 'progressing')).toBe(true)
  expect(isStuck({ status: 'uninstalling' }, 'healthy')).toBe(true)
  expect(isStuck({ status: 'pending-upgrade' }, 'deploying')).toBe(false)
  expect(isStuck({ status: 'uninstalling' }, 'deleting')).toBe(false)
  expect(isStuck({ status: 'deployed' }, 'healthy')).toBe(false)
  expect(isStuck({ status: 'failed' }, 'failed')).toBe(false)
})
