import pg from 'pg'
import { inOrder } from './table-order.ts'

export interface Table {
  name: string
  columns: string[]
  refersTo: string[]
  /** Foreign keys by which its rows refer to other rows of it. */
  selfReferences: string[]
  /** It holds packages or the like, of which a few rows fill the memory. */
  isLarge: boolean
  /** Columns that are numbered by themselves. */
  numbered: string[]
}

/** Where the numbering of a column stands. */
export interface Numbering {
  table: string
  column: string
  last: string
  isCalled: boolean
}

/** Bytes of a piece of rows; a row that is longer is a piece of its own. */
export const pieceBytes = 4 * 1024 * 1024
/** Rows that are fetched at a time, where they are short. */
const mostRows = 50
const id = pg.escapeIdentifier

/** Opens a connection that sees the rows of all tenants in its transactions. */
export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  return client
}

const everyTenant = `select set_config('app.tenant', '*', true)`

/** Begins a transaction that sees the database as it is now, whatever is written meanwhile. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  // The first query takes the snapshot.
  await client.query(`begin isolation level repeatable read read only; ${everyTenant}`)
}

/** Tables of the connection's own schema, each after those that it refers to. */
export async function tablesOf(client: pg.Client, except: readonly string[] = []): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
         and attgenerated = '' order by attnum) as columns,
       array(select attname::text from pg_attribute where attrelid = c.oid and attidentity <> '') as numbered,
       exists (select from pg_attribute where attrelid = c.oid and attnum > 0 and atttypid = 'bytea'::regtype) as "isLarge",
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "refersTo",
       array(select conname::text from pg_constraint
         where conrelid = c.oid and contype = 'f' and confrelid = c.oid and not condeferrable) as "selfReferences"
     from pg_class c
     where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
     order by c.relname`,
    [except],
  )
  return inOrder(rows)
}

/** Rows of a table as lines of JSON, in pieces that fit into memory. */
export async function* rowsOf(client: pg.Client, { name, columns, isLarge }: Table): AsyncGenerator<string[]> {
  await client.query(
    `declare reading no scroll cursor for
     select to_jsonb(r)::text as line from (select ${columns.map(id).join(', ')} from ${id(name)}) as r`,
  )
  let piece: string[] = []
  let length = 0
  let count = 1
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${count} from reading`)
    let longest = 1
    for (const { line } of rows) {
      const bytes = Buffer.byteLength(line)
      longest = Math.max(longest, bytes)
      if (piece.length > 0 && length + bytes > pieceBytes) {
        yield piece
        piece = []
        length = 0
      }
      piece.push(line)
      length += bytes
    }
    if (rows.length === 0) break
    if (!isLarge) count = Math.max(1, Math.min(mostRows, count * 2, Math.floor(pieceBytes / longest)))
  }
  if (piece.length > 0) yield piece
  await client.query('close reading')
}

export async function numberingsOf(client: pg.Client, tables: readonly Table[]): Promise<Numbering[]> {
  const found: Numbering[] = []
  for (const { name: table, numbered } of tables)
    for (const column of numbered) {
      const { rows } = await client.query<{ last: string; isCalled: boolean }>(
        `select last_value::text as last, is_called as "isCalled" from ${await sequenceOf(client, table, column)}`,
      )
      if (rows[0]) found.push({ table, column, ...rows[0] })
    }
  return found
}

async function sequenceOf(client: pg.Client, table: string, column: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
    id(table),
    column,
  ])
  return rows[0]?.name ?? ''
}

/** Begins the transaction in which everything is put back. */
export async function beginLoading(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query(`begin; ${everyTenant}`)
  // Steps of a schema may have put rows there that are among those which come back.
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => id(name)).join(', ')}`)
  // A row may come back before the row of the same table that it refers to.
  for (const statement of alterSelfReferences(tables, 'deferrable initially deferred')) await client.query(statement)
}

/** Checks what was deferred, and commits. */
export async function endLoading(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query('set constraints all immediate')
  for (const statement of alterSelfReferences(tables, 'not deferrable')) await client.query(statement)
  await client.query('commit')
}

const alterSelfReferences = (tables: readonly Table[], timing: string) =>
  tables.flatMap(({ name, selfReferences }) =>
    selfReferences.map((key) => `alter table ${id(name)} alter constraint ${id(key)} ${timing}`),
  )

/** Puts rows into a table, as `rowsOf` has read them; gives their number. */
export async function putRows(client: pg.Client, { name, columns }: Table, lines: readonly string[]): Promise<number> {
  const list = columns.map(id).join(', ')
  const { rowCount } = await client.query(
    `insert into ${id(name)} (${list}) overriding system value
     select ${list} from jsonb_populate_recordset(null::${id(name)}, $1::jsonb)`,
    [`[${lines.join(',')}]`],
  )
  return rowCount ?? 0
}

export async function setNumberings(client: pg.Client, numberings: readonly Numbering[]): Promise<void> {
  for (const { table, column, last, isCalled } of numberings)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      await sequenceOf(client, table, column),
      last,
      isCalled,
    ])
}

/** Ends what was begun and removes these tables, as far as they are there. */
export async function removeTables(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query('rollback')
  if (names.length > 0) await client.query(`drop table if exists ${names.map(id).join(', ')} cascade`)
}

/** Any number that is the same in every version. */
const restoreLock = 7_235_110

/** Tells whether this connection is the only one that restores into its database from now on, until it ends. */
export async function lockForRestore(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [restoreLock])
  return rows[0]?.isOurs === true
}
