import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeRunDirectory, sweepRunDirectories } from './run-directory.ts'

const base = mkdtempSync(join(tmpdir(), 'quayside-runs-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const hour = 3_600_000

test('what a dead portal left goes, with the Helm that still works in it; what is in use stays', async () => {
  const own = await makeRunDirectory(base, { values: 'a: 1\n' })
  const { pid: dead = 0 } = spawnSync('true')
  const left = join(base, basename(own.path).replace(`-${process.pid}-`, `-${dead}-`))
  spawnSync('cp', ['-r', own.path, left])
  const [orphan, ours] = [left, own.path].map((cwd) => spawn('sleep', ['60'], { cwd, stdio: 'ignore' }))
  try {
    const ended = orphan && once(orphan, 'exit')
    expect(await sweepRunDirectories(base, hour)).toBe(1)
    expect((await ended)?.[1]).toBe('SIGKILL')
    expect(readdirSync(base)).toEqual([basename(own.path)])
    expect(ours?.signalCode).toBeNull()
  } finally {
    orphan?.kill('SIGKILL')
    ours?.kill('SIGKILL')
  }
})
