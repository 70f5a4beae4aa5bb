import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, Obstacle } from '@quayside/embedded-postgres/obstacle'
import { portProblem } from '@quayside/embedded-postgres/ports'

const leastFree = 512 * 1024 * 1024

/** Stands in a data folder until everything of a backup has been put back. */
export const restoreUnderWay = 'restore-under-way'

/** Refuses a data folder that holds a part of a backup alone. */
export function mustBeWhole(dataDir: string, env: NodeJS.ProcessEnv): void {
  if (!existsSync(join(dataDir, restoreUnderWay))) return
  const way =
    env.DATABASE_URL || env.DATABASE_URL_FILE
      ? 'Remove that folder, drop the database of DATABASE_URL and create it again'
      : 'Remove that folder'
  throw new Obstacle(
    `A restore into ${dataDir} was interrupted and is incomplete. ${way}, then run npm run restore again.`,
  )
}

/** Makes the data folder, for its owner alone, or says why that cannot be. */
export function openDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir)
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Obstacle(folderSentence(dataDir, errorCode(error)))
  }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < leastFree) throw new Obstacle(diskSentence(dataDir, bavail * bsize))
}

/** Step by step: the recursive call of Node never returns where the system refuses to make any folder (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

export function folderSentence(dataDir: string, code: string | undefined): string {
  const way = 'Set QUAYSIDE_DATA_DIR to a folder of yours.'
  if (code === 'EACCES' || code === 'EPERM') return `No permission to write to the data folder ${dataDir}. ${way}`
  if (code === 'EROFS') return `The data folder ${dataDir} is on a read-only disk. ${way}`
  if (code === 'ENOSPC')
    return `The disk of the data folder ${dataDir} is full. Free some space or choose another. ${way}`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `The data folder ${dataDir} is a file, not a folder. ${way}`
  return `The data folder ${dataDir} cannot be used (${code ?? 'unknown reason'}). ${way}`
}

/** The obstacle in words for a person, where a system error happened in the data folder; else the error itself. */
export function explain(error: unknown, dataDir: string): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC') return new Obstacle(folderSentence(dataDir, code))
  const path = error instanceof Error && 'path' in error ? String(error.path) : ''
  if (!path.startsWith(dataDir) || !['EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) return error
  return new Obstacle(
    `No permission for ${path}. Was Quayside started here by another user before? Start it as that user, give the folder to yourself (chown -R), or set QUAYSIDE_DATA_DIR to a folder of yours.`,
  )
}

export function diskSentence(dataDir: string, free: number): string {
  const mebibytes = Math.floor(free / 1024 / 1024)
  return `Only ${mebibytes} MiB are free on the disk of ${dataDir}; Quayside needs 512 MiB. Free some space or set QUAYSIDE_DATA_DIR to a folder on another disk.`
}

/** Refuses a port that the portal could not listen on. */
export async function checkPort(port: number, host: string): Promise<void> {
  const problem = await portProblem(port, host)
  if (problem) throw new Obstacle(portSentence(port, host, problem))
}

export function portSentence(port: number, host: string, code: string): string {
  const other = port + 1 < 65536 ? port + 1 : 8081
  const way = `Set QUAYSIDE_PORT to a free one: QUAYSIDE_PORT=${other} npm start`
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. ${way}`
  if (code === 'EACCES') return `Port ${port} may only be used by root. ${way}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `QUAYSIDE_HOST is ${host}, which is no address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for every address.`
  return `Port ${port} on ${host} cannot be used (${code}). ${way}`
}
