import { createUser, findByLogin, findUser, noteTypedEmail, requireUser, type User } from '../directory/users.ts'
import type { JsonObject } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'

/** A person as a provider describes them. */
export interface Foreign {
  alias: string
  subject: string
  username: string
  email: string | null
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
}

interface Link {
  alias: string
  subject: string
  username: string
}

export async function linkedUser(db: Db, realmId: string, alias: string, subject: string): Promise<User | undefined> {
  const row = await db.row<{ user_id: string }>(
    'select user_id from federated_identity where realm_id = $1 and alias = $2 and subject = $3',
    [realmId, alias, subject],
  )
  return row && findUser(db, realmId, row.user_id)
}

export async function linksOf(db: Db, userId: string): Promise<JsonObject[]> {
  const rows = await db.rows<Link>(
    'select alias, subject, username from federated_identity where user_id = $1 order by alias',
    [userId],
  )
  return rows.map(({ alias, subject, username }) => ({ identityProvider: alias, userId: subject, userName: username }))
}

/** Lets somebody sign in by a provider from now on. A subject is one person's, and nobody has two of one provider. */
export async function link(db: Db, realmId: string, userId: string, { alias, subject, username }: Link): Promise<void> {
  const made = await db.row(
    `insert into federated_identity (realm_id, user_id, alias, subject, username) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning 1`,
    [realmId, userId, alias, subject, username],
  )
  if (!made) throw new Problem(409, { errorMessage: 'User is already linked with provider' })
}

export async function unlink(db: Db, userId: string, alias: string): Promise<boolean> {
  const gone = await db.row('delete from federated_identity where user_id = $1 and alias = $2 returning 1', [
    userId,
    alias,
  ])
  return gone !== undefined
}

export async function unlinkAll(db: Db, userId: string): Promise<void> {
  await db.run('delete from federated_identity where user_id = $1', [userId])
}

/** A name that nobody has: the provider's own, else one that names the provider too. An address is a name for its owner alone. */
async function freeUsername(db: Db, realmId: string, { alias, username, subject }: Foreign, own: string | null) {
  const plain = (text: string) =>
    (text.toLowerCase() === own ? text : text.replaceAll('@', '-'))
      .toLowerCase()
      .replace(/[^\p{L}\p{N}._@+-]+/gu, '-')
      .replace(/^service-account-/, '')
      .slice(0, 200)
  for (const name of [plain(username), `${alias}.${plain(username)}`, `${alias}.${plain(subject)}`])
    if (/[\p{L}\p{N}]/u.test(name) && !(await findByLogin(db, realmId, name, true))) return name
  throw new Problem(409, { errorMessage: 'No user name is free' })
}

/** A new user for somebody whom a provider has sent. An address that is somebody else's is left out, and one that nobody vouches for counts as typed. */
export async function createLinked(
  db: Db,
  realm: { id: string; name: string },
  foreign: Foreign,
  trustEmail: boolean,
): Promise<User> {
  return db.transaction(async (tx) => {
    // An address that is somebody's user name is theirs as well.
    const isTaken = foreign.email !== null && (await findByLogin(tx, realm.id, foreign.email, true)) !== undefined
    const email = isTaken ? null : foreign.email
    const emailVerified = trustEmail && foreign.emailVerified
    const own = emailVerified && email !== null ? email.toLowerCase() : null
    const id = await createUser(tx, realm, {
      ...{ username: await freeUsername(tx, realm.id, foreign, own), enabled: true },
      ...(email === null ? {} : { email, emailVerified }),
      ...{ firstName: foreign.firstName, lastName: foreign.lastName },
    })
    if (!emailVerified) await noteTypedEmail(tx, id)
    await link(tx, realm.id, id, foreign)
    return requireUser(tx, realm.id, id)
  })
}
