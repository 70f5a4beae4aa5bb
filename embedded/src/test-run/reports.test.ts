import { expect, test } from 'vitest'
import { countPlaywright, countVitest, judge, slowest } from './reports.ts'

test('a test file that does not load is a failure', () => {
  const testResults = [
    { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    {
      name: 'b.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'adds' },
        { status: 'failed', fullName: 'counts', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'] },
      ],
    },
    { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'ends' }] },
  ]
  expect(countVitest({ numPassedTests: 3, numFailedTests: 1, testResults })).toEqual({
    passed: 3,
    failed: 2,
    failures: [
      { test: 'a.test.ts', message: 'no such module' },
      { test: 'b.test.ts > counts', message: 'expected 1 to be 2' },
    ],
  })
})

test('a journey that needed a second try is a failure', () => {
  const journey = (title: string, status: string, message?: string) => ({
    ...{ title, file: 'story.ts', line: 7, ok: status !== 'unexpected' },
    tests: [{ status, results: [...(message ? [{ duration: 500, error: { message } }] : []), { duration: 2000 }] }],
  })
  const suites = [
    { specs: [journey('signs in', 'expected')] },
    { suites: [{ specs: [journey('deploys', 'flaky', 'not visible'), journey('ends', 'unexpected', 'gone')] }] },
  ]
  expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 }, suites })).toEqual({
    passed: 5,
    failed: 2,
    failures: [
      { test: 'story.ts:7 > deploys', message: 'not visible' },
      { test: 'story.ts:7 > ends', message: 'gone' },
    ],
    // Three journeys, two of them tried twice.
    times: [{ file: 'story.ts', seconds: 7 }],
  })
})

test('an error outside of any journey is a failure', () => {
  const errors = [{ message: 'no browser' }]
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors })).toEqual({
    passed: 0,
    failed: 1,
    failures: [{ test: 'before any journey', message: 'no browser' }],
    times: [],
  })
})

test('the slowest files come first, and no more of them than asked for', () => {
  const times = [3, 9, 1, 12].map((seconds) => ({ file: `${seconds}.ts`, seconds }))
  expect(slowest(times, 3).map(({ file }) => file)).toEqual(['12.ts', '9.ts', '3.ts'])
})

test('a bad exit code is never green', () => {
  expect(judge(1, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 1 })
  expect(judge(1, { passed: 4, failed: 2 })).toEqual({ passed: 4, failed: 2 })
  expect(judge(0, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 0 })
})
