import type { Actor } from '../auth/actor.ts'

interface Connection {
  readyState: string
  once(event: 'close', listener: () => void): unknown
}

/**
 * Counts the live connections of each person here. They count until the connection itself has ended, however often
 * somebody leaves and comes back on it.
 */
export function createConnectionLimit(most: number) {
  const open = new Map<string, Set<Connection>>()

  /** Lets a connection in; false when its owner has as many as they may have. */
  return ({ tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>, connection: Connection): boolean => {
    const owner = `${tenantId}|${userId}`
    const own = open.get(owner) ?? new Set()
    if (own.has(connection)) return true
    if (own.size >= most) return false
    // One that has ended while its token was looked at tells nobody of its end any more.
    if (connection.readyState === 'closed') return true
    open.set(owner, own.add(connection))
    connection.once('close', () => {
      own.delete(connection)
      if (own.size === 0) open.delete(owner)
    })
    return true
  }
}
