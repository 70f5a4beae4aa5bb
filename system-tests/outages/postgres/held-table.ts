import pg from 'pg'

/** While `work` runs, or until it releases it, whatever touches the table waits in the database. */
export async function withHeldTable<Result>(
  { databaseUrl }: { databaseUrl: string },
  table: string,
  work: (release: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`begin; lock table ${pg.escapeIdentifier(table)} in access exclusive mode`)
    return await work(() => client.query('commit'))
  } finally {
    await client.end()
  }
}
