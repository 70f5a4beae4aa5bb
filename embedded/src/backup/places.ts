import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock, isLocked } from '@quayside/embedded-postgres/lock'
import { runningAddress } from '@quayside/embedded-postgres/postgres'
import { type Data, openData } from '../launch/data.ts'
import { type Installation, keyBeforeFile } from '../launch/plan.ts'

type Databases = Pick<Data, 'portalUrl' | 'identityUrl'>

/** Does work on the databases of an installation, which may be running; otherwise its PostgreSQL is started for that. */
export async function withDatabases<T>(
  { dataDir, databaseUrl }: Installation,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return work(await openData({ kind: 'given', databaseUrl }))
  if (isLocked(dataDir)) {
    const url = runningAddress(join(dataDir, 'postgres'))
    return work({ portalUrl: url('quayside'), identityUrl: url('quayside_identity') })
  }
  const lock = acquireLock(dataDir)
  try {
    const data = await openData({ kind: 'own', dataDir, durable: true })
    try {
      return await work(data)
    } finally {
      await data.postgres?.close()
    }
  } finally {
    lock.release()
  }
}

/** Files of a data folder that are nowhere else: keys, passwords, ports, and the objects of the Sandbox; metrics are left out. */
export function filesOf(dataDir: string): string[] {
  const own = ['identity-client-secret', 'ports.json', 'first-start.json', 'kubeconfig', keyBeforeFile]
  const top = readdirSync(dataDir).filter((name) => own.includes(name) || name.endsWith('-password'))
  const cluster = join(dataDir, 'cluster')
  if (!existsSync(cluster)) return top
  const inCluster = readdirSync(cluster, { recursive: true, withFileTypes: true }).filter(
    // A journal that is being written anew is not whole, and is renamed at any moment.
    (entry) => entry.isFile() && !entry.name.endsWith('.new'),
  )
  return [...top, ...inCluster.map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))]
}
