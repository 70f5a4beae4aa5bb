import { readFileSync } from 'node:fs'
import { sealedColumns } from './app/capabilities.ts'
import { openDb } from './platform/db/db.ts'
import { createEncryption } from './platform/encryption/encryption.ts'
import { renewSealed } from './platform/encryption/renew-sealed.ts'
import { createLogger } from './platform/logging/logger.ts'

/**
 * A program of its own: encrypts by QUAYSIDE_SECRET_KEY what QUAYSIDE_OTHER_SECRET_KEY has sealed in the database of
 * DATABASE_URL, also while portals run that have both. It ends when a pass finds nothing more to do.
 */
const log = createLogger('warn')
const [databaseUrl, secretKey, otherKey] = ['DATABASE_URL', 'QUAYSIDE_SECRET_KEY', 'QUAYSIDE_OTHER_SECRET_KEY'].map(
  given,
)
if (databaseUrl === undefined || secretKey === undefined || otherKey === undefined) {
  console.error('Set DATABASE_URL, QUAYSIDE_SECRET_KEY to the new key and QUAYSIDE_OTHER_SECRET_KEY to the one before.')
  process.exitCode = 1
} else await rotate(databaseUrl, createEncryption(secretKey, otherKey))

async function rotate(url: string, encryption: ReturnType<typeof createEncryption>): Promise<void> {
  const db = openDb(url, log)
  try {
    let sum = 0
    for (let changed = -1; changed !== 0; sum += changed) changed = await renewSealed(db, encryption, sealedColumns)
    console.log(`Encrypted anew in the portal: ${sum}.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await db.close()
  }
}

function given(name: string): string | undefined {
  const file = process.env[`${name}_FILE`]
  return file ? readFileSync(file, 'utf8').trim() : process.env[name] || undefined
}
