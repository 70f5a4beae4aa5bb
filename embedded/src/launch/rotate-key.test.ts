import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planFrom } from './plan.ts'
import { exchangeKeys, rotateKey } from './rotate-key.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quayside-test-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const put = (name: string, key: string) => writeFileSync(join(dataDir, name), `${key}\n`)
const read = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()

test('a new key is made, and the one before is kept and read with', () => {
  put('secret-key', 'the first')
  exchangeKeys(dataDir)
  expect(read('secret-key-before')).toBe('the first')
  expect(read('secret-key')).toMatch(/^.{43}$/)
  const plan = planFrom({ QUAYSIDE_DATA_DIR: dataDir }, '/somewhere')
  expect([plan.secretKey, plan.otherSecretKey]).toEqual([read('secret-key'), 'the first'])
})

test('an exchange that was killed before the new key was there begins again and loses none', () => {
  put('secret-key', 'the first')
  put('secret-key-before', 'the first')
  exchangeKeys(dataDir)
  expect(read('secret-key-before')).toBe('the first')
  expect(read('secret-key')).not.toBe('the first')
})

test('one that was killed later goes on with the key that it had made', () => {
  put('secret-key', 'the second')
  put('secret-key-before', 'the first')
  exchangeKeys(dataDir)
  expect([read('secret-key'), read('secret-key-before')]).toEqual(['the second', 'the first'])
})

test.each([
  [{}, /There is no installation in/],
  [{ QUAYSIDE_SECRET_KEY: 'x'.repeat(32) }, /QUAYSIDE_OTHER_SECRET_KEY to the one before/],
])('%j is refused with what to do', async (env, sentence) => {
  const asked = { QUAYSIDE_DATA_DIR: dataDir, ...env }
  await expect(rotateKey([], asked, '/somewhere', () => undefined)).rejects.toThrow(sentence)
})

test('a folder without a database keeps its key: the portal may have one elsewhere', async () => {
  put('secret-key', 'the only one')
  const rotating = rotateKey([], { QUAYSIDE_DATA_DIR: dataDir }, '/somewhere', () => undefined)
  await expect(rotating).rejects.toThrow(/Set DATABASE_URL/)
  expect(read('secret-key')).toBe('the only one')
})
