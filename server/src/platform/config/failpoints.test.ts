import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { areFailpointsOn, armFailpoints, failpoint, failpointNames } from './failpoints.ts'

afterEach(() => armFailpoints(undefined))

test('nothing is armed unless it is asked for', () => {
  expect(areFailpointsOn()).toBe(false)
  expect(failpoint('F1')).toBeUndefined()
})

test('an armed one strikes once', async () => {
  armFailpoints('F1=throw, F2=hang:1')
  await expect(failpoint('F1')).rejects.toThrow('failpoint F1')
  expect(failpoint('F1')).toBeUndefined()
  await failpoint('F2')
  expect(failpoint('F3')).toBeUndefined()
})

test('a file arms a process that runs, and loses what has struck', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'failpoints-'))
  const file = join(folder, 'armed')
  armFailpoints(`@${file}`)
  expect(failpoint('F7')).toBeUndefined()
  writeFileSync(file, 'F7=throw,F8=hang:1')
  await expect(failpoint('F7')).rejects.toThrow('failpoint F7')
  expect(readFileSync(file, 'utf8')).toBe('F8=hang:1')
  await failpoint('F8')
  expect(readFileSync(file, 'utf8')).toBe('')
  writeFileSync(file, 'F3=explode')
  expect(() => armFailpoints(`@${file}`)).toThrow('F3=explode is none')
  rmSync(folder, { recursive: true })
})

test('one that is held goes on when it is taken out of the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'failpoints-'))
  const file = join(folder, 'armed')
  armFailpoints(`@${file}`)
  writeFileSync(file, 'F7=hold')
  let isOver = false
  const held = failpoint('F7')?.then(() => {
    isOver = true
  })
  expect(readFileSync(file, 'utf8')).toBe('F7=hold')
  await failpoint('F8')
  expect(isOver).toBe(false)
  writeFileSync(file, '')
  await held
  expect(isOver).toBe(true)
  rmSync(folder, { recursive: true })
})

test.each(['F27=kill', 'F1', 'F1=explode'])('%s is refused', (text) => {
  expect(() => armFailpoints(text)).toThrow('QUAYSIDE_FAILPOINTS')
})

test('docs/robustness.md, from which the fault matrix has its cases, names each of them', () => {
  const text = readFileSync(new URL('../../../../docs/robustness.md', import.meta.url), 'utf8')
  const named = text.split('\n').flatMap((line) => (/^\| F\d/.test(line) ? line.split('|')[1]?.match(/F\d+/g) : []))
  expect(named).toEqual(failpointNames)
})
