import type { Pool } from 'pg'
import { createLines } from '../concurrency/lines.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { Failure, fail } from '../http/errors.ts'

/**
 * Runs work of one name once at a time, of all replicas. The work gets a check that throws when the lock was lost
 * meanwhile, because the connection that holds it was: what was done since may have met the work of somebody else.
 */
export type Exclusive = <T>(name: string, work: (mustBeAlone: () => Promise<void>) => Promise<T>) => Promise<T>

/** Each holds a connection while it waits and works. */
const connections = 3

export function createExclusive(pool: Pick<Pool, 'connect'>): Exclusive {
  const places = createSemaphore(connections)
  // Those of this replica wait in line, and not on a connection each.
  const inLine = createLines()

  return (name, work) =>
    inLine(name, () =>
      places.run(async () => {
        const client = await pool.connect().catch(unavailable)
        try {
          await client.query('select pg_advisory_lock(hashtext($1))', [name]).catch(unavailable)
          const mustBeAlone = async () => void (await client.query('select 1').catch(unavailable))
          return await work(mustBeAlone)
        } finally {
          const unlocking = client.query('select pg_advisory_unlock(hashtext($1))', [name])
          const unlocked = await unlocking.then(
            () => true,
            () => false,
          )
          // A connection that may still hold the lock is given up, and the lock with it.
          client.release(!unlocked)
        }
      }),
    )
}

function unavailable(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  throw fail('database.unavailable', { cause })
}

/** Runs work unless another replica, or another caller, is just at it. */
export async function unlessUnderWay(
  pool: Pick<Pool, 'connect'>,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = await pool.connect().catch(unavailable)
  let isHeld = false
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [name])
    isHeld = rows[0]?.mine === true
    if (!isHeld) return
    await work()
    await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    isHeld = false
  } finally {
    // A connection that may still hold the lock is given up, and the lock with it.
    client.release(isHeld)
  }
}
