import { type Kysely, sql } from 'kysely'

/**
 * Row-level security for a table with a tenant_id: a transaction sees the rows of its tenant, the platform sees all,
 * and a connection that said neither sees nothing. Holds for the table's owner too.
 */
export async function isolateTenants(db: Kysely<unknown>, table: string): Promise<void> {
  const name = sql.table(table)
  await sql`alter table ${name} enable row level security`.execute(db)
  await sql`alter table ${name} force row level security`.execute(db)
  await sql`create policy tenant_isolation on ${name}
    using (tenant_id = current_setting('app.tenant', true) or current_setting('app.tenant', true) = '*')`.execute(db)
}
