import { expect, test } from 'vitest'
import { levelOf } from './level-of.ts'

test.each([
  ['{"level":"error","msg":"no"}', 'error'],
  ['{"level":50,"msg":"no"}', 'error'],
  ['{"level":40,"msg":"slow"}', 'warning'],
  ['{"level":30,"msg":"ERROR in its name"}', 'other'],
  ['time=2026-11-26T10:00:00Z level=warn msg="slow"', 'warning'],
  ['severity=CRITICAL out of memory', 'error'],
  ['2026-11-26 10:00:00.123 UTC [1] FATAL:  the database system is starting up', 'error'],
  ['2026-11-26 10:00:00 [main] WARN  o.e.Server - slow', 'warning'],
  ['E1126 10:00:00.000000       1 main.go:1] no', 'error'],
  ['W1126 10:00:00.000000       1 main.go:1] slow', 'warning'],
  ['I1126 10:00:00.000000       1 main.go:1] started', 'other'],
  ['GET /errors 200', 'other'],
  ['warnings: none', 'other'],
  ['', 'other'],
])('%s is %s', (line, level) => {
  expect(levelOf(line)).toBe(level)
})
