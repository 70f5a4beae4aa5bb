import { expect, it } from 'vitest'
import { createBreaker } from './circuit-breaker.ts'

it('opens after failures in a row, tries with one call after a rest, closes with a success', () => {
  let now = 0
  const breaker = createBreaker({ failures: 2, restMs: 1000, now: () => now })
  breaker.failed()
  expect(breaker.isOpen()).toBe(false)
  breaker.succeeded()
  breaker.failed()
  breaker.failed()
  expect(breaker.isOpen()).toBe(true)
  now = 1000
  expect(breaker.isOpen()).toBe(false)
  expect(breaker.isOpen()).toBe(true)
  breaker.failed()
  now = 1999
  expect(breaker.isOpen()).toBe(true)
  now = 2000
  expect(breaker.isOpen()).toBe(false)
  breaker.succeeded()
  expect(breaker.isOpen()).toBe(false)
})
