import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manifestOf, unwritable, writeArchive } from './archive.ts'
import { format, type Manifest } from './manifest.ts'

const contents = { rows: {}, numberings: [] }
const about: Omit<Manifest, 'entries'> = {
  ...{ format, product: '1', at: '2026-01-01T00:00:00.000Z' },
  portal: { ...contents, steps: [] },
  identity: null,
}

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  file = join(folder, 'one.backup')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a draft that a killed backup has left is in the way of nobody', async () => {
  writeFileSync(`${file}.part`, 'half')
  const archive = writeArchive(file)
  await archive.add('one', Buffer.from('1'))
  await archive.close(about)
  expect((await manifestOf(file)).entries.map(({ name }) => name)).toEqual(['one'])
  expect(readdirSync(folder).sort()).toEqual(['one.backup', 'one.backup.part'])
})

test('a file that appears meanwhile is not overwritten, and no draft is left', async () => {
  const archive = writeArchive(file)
  await archive.add('one', Buffer.from('1'))
  writeFileSync(file, 'of somebody else')
  await expect(archive.close(about)).rejects.toThrow('is there already')
  await archive.abandon()
  expect(readFileSync(file, 'utf8')).toBe('of somebody else')
  expect(readdirSync(folder)).toEqual(['one.backup'])
})

test.each([
  ['ENOENT', 'There is no folder /backups.'],
  ['ENOSPC', 'The disk of /backups is full.'],
  ['EACCES', 'No permission to write /backups/one.'],
])('%s is told in a sentence', (code, sentence) => {
  const told = unwritable('/backups/one', Object.assign(new Error(code), { code }))
  expect(told).toBeInstanceOf(Obstacle)
  expect(String(told)).toContain(sentence)
})
