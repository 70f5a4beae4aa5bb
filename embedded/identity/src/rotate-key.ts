import { type Database, openDatabase } from './storage/database.ts'
import { migrate } from './storage/migrations.ts'

/** A place of what is encrypted, with the columns that tell rows apart and the place that a text is bound to. */
interface Sealed {
  /** The name of a table, and of what it is limited to. */
  from: string
  /** The column, or where in one it stands. */
  read: string
  write: string
  keys: readonly string[]
  place(...keys: string[]): string
}

const column = (from: string, name: string, keys: readonly string[], place: Sealed['place']): Sealed => ({
  ...{ from, read: name, write: `${name} = $1`, keys, place },
})

const all: readonly Sealed[] = [
  column('realm', 'cookie_secret', ['id'], (id) => `realm:${id}`),
  {
    ...{ from: 'realm', read: "settings #>> '{smtpServer,password}'", keys: ['id'] },
    write: "settings = jsonb_set(settings, '{smtpServer,password}', to_jsonb($1::text))",
    place: (id) => `realm:${id}:smtp`,
  },
  column('signing_key', 'sealed', ['kid'], (kid) => `signing_key:${kid}`),
  column('client', 'secret', ['id'], (id) => `client:${id}`),
  column("(select * from credential where type = 'otp') credential", 'secret', ['id'], (id) => `credential:${id}`),
  column('sign_in', 'pending_secret', ['interaction'], (interaction) => `sign_in:${interaction}`),
  column('oidc_artifact', 'sealed', ['realm_id', 'model', 'id'], (_, model, id) => `${model}:${id}`),
  column('mail', 'sealed', ['id'], (id) => `mail:${id}`),
  column(
    'identity_provider',
    'client_secret',
    ['realm_id', 'alias'],
    (realm, alias) => `identity_provider:${realm}:${alias}`,
  ),
]

/**
 * Encrypts by `secretKey` what `otherKey` has sealed, and gives how many values it changed. It may be stopped at any moment and run
 * again. Nothing else may use the tables meanwhile: sign-ins at foreign providers that are under way begin again.
 */
export async function rotateIdentityKey(databaseUrl: string, secretKey: string, otherKey: string): Promise<number> {
  const db = openDatabase(databaseUrl, 1, secretKey, otherKey)
  try {
    await migrate(db)
    await db.run('delete from broker_sign_in')
    let changed = 0
    for (const each of all) changed += await renew(db, each)
    return changed
  } finally {
    await db.close()
  }
}

async function renew(db: Database, { from, read, write, keys, place }: Sealed): Promise<number> {
  const table = /\w+$/.exec(from)?.[0] ?? from
  const rows = await db.rows<Record<string, string>>(
    `select ${keys.join(', ')}, ${read} as encrypted from ${from} where ${read} is not null`,
  )
  let changed = 0
  for (const row of rows) {
    const values = keys.map((key) => row[key] ?? '')
    // A password of a mail server from before they were encrypted is read as it is.
    const renewed = row.encrypted?.startsWith('v1.') ? db.encryption.renew(place(...values), row.encrypted) : undefined
    if (renewed === undefined) continue
    const where = keys.map((key, index) => `${key} = $${index + 2}`).join(' and ')
    await db.run(`update ${table} set ${write} where ${where}`, [renewed, ...values])
    changed += 1
  }
  return changed
}
