import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, Obstacle } from './obstacle.ts'
import { processBirth } from './process-identity.ts'

/** Makes this process the only one in `directory`; a lock that a killed process left behind is taken over. */
export function acquireLock(directory: string): { release(): void } {
  const path = join(directory, 'lock')
  const mine = JSON.stringify({ pid: process.pid, birth: processBirth(process.pid) })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (claim(path, mine)) return { release: () => releaseLock(path, mine) }
    const text = read(path)
    if (text === undefined) continue
    const holder = livingHolder(text)
    if (holder !== undefined) throw taken(holder)
    removeStale(path, text)
  }
  throw new Obstacle(`Another Quayside is starting in ${directory} at this very moment. Try again in a few seconds.`)
}

/** Tells whether a process that is running holds the lock of `directory`. */
export function isLocked(directory: string): boolean {
  const text = read(join(directory, 'lock'))
  return text !== undefined && livingHolder(text) !== undefined
}

function livingHolder(text: string): number | undefined {
  const holder = parse(text)
  return holder && processBirth(holder.pid) === holder.birth ? holder.pid : undefined
}

const taken = (pid: number) =>
  new Obstacle(
    pid === process.pid
      ? `Another Quayside is already running here (pid ${pid}): this very process holds the data folder.`
      : `Another Quayside is already running here (pid ${pid}). Stop it first, or set QUAYSIDE_DATA_DIR and QUAYSIDE_PORT to run a second one.`,
  )

/** A link appears with its content complete, so nobody ever reads half a lock. */
function claim(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Moves the lock aside before judging it again: of two who find it stale only one gets to move it. */
function removeStale(path: string, seen: string) {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if (read(aside) !== seen) linkSync(aside, path)
  rmSync(aside, { force: true })
}

function releaseLock(path: string, mine: string) {
  if (read(path) === mine) rmSync(path, { force: true })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): { pid: number; birth: string | undefined } | undefined {
  try {
    const { pid, birth } = JSON.parse(text) as { pid?: unknown; birth?: unknown }
    return typeof pid === 'number' ? { pid, birth: typeof birth === 'string' ? birth : undefined } : undefined
  } catch {
    return undefined
  }
}
