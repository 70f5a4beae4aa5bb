import { readFileSync, statSync } from 'node:fs'
import { Obstacle } from './obstacle.ts'

/** The system account PostgreSQL runs as. */
export type Account = { uid: number; gid: number }

/**
 * PostgreSQL refuses to run as root, so root lends it an unprivileged account: the owner of the data when there is
 * data already, else one that the system has. Anybody else runs it as themselves (undefined).
 */
export function accountFor(pgdata: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(pgdata, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const account = unprivileged(readFileSync('/etc/passwd', 'utf8'))
  if (account) return account
  throw new Obstacle(
    'PostgreSQL does not run as root and /etc/passwd names no other account. Start Quayside as an ordinary user, or set DATABASE_URL.',
  )
}

/** The best account of a passwd file for a database: made for it, else made for nothing, else anybody but root. */
export function unprivileged(passwd: string): Account | undefined {
  const entries = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0)
  const chosen = ['postgres', 'nobody'].map((name) => entries.find((entry) => entry.name === name)).find(Boolean)
  const account = chosen ?? entries[0]
  return account && { uid: account.uid, gid: account.gid }
}
