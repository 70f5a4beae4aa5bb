import { randomUUID } from 'node:crypto'
import type { Db } from '../storage/database.ts'
import type { PasskeyKind } from './policy.ts'

/** Public part of a key that a person's device keeps, and how often it was used. */
export interface Passkey {
  id: string
  user_id: string
  type: PasskeyKind
  data: {
    credentialId: string
    /** In base64url; nothing secret, since the private part never leaves the device. */
    credentialPublicKey: string
    counter: number
    aaguid: string
    transports: string[]
  }
}

const columns = 'c.id, c.user_id, c.type, c.data'

export function passkeysOf(db: Db, userId: string, kinds: readonly PasskeyKind[]): Promise<Passkey[]> {
  return db.rows<Passkey>(`select ${columns} from credential c where user_id = $1 and type = any($2)`, [userId, kinds])
}

export function findPasskey(db: Db, realmId: string, credentialId: string): Promise<Passkey | undefined> {
  return db.row<Passkey>(
    `select ${columns} from credential c join user_account u on u.id = c.user_id
     where u.realm_id = $1 and c.type in ('webauthn', 'webauthn-passwordless') and c.data ->> 'credentialId' = $2`,
    [realmId, credentialId],
  )
}

export async function addPasskey(db: Db, key: Omit<Passkey, 'id'>, label: string): Promise<void> {
  await db.run(
    "insert into credential (id, user_id, type, label, secret, data, priority) values ($1, $2, $3, $4, '', $5, 30)",
    [randomUUID(), key.user_id, key.type, label, JSON.stringify(key.data)],
  )
}

/** Keeps how often a device says that its key was used, by which a copy of it is told. */
export async function noteUse(db: Db, id: string, counter: number): Promise<void> {
  await db.run("update credential set data = data || jsonb_build_object('counter', $2::bigint) where id = $1", [
    id,
    counter,
  ])
}
