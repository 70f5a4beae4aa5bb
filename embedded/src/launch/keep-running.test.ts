import { expect, test } from 'vitest'
import { keepRunning } from './keep-running.ts'
import type { Portal } from './portal.ts'

function standIn(ends: number) {
  const lines: string[] = []
  const never = new Promise<never>(() => undefined)
  const portal = (nth: number): Portal => ({
    pid: 1,
    exited: nth < ends ? Promise.resolve('SIGKILL') : never,
    close: async () => undefined,
  })
  let started = 0
  const stack = {
    portal: portal(0) as Portal | undefined,
    databaseLost: never as Promise<void>,
    async startPortal() {
      started += 1
      stack.portal = portal(started)
      return stack.portal
    },
  }
  return { stack, lines, started: () => started, progress: { line: (text: string) => void lines.push(text) } }
}

test('a portal that ends again and again is given up, and the last line says that, why, and what to do', async () => {
  const { stack, lines, progress, started } = standIn(10)
  expect(await keepRunning(stack, progress, new AbortController().signal)).toBe(1)
  expect(started()).toBe(3)
  expect(lines).toHaveLength(4)
  expect(lines[2]).toContain('is started again (3 of 3 times within a minute)')
  expect(lines[3]).toMatch(/for the 4th time within a minute\. It is not started again.*portal\.log.*npm start again/)
})

test('without its PostgreSQL nothing goes on, and the line says what to do', async () => {
  const { stack, lines, progress } = standIn(0)
  const gone = { ...stack, databaseLost: Promise.resolve() }
  expect(await keepRunning(gone, progress, new AbortController().signal)).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/^PostgreSQL ended by itself.*postgres\.log.*npm start again/)])
})
