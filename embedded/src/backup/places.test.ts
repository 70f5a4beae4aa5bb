import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from './places.ts'

test('files of a backup are keys, passwords and the objects of the Sandbox, without one that is being written anew', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  for (const name of ['cluster', 'telemetry']) mkdirSync(join(dataDir, name))
  const kept = ['admin-password', 'cluster/objects.jsonl', 'ports.json']
  for (const name of [...kept, 'cluster/objects.jsonl.new', 'telemetry/metrics.sqlite', 'portal.log'])
    writeFileSync(join(dataDir, name), '')
  expect(filesOf(dataDir).sort()).toEqual(kept)
  rmSync(dataDir, { recursive: true })
})
