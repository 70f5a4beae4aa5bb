import pg from 'pg'

/** While `work` runs, PostgreSQL answers every insert into these tables as it does when its disk is full. */
export async function withFullDisk<Result>(
  { databaseUrl }: { databaseUrl: string },
  tables: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    for (const table of tables)
      await client.query(`create trigger no_room before insert on ${table} execute function no_room()`)
    return await work()
  } finally {
    await client.query('drop function if exists no_room cascade').finally(() => client.end())
  }
}
