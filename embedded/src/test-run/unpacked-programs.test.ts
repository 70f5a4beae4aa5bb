import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPrograms, lendPrograms, programsVariable } from './unpacked-programs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  vi.stubEnv(programsVariable, join(folder, 'kept'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('a program that one portal has unpacked is lent to the next, a draft is not', () => {
  const [first, next] = [mkdtempSync(join(folder, 'first-')), join(folder, 'next', 'bin')]
  lendPrograms(next)
  for (const name of ['helm-v4.2.0', 'helm-v4.2.0.part']) writeFileSync(join(first, name), name)
  keepPrograms(first)
  keepPrograms(first)
  lendPrograms(next)
  expect(readdirSync(next)).toEqual(['helm-v4.2.0'])
  expect(statSync(join(next, 'helm-v4.2.0')).ino).toBe(statSync(join(first, 'helm-v4.2.0')).ino)
})

test('outside of a test run nothing is kept or lent', () => {
  vi.stubEnv(programsVariable, undefined)
  const [bin, next] = [mkdtempSync(join(folder, 'bin-')), join(folder, 'next')]
  writeFileSync(join(bin, 'helm-v4.2.0'), '')
  keepPrograms(bin)
  lendPrograms(next)
  expect(readdirSync(folder)).toEqual([bin.slice(folder.length + 1)])
})
