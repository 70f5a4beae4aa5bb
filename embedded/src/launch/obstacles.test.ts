import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { freePort, keptPorts } from '@quayside/embedded-postgres/ports'
import { expect, test } from 'vitest'
import {
  checkPort,
  diskSentence,
  explain,
  folderSentence,
  mustBeWhole,
  openDataFolder,
  portSentence,
  restoreUnderWay,
} from './obstacles.ts'

const failure = (code: string, path: string) => Object.assign(new Error(code), { code, path })

test('a port in the way is named with a command that helps', () => {
  expect(portSentence(8080, '127.0.0.1', 'EADDRINUSE')).toBe(
    'Port 8080 is taken by another program. Set QUAYSIDE_PORT to a free one: QUAYSIDE_PORT=8081 npm start',
  )
  expect(portSentence(80, '127.0.0.1', 'EACCES')).toMatch(/only be used by root/)
  expect(portSentence(65535, '127.0.0.1', 'EADDRINUSE')).toMatch(/QUAYSIDE_PORT=8081/)
})

test('disk and folder are named with what to do', () => {
  expect(diskSentence('/data', 100 * 1024 * 1024)).toMatch(/^Only 100 MiB are free on the disk of \/data/)
  expect(folderSentence('/data', 'EACCES')).toMatch(/^No permission to write to the data folder \/data/)
  expect(folderSentence('/data', 'EROFS')).toMatch(/read-only/)
})

test('a refusal below the data folder becomes a sentence, any other error stays what it is', () => {
  expect(explain(failure('EACCES', '/data/lock'), '/data')).toBeInstanceOf(Obstacle)
  const elsewhere = failure('EACCES', '/etc/shadow')
  expect(explain(elsewhere, '/data')).toBe(elsewhere)
})

test('makes the data folder for its owner alone, and refuses a file', () => {
  const home = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  openDataFolder(join(home, 'a', 'b'))
  expect(statSync(join(home, 'a', 'b')).mode & 0o777).toBe(0o700)
  writeFileSync(join(home, 'file'), '')
  expect(() => openDataFolder(join(home, 'file'))).toThrow('is a file, not a folder')
  rmSync(home, { recursive: true })
})

test('a folder with half a restore is refused, and the database that was named is to be emptied too', () => {
  const home = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  mustBeWhole(home, {})
  writeFileSync(join(home, restoreUnderWay), '')
  expect(() => mustBeWhole(home, {})).toThrow('is incomplete. Remove that folder, then run npm run restore again.')
  const named = [{ DATABASE_URL: 'postgresql://db.example/q' }, { DATABASE_URL_FILE: '/run/secrets/database' }]
  for (const env of named)
    expect(() => mustBeWhole(home, env)).toThrow('drop the database of DATABASE_URL and create it again, then run')
  rmSync(home, { recursive: true })
})

test('a taken port is refused; kept ports stay the same until somebody else has them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  const file = join(home, 'ports.json')
  const first = await keptPorts(file, ['identity'], '127.0.0.1')
  expect(await keptPorts(file, ['identity'], '127.0.0.1')).toEqual(first)
  const other = createServer()
  await new Promise<void>((listening) => other.listen(first.identity, '127.0.0.1', listening))
  await expect(checkPort(first.identity, '127.0.0.1')).rejects.toThrow('is taken by another program')
  expect((await keptPorts(file, ['identity'], '127.0.0.1')).identity).not.toBe(first.identity)
  other.close()
  rmSync(home, { recursive: true })
})

test('a free port is free', async () => {
  await checkPort(await freePort('127.0.0.1'), '127.0.0.1')
})
