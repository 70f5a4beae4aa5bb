import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import type { Foreign } from './identities.ts'
import type { Secrets } from './openid.ts'

/** A request that is with a provider, of one interaction of one browser. */
interface Sent {
  interaction: string
  alias: string
  /** The provider's own id, which none has that is added later under its alias. */
  provider: string
  secrets: Secrets
}

/** Somebody whom a provider has sent. What they bring counts when their sign-in is finished, after every other question. */
export interface Pending {
  foreign: Foreign
  claims: Record<string, unknown>
  userId: string
  provider: string
  /**
   * `asked`: the password of the account is asked for before the two are linked; `agreed`: it was right, and they are linked
   * in the end; `new`, `known`: they are linked, since just now or before; `settled`: nothing is left to do.
   */
  state: 'asked' | 'agreed' | 'new' | 'known' | 'settled'
}

const kinds = { sent: 'sent', pending: 'pending' } as const
type Kind = keyof typeof kinds

const placeOf = (kind: Kind, key: string) => `broker:${kind}:${digestOf(key)}`

async function keep(db: Db, realmId: string, kind: Kind, key: string, content: Sent | Pending): Promise<void> {
  await db.run(
    `insert into broker_sign_in (key, realm_id, kind, sealed) values ($1, $2, $3, $4)
     on conflict (key) do update set sealed = excluded.sealed, started_at = now()`,
    [
      ...[digestOf(`${kind} ${key}`), realmId, kind],
      db.encryption.encrypt(placeOf(kind, key), JSON.stringify(content)),
    ],
  )
}

async function read<T>(db: Db, realmId: string, kind: Kind, key: string, isTaken: boolean): Promise<T | undefined> {
  const at = "realm_id = $1 and key = $2 and started_at > now() - interval '30 minutes'"
  const row = await db.row<{ sealed: string }>(
    isTaken
      ? `delete from broker_sign_in where ${at} returning sealed`
      : `select sealed from broker_sign_in where ${at}`,
    [realmId, digestOf(`${kind} ${key}`)],
  )
  return row && (JSON.parse(db.encryption.decrypt(placeOf(kind, key), row.sealed)) as T)
}

export const keepSent = (db: Db, realmId: string, sent: Sent) => keep(db, realmId, 'sent', sent.secrets.state, sent)
/** Interaction to which a state belongs; the request itself stays. */
export const findSent = (db: Db, realmId: string, state: string) => read<Sent>(db, realmId, 'sent', state, false)
/** A request counts once, whatever comes of it. */
export const takeSent = (db: Db, realmId: string, state: string) => read<Sent>(db, realmId, 'sent', state, true)

export const keepPending = (db: Db, realmId: string, interaction: string, pending: Pending) =>
  keep(db, realmId, 'pending', interaction, pending)
export const findPending = (db: Db, realmId: string, interaction: string) =>
  read<Pending>(db, realmId, 'pending', interaction, false)
export const takePending = (db: Db, realmId: string, interaction: string) =>
  read<Pending>(db, realmId, 'pending', interaction, true)
