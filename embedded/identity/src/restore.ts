import { openDatabase } from './storage/database.ts'
import { migrate, migrations } from './storage/migrations.ts'

/** How many versions of its tables this identity server knows. */
export const migrationCount = migrations.length

/** Makes empty tables as they were at a version, for rows of that time to be put back. */
export async function prepareTables(databaseUrl: string, secretKey: string, version: number): Promise<void> {
  const database = openDatabase(databaseUrl, 1, secretKey)
  try {
    await migrate(database, version)
  } finally {
    await database.close()
  }
}
