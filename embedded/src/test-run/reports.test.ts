import { expect, test } from 'vitest'
import { countPlaywright, countVitest, judge } from './reports.ts'

test('a test file that does not load is a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
    { status: 'passed', assertionResults: [{}] },
  ]
  expect(countVitest({ numPassedTests: 3, numFailedTests: 1, testResults })).toEqual({ passed: 3, failed: 2 })
})

test('a journey that needed a second try is a failure', () => {
  expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 } })).toEqual({ passed: 5, failed: 2 })
})

test('an error outside of any journey is a failure', () => {
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{}] })).toEqual({
    passed: 0,
    failed: 1,
  })
})

test('a bad exit code is never green', () => {
  expect(judge(1, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 1 })
  expect(judge(1, { passed: 4, failed: 2 })).toEqual({ passed: 4, failed: 2 })
  expect(judge(0, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 0 })
})
