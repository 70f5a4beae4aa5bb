import { text } from 'node:stream/consumers'
import { migrations } from './app/capabilities.ts'
import { openDb } from './platform/db/db.ts'
import { migrate, stepOf } from './platform/db/migrate.ts'
import { createLogger } from './platform/logging/logger.ts'

/** Steps that tables have gone through, as they are recorded, and where to make them; the address is no argument, which everybody could read. */
interface Asked {
  steps: string[]
  databaseUrl?: string
}

/**
 * A program of its own: makes empty tables as a portal had them, for its backup to be put back. Without an address it
 * prints the steps that this version does not know.
 */
const { steps, databaseUrl } = JSON.parse(await text(process.stdin)) as Asked
const wanted = new Set(steps.map(stepOf))
const known = new Set(migrations.map(({ name }) => name))
if (databaseUrl === undefined) console.log([...wanted].filter((name) => !known.has(name)).join('\n'))
else {
  const db = openDb(databaseUrl, createLogger('warn'))
  try {
    await migrate(
      db,
      migrations.filter(({ name }) => wanted.has(name)),
    )
  } finally {
    await db.close()
  }
}
