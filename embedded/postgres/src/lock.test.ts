import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { acquireLock, isLocked } from './lock.ts'

const folders: string[] = []
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'quayside-lock-'))
  folders.push(path)
  return path
}
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true })
})

test('the second one is told who holds the folder', () => {
  const here = folder()
  const lock = acquireLock(here)
  expect(() => acquireLock(here)).toThrow(`Another Quayside is already running here (pid ${process.pid})`)
  expect(isLocked(here)).toBe(true)
  lock.release()
  expect(isLocked(here)).toBe(false)
  acquireLock(here).release()
  expect(readdirSync(here)).toEqual([])
})

test.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, birth: '1' })],
  ['of a number that now belongs to another process', JSON.stringify({ pid: process.ppid, birth: 'long ago' })],
  ['that was cut short', '{"pid":'],
])('takes over a lock %s', (_, content) => {
  const here = folder()
  writeFileSync(join(here, 'lock'), content)
  expect(isLocked(here)).toBe(false)
  acquireLock(here).release()
  expect(readdirSync(here)).toEqual([])
})

test('whoever has lost the folder to another process leaves its lock alone', () => {
  const here = folder()
  const lost = acquireLock(here)
  const held = JSON.stringify({ pid: process.ppid, birth: 'just now' })
  writeFileSync(join(here, 'lock'), held)
  lost.release()
  expect(readFileSync(join(here, 'lock'), 'utf8')).toBe(held)
})
