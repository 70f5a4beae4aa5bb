import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@quayside/embedded-postgres/postgres'
import { programsVariable } from './test-run/unpacked-programs.ts'

/** One PostgreSQL for all Worlds of a test run, and one place for what their portals unpack; the test runner calls this before it starts its workers. */
export async function setup(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-tests-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  // Workers import the same packages for every file: compiled once, the others read them in three quarters of the time.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))
  process.env[programsVariable] = join(dataDir, 'programs')
  process.env.QUAYSIDE_TEST_POSTGRES = postgres.url('{database}').replace('%7Bdatabase%7D', '{database}')
  return async () => {
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
